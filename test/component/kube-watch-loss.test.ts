import { expect } from 'chai';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { answerThen, refuse } from '../helpers/fake-troubles.ts';
import type { FakeWatch } from '../helpers/fake-watch.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { RecordedWatch } from '../helpers/recorded-watch.ts';

const NODES = '/api/v1/nodes';

describe('a reflector that loses its watch', () => {
  let server: FakeApiServer;
  let client: KubeClient;
  let watch: RecordedWatch;
  let open: FakeWatch;

  /** It has heard of sim-1 by the list and of sim-2 by an event, both at version 2. */
  beforeEach(async () => {
    server = await FakeApiServer.start();
    client = plainClient(server.url);
    watch = new RecordedWatch(client);
    server.objects.put(NODES, 'sim-1');
    await watch.reflector.start();
    open = await server.watch(1);
    open.event('ADDED', server.objects.put(NODES, 'sim-2'));
    await told('ADDED sim-2');
  });
  afterEach(async () => {
    watch.reflector.stop();
    await client.close();
    await server.stop();
  });

  const told = (what: string): Promise<true> =>
    eventually(what, () => watch.told.includes(what) && true);

  /** Meanwhile sim-1 goes and sim-3 comes, unseen: versions 3 and 4. */
  function changeUnseen(): void {
    server.objects.remove(`${NODES}/sim-1`);
    server.objects.put(NODES, 'sim-3');
  }

  async function expectRelist(): Promise<void> {
    expect((await server.watch(2)).fromVersion).to.equal('4');
    expect([...watch.present].sort()).to.deep.equal(['sim-2', 'sim-3']);
    expect(watch.gaps).to.have.length(1);
  }

  it('tells a gap and lists again when the server refuses to go on with 410', async () => {
    changeUnseen();
    server.watchTroubles.push(refuse(410, 'Expired'));
    open.end();
    await expectRelist();
    expect(watch.told.slice(3)).to.deep.equal(['gap', 'first page', 'listed 4']);
    expect(watch.gaps[0]?.reason).to.match(/410 Expired/);
  });

  it('tells a gap and lists again when the server sends the error 410 into the watch', async () => {
    changeUnseen();
    open.error(410, 'Expired');
    await expectRelist();
    expect(watch.told.slice(3)).to.deep.equal(['gap', 'first page', 'listed 4']);
    expect(watch.gaps[0]?.reason)
      .to.match(/410/)
      .and.match(/too old|Expired/);
  });

  it('tells the gap after a resume when the error 410 opens the resumed watch', async () => {
    changeUnseen();
    open.end();
    (await server.watch(2)).error(410, 'Expired');
    expect((await server.watch(3)).fromVersion).to.equal('4');
    expect(watch.told.slice(3)).to.deep.equal(['resume', 'gap', 'first page', 'listed 4']);
  });

  const lost: readonly (readonly [string, (open: FakeWatch) => void, RegExp])[] = [
    [
      'another error',
      (w) => {
        w.error(500, 'InternalError');
      },
      /500.*InternalError/,
    ],
    [
      'a line that is no JSON',
      (w) => {
        w.line('{"type":"ADD');
      },
      /unreadable event/,
    ],
    [
      'an event without an object',
      (w) => {
        w.line('{"type":"ADDED"}');
      },
      /without an object/,
    ],
    [
      'an object without metadata',
      (w) => {
        w.line('{"type":"ADDED","object":{}}');
      },
      /no metadata/,
    ],
    [
      'a kind of event that nobody knows',
      (w) => {
        w.line('{"type":"X","object":{}}');
      },
      /said.*"X"/,
    ],
    [
      'JSON that is no event',
      (w) => {
        w.line('null');
      },
      /without an object/,
    ],
  ];
  for (const [title, trouble, reason] of lost)
    it(`tells a gap and lists again after ${title}`, async () => {
      changeUnseen();
      trouble(open);
      await expectRelist();
      expect(watch.told.slice(3)).to.deep.equal(['gap', 'first page', 'listed 4']);
      expect(watch.gaps[0]?.reason).to.match(reason);
    });

  it('counts the gap from the last event, and not from the error', async () => {
    open.error(410, 'Expired');
    await told('gap');
    expect(watch.gaps[0]?.since).to.equal(watch.events[0]?.arrivedAt);
  });

  it('counts the gap from the last bookmark when no event came after it', async () => {
    const lastEvent = watch.events[0]!.arrivedAt;
    open.bookmark('3');
    open.end();
    server.watchTroubles.push(refuse(410, 'Expired'));
    await told('gap');
    expect(watch.gaps[0]?.since).to.be.above(lastEvent);
  });

  it('takes nothing more from a watch after an error in it', async () => {
    open.error(500, 'InternalError');
    open.event('ADDED', server.objects.put(NODES, 'sim-9'));
    await server.watch(2);
    expect(watch.told).to.not.include('ADDED sim-9');
    expect(watch.present.has('sim-9'), 'the list has it').to.be.true;
    await eventually('the end of the old watch', () => open.isOver);
  });

  it('goes on listing until the server can do it, and tells one gap', async () => {
    changeUnseen();
    for (let i = 0; i < 3; i++) server.troubles.push(refuse(403, 'Forbidden'));
    open.error(410, 'Expired');
    await expectRelist();
    expect(server.calls).to.have.length(5);
  });

  it('forgets the pages of a list that was never completed', async () => {
    for (let i = 10; i < 600; i++) server.objects.put(NODES, `sim-${i}`);
    const removeMeanwhile = (): void => {
      server.objects.remove(`${NODES}/sim-10`);
    };
    server.troubles.push(answerThen(removeMeanwhile), refuse(403, 'Forbidden'));
    open.error(410, 'Expired');
    await server.watch(2);
    expect(watch.told.slice(3, 6)).to.deep.equal(['gap', 'first page', 'first page']);
    expect(watch.present.has('sim-10')).to.be.false;
    expect(watch.present).to.have.property('size', 591);
  });

  it('does not storm the server with lists when every watch begins with an error', async () => {
    open.error(410, 'Expired');
    for (let n = 2; n <= 4; n++) (await server.watch(n)).error(410, 'Expired');
    const last = await server.watch(5);
    last.event('MODIFIED', server.objects.put(NODES, 'sim-2'));
    await told('MODIFIED sim-2');
    expect(watch.gaps).to.have.length(4);
    // None, 40 and 80 ms lie between them.
    expect(watch.gaps[3]!.at - watch.gaps[0]!.at).to.be.at.least(110);
  });

  it('tells a gap when its handler fails: an event is never lost in silence', async () => {
    changeUnseen();
    watch.onEachEvent = () => {
      watch.onEachEvent = () => undefined;
      throw new Error('no such field');
    };
    open.event('MODIFIED', server.objects.put(NODES, 'sim-2'));
    await told('gap');
    expect(watch.gaps[0]?.reason).to.match(/could not be taken in: no such field/);
    expect((await server.watch(2)).fromVersion).to.equal('5');
  });
});
