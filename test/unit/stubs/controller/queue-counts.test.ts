import { expect } from 'chai';
import { QueueCounts } from '../../../../src/stubs/controller/queue-counts.ts';

const fail = (): Promise<never> => Promise.reject(new Error('not now'));

describe('the counts of a queue', () => {
  let queue: QueueCounts;
  beforeEach(() => {
    queue = new QueueCounts();
  });

  it('are what waits, and what has been added since the start', async () => {
    queue.add();
    queue.add();
    await queue.handle(() => Promise.resolve());
    expect([queue.depth, queue.adds]).to.deep.equal([1, 2]);
  });

  it('no longer count what is under way as waiting', async () => {
    queue.add();
    let seen: number | undefined;
    await queue.handle(() => Promise.resolve((seen = queue.depth)));
    expect(seen).to.equal(0);
  });

  it('say how it went, which the caller learns, too', async () => {
    queue.holding([1, 2, 3]);
    expect(await queue.handle(() => Promise.resolve('done'))).to.equal('done');
    const error: unknown = await queue.handle(fail).catch((reason: unknown) => reason);
    expect(String(error)).to.equal('Error: not now');
    expect([queue.succeeded, queue.failed, queue.depth]).to.deep.equal([1, 1, 1]);
  });

  it('begin anew with every pass, in which that is again what the one before did not come to', () => {
    expect(queue.holding(['a', 'b'])).to.deep.equal(['a', 'b']);
    queue.holding(['b']);
    expect([queue.depth, queue.adds]).to.deep.equal([1, 3]);
  });
});
