import { expect } from 'chai';
import { Calls } from '../../../../src/stubs/controller/calls.ts';
import { QueueCounts } from '../../../../src/stubs/controller/queue-counts.ts';
import { aLittleLater, eventually } from '../../../helpers/eventually.ts';
import { fasterClock } from '../../../helpers/faster-clock.ts';

/** A call that ends when the test says so. */
class Work {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, (error?: Error) => void>();

  at = (host: string) => (): Promise<void> => {
    this.begun.push(host);
    return new Promise((resolve, reject) => {
      this.#ends.set(host, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  };

  end(host: string, error?: Error): void {
    this.#ends.get(host)?.(error);
  }
}

describe('the calls to hosts', () => {
  let stop: AbortController;
  let work: Work;
  let queue: QueueCounts;
  let said: string[];
  let freed: number;
  beforeEach(() => {
    stop = new AbortController();
    work = new Work();
    queue = new QueueCounts();
    said = [];
    freed = 0;
  });
  afterEach(() => {
    stop.abort();
  });

  /** Two at once. A second of theirs is over in `second` milliseconds. */
  const open = ({ second = 1000, afterSuccess = 0, afterFailure = 0 } = {}) => {
    const calls = new Calls({
      clock: fasterClock(1000 / second),
      signal: stop.signal,
      concurrency: 2,
      what: 'routes',
      queue,
      restMs: { afterSuccess, afterFailure },
      onFree: () => freed++,
      log: (line) => said.push(line),
    });
    const offer = (...hosts: readonly string[]): void => {
      for (const host of hosts) calls.offer(host, work.at(host));
    };
    return offer;
  };

  it('are so many at once, in the order of asking', async () => {
    const offer = open();
    offer('a', 'b', 'c', 'd');
    expect(work.begun).to.deep.equal(['a', 'b']);
    expect([queue.adds, queue.depth]).to.deep.equal([4, 2]);
    work.end('b');
    await eventually('the next one', () => work.begun.length === 3);
    expect(work.begun).to.deep.equal(['a', 'b', 'c']);
    expect(freed).to.equal(1);
  });

  it('are one at a time to each host, whether it is under way or waiting', async () => {
    const offer = open();
    offer('a', 'b', 'c', 'a', 'c');
    work.end('a');
    await eventually('the host to be free', () => freed === 1);
    offer('c', 'a');
    work.end('b');
    await eventually('the next one', () => work.begun.length === 4);
    expect(work.begun).to.deep.equal(['a', 'b', 'c', 'a']);
  });

  it('hold up others for a little only when they hang, however many do', async () => {
    const offer = open({ second: 20 });
    offer('a', 'b', 'c', 'd', 'e');
    await eventually('all to begin', () => work.begun.length === 5);
    offer('a');
    await aLittleLater();
    expect(work.begun).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    work.end('a');
    await eventually('the host to be free', () => freed === 1);
    offer('a');
    expect(work.begun.at(-1)).to.equal('a');
  });

  it('say what failed, and leave the host in peace for a while', async () => {
    const offer = open({ afterFailure: 100 });
    offer('a', 'b');
    work.end('a', new Error('not now'));
    await eventually('the complaint', () => said.length === 1);
    offer('a', 'c');
    work.end('b');
    await eventually('a host to be free', () => freed === 1);
    expect(said).to.deep.equal(['routes of a: not now']);
    expect([queue.succeeded, queue.failed]).to.deep.equal([1, 1]);
    expect(work.begun).to.deep.equal(['a', 'b', 'c']);
    await eventually('the other to be free', () => freed === 2);
    offer('a');
    expect(work.begun.at(-1)).to.equal('a');
  });

  it('leave the host in peace after they went well, too, if that is wanted', async () => {
    const offer = open({ afterSuccess: 50 });
    offer('a');
    work.end('a');
    await aLittleLater(10);
    offer('a');
    expect([work.begun.length, freed]).to.deep.equal([1, 0]);
    await eventually('the host to be free', () => freed === 1);
    offer('a');
    expect(work.begun).to.have.length(2);
  });

  it('begin no more when they are stopped, and say nothing of those that break off', async () => {
    const offer = open();
    offer('a', 'b', 'c');
    stop.abort();
    work.end('a', new Error('broken off'));
    await aLittleLater();
    offer('d');
    expect(work.begun).to.deep.equal(['a', 'b']);
    expect([said, freed]).to.deep.equal([[], 0]);
  });
});
