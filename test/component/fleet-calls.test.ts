import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import type { CallRecord } from '../../src/stubs/daemon/contract.ts';
import { CallLog } from '../../src/stubs/fleet/call-log.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { CallStream, type CallHole } from '../../src/sim/fleet/call-stream.ts';
import { ControlClient } from '../../src/sim/fleet/control-client.ts';
import { ControlApi } from '../helpers/control-api.ts';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { TestFleet } from '../helpers/test-fleet.ts';

/** What a handler was told. */
class Seen {
  readonly calls: CallRecord[] = [];
  readonly holes: CallHole[] = [];

  onCall(call: CallRecord): void {
    this.calls.push(call);
  }

  onHole(hole: CallHole): void {
    this.holes.push(hole);
  }

  get numbers(): readonly number[] {
    return this.calls.map(({ seq }) => seq);
  }
}

const record = (seq: number): string =>
  `${JSON.stringify({ seq, atMs: 1, node: 'sim-1', method: 'GET', path: '/interface', status: 200, durationMs: 1, requestBytes: 0, replyBytes: 0, detail: null })}\n`;

describe('the stream of calls', () => {
  let test: TestFleet;
  let api: ControlApi;
  let client: ControlClient;
  let seen: Seen;
  let stream: CallStream | undefined;

  const setUp = async (capacity?: number): Promise<void> => {
    test = TestFleet.withoutCluster(new CallLog(capacity));
    api = await ControlApi.start(test);
    client = new ControlClient(api.socketPath);
    seen = new Seen();
    stream = undefined;
    await test.put(1);
  };
  const follow = (): CallStream => (stream = new CallStream(client, realClock, seen));
  const call = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await test.call(1, '/interface');
  };
  afterEach(async () => {
    await stream?.stop();
    await client.close();
    await api.stop();
    await test.close();
  });

  it('tells of the calls before it and of those after it, each once', async () => {
    await setUp();
    await call(2);
    await follow().caughtUp(2, 5000);
    expect(seen.numbers).to.deep.equal([1, 2]);
    await call(2);
    await stream?.caughtUp(4, 5000);
    expect(seen.numbers).to.deep.equal([1, 2, 3, 4]);
    expect(seen.calls[0]).to.include({ node: 'sim-1', path: '/interface', status: 200 });
    expect(seen.holes).to.deep.equal([]);
  });

  it('shows what is lost as a hole', async () => {
    await setUp(3);
    await call(8);
    await follow().caughtUp(8, 5000);
    expect(seen.numbers).to.deep.equal([6, 7, 8]);
    expect(seen.holes).to.deep.equal([{ fromSeq: 1, toSeq: 5, reason: 'read too slowly' }]);
  });

  it('is heard of by two readers alike', async () => {
    await setUp();
    const other = new Seen();
    const second = new CallStream(client, realClock, other);
    follow();
    await call(3);
    await Promise.all([stream?.caughtUp(3, 5000), second.caughtUp(3, 5000)]);
    expect(other.numbers).to.deep.equal(seen.numbers);
    await second.stop();
  });

  it('does not fill the memory for a reader who has stopped to read', async () => {
    await setUp(100);
    const response = await api.open('GET', '/calls');
    response.pause();
    const long = 'x'.repeat(150);
    for (let i = 0; i < 20_000; i++)
      test.log.append({
        atMs: 1,
        node: 'sim-1',
        method: 'GET',
        path: `/${long}`,
        status: 404,
        durationMs: 1,
        requestBytes: 0,
        replyBytes: 0,
        detail: null,
      });
    await aLittleLater();
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    response.resume();
    await eventually('the newest call', () => text.includes('"seq":20000,'));
    const numbers = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as CallRecord).seq);
    expect(numbers.length).to.be.lessThan(10_000);
    expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
    response.destroy();
  });

  it('goes on where it was when the connection breaks', async () => {
    await setUp();
    await call(2);
    await follow().caughtUp(2, 5000);
    await api.hangUp();
    await call(2);
    await api.listen();
    await call(1);
    await stream?.caughtUp(5, 5000);
    expect(seen.numbers).to.deep.equal([1, 2, 3, 4, 5]);
    expect(seen.holes).to.deep.equal([]);
  });

  it('ends when it is told to, and tells nothing after it', async () => {
    await setUp();
    await call(1);
    await follow().caughtUp(1, 5000);
    await stream?.stop();
    await call(1);
    await aLittleLater();
    expect(seen.numbers).to.deep.equal([1]);
  });

  it('says what it waits for when it does not come', async () => {
    await setUp();
    const error = await follow()
      .caughtUp(7, 30)
      .catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'SIM_TIMEOUT' });
    expect(String(error)).to.match(
      /waited 30ms for the daemon fleet to tell of its call 7; last seen: call 0/,
    );
  });

  it('may not begin beyond the next call', async () => {
    await setUp();
    await call(1);
    const { status, body } = await api.send('GET', '/calls?from=3');
    expect(status).to.equal(400);
    expect(body).to.deep.equal({ error: 'from: 3 is beyond the next call, which will be 2' });
    for (const from of ['0', '-1', 'x', '1.5'])
      expect((await api.send('GET', `/calls?from=${from}`)).status).to.equal(400);
  });
});

describe('a stream of calls that is damaged', () => {
  let server: Server;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let client: ControlClient;
  let answers: string[];
  const asked: string[] = [];

  beforeEach(async () => {
    directory = await temporaryDirectory();
    asked.length = 0;
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(answers.shift() ?? '');
    });
    server.listen(`${directory.path}/s`);
    await once(server, 'listening');
    client = new ControlClient(`${directory.path}/s`);
  });
  afterEach(async () => {
    await client.close();
    server.close();
    await directory.remove();
  });

  async function follow(lastCall: number, seen: Seen): Promise<void> {
    const stream = new CallStream(client, realClock, seen);
    await stream.caughtUp(lastCall, 5000);
    await stream.stop();
  }

  it('does not lose the line that was cut off', async () => {
    answers = [record(1) + record(2).slice(0, 20), record(2) + record(3)];
    const seen = new Seen();
    await follow(3, seen);
    expect(seen.numbers).to.deep.equal([1, 2, 3]);
    expect(asked.slice(0, 2)).to.deep.equal(['/calls?from=1', '/calls?from=2']);
  });

  it('has a hole where a record cannot be read or taken in', async () => {
    answers = [`${record(1)}{"seq":2}\n${record(3)}${record(4)}`];
    const seen = new Seen();
    const calls: number[] = [];
    seen.onCall = ({ seq }) => {
      if (seq === 3) throw new Error('no room');
      calls.push(seq);
    };
    await follow(4, seen);
    expect(calls).to.deep.equal([1, 4]);
    expect(seen.holes.map(({ fromSeq, toSeq }) => [fromSeq, toSeq])).to.deep.equal([
      [2, 2],
      [3, 3],
    ]);
    expect(seen.holes[0]?.reason).to.match(/^an unreadable record: /);
    expect(seen.holes[1]?.reason).to.equal('a record could not be taken in: no room');
  });
});
