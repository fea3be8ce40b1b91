import { expect } from 'chai';
import { realClock } from '../../src/sim/host/real-clock.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { KINDS } from '../../src/sim/kube/objects.ts';
import { eventually } from '../helpers/eventually.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { loseAnswer, refuse, reset } from '../helpers/fake-troubles.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { RecordedWatch } from '../helpers/recorded-watch.ts';

const NODES = '/api/v1/nodes';

describe('a reflector', () => {
  let server: FakeApiServer;
  let client: KubeClient;
  let watch: RecordedWatch;

  beforeEach(async () => {
    server = await FakeApiServer.start();
    client = plainClient(server.url);
    watch = new RecordedWatch(client);
    server.objects.put(NODES, 'sim-1');
  });
  afterEach(async () => {
    watch.reflector.stop();
    await client.close();
    await server.stop();
  });

  const started = async () => {
    await watch.reflector.start();
    return server.watch(1);
  };
  const told = (what: string): Promise<true> =>
    eventually(what, () => watch.told.includes(what) && true);

  it('lists, and then watches from the version of the list, with bookmarks', async () => {
    const { request } = await started();
    expect(watch.told).to.deep.equal(['first page', 'listed 1']);
    expect(request.path).to.equal(NODES);
    expect(Object.fromEntries(request.query)).to.include({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '1',
    });
    expect(Number(request.query.get('timeoutSeconds'))).to.be.above(60);
  });

  it('lists and watches what was selected, in the namespace', async () => {
    const options = {
      kind: KINDS.pod,
      namespace: 'sim',
      labelSelector: 'a=b',
      fieldSelector: 'c=d',
    };
    watch = new RecordedWatch(client, options);
    const { request } = await started();
    for (const { path, query } of [server.calls[0]!, request]) {
      expect(path).to.equal('/api/v1/namespaces/sim/pods');
      expect(Object.fromEntries(query)).to.include({ labelSelector: 'a=b', fieldSelector: 'c=d' });
    }
  });

  it('tells every event in order, with the time at which it arrived', async () => {
    const open = await started();
    const before = realClock.now();
    open.event('ADDED', server.objects.put(NODES, 'sim-2'));
    open.event('MODIFIED', server.objects.put(NODES, 'sim-1'));
    await told('MODIFIED sim-1');
    const between = realClock.now();
    open.event('DELETED', server.objects.put(NODES, 'sim-2'));
    await told('DELETED sim-2');
    const after = realClock.now();
    expect(watch.told.slice(2)).to.deep.equal(['ADDED sim-2', 'MODIFIED sim-1', 'DELETED sim-2']);
    const times = watch.events.map(({ arrivedAt }) => arrivedAt);
    const inOrder = [before, times[0]!, times[1]!, between, times[2]!, after];
    expect(inOrder).to.deep.equal([...inOrder].sort((a, b) => a - b));
  });

  it('gives the objects as they are', async () => {
    const open = await started();
    const spec = { unheardOf: ['ä', { deep: null }] };
    let given: unknown;
    watch.onEvent = (_, object) => {
      given = object['spec'];
    };
    open.event('MODIFIED', server.objects.put(NODES, 'sim-1', { spec }));
    expect(await eventually('the object', () => given)).to.deep.equal(spec);
  });

  describe('whose watch is closed by the server', () => {
    it('goes on from the last event, and tells a resume and no gap', async () => {
      const open = await started();
      open.event('ADDED', server.objects.put(NODES, 'sim-2'));
      open.end();
      const next = await server.watch(2);
      expect(next.fromVersion).to.equal('2');
      next.event('ADDED', server.objects.put(NODES, 'sim-3'));
      await told('ADDED sim-3');
      expect(watch.told.slice(2)).to.deep.equal(['ADDED sim-2', 'resume', 'ADDED sim-3']);
      expect(watch.resumes[0]?.reason).to.equal('closed by the server');
      expect(watch.resumes[0]?.durationMs).to.be.at.least(0);
      expect(server.calls, 'there is no second list').to.have.length(1);
    });

    it('goes on from the version of a bookmark', async () => {
      const open = await started();
      open.event('ADDED', server.objects.put(NODES, 'sim-2'));
      open.bookmark('77');
      open.end();
      expect((await server.watch(2)).fromVersion).to.equal('77');
      await told('resume');
      expect(watch.told.slice(2)).to.deep.equal(['ADDED sim-2', 'resume']);
    });

    it('goes on from the list when nothing had come', async () => {
      (await started()).end();
      expect((await server.watch(2)).fromVersion).to.equal('1');
    });

    it('tells every time', async () => {
      await started();
      for (let n = 1; n <= 5; n++) {
        const open = await server.watch(n);
        open.event('MODIFIED', server.objects.put(NODES, 'sim-1'));
        open.end();
      }
      expect((await server.watch(6)).fromVersion).to.equal('6');
      await eventually('five resumes', () => watch.resumes.length === 5);
      expect(watch.events).to.have.length(5);
      expect(watch.gaps).to.deep.equal([]);
    });

    it('loses no event when the connection breaks in the middle of a line', async () => {
      const open = await started();
      open.event('ADDED', server.objects.put(NODES, 'sim-2'));
      const cut = server.objects.put(NODES, 'sim-3');
      const line = JSON.stringify({ type: 'ADDED', object: cut });
      open.raw(line.slice(0, line.length / 2));
      await told('ADDED sim-2');
      open.cut();
      const next = await server.watch(2);
      expect(next.fromVersion).to.equal('2');
      next.event('ADDED', cut);
      await told('ADDED sim-3');
      expect(watch.told.slice(2)).to.deep.equal(['ADDED sim-2', 'resume', 'ADDED sim-3']);
    });

    it('loses no event when the answer ends properly in the middle of a line', async () => {
      const open = await started();
      open.raw('{"type":"ADDED","object":{"metadata":{"name":"half","resourceVersion":"9"}}}');
      open.end();
      expect((await server.watch(2)).fromVersion).to.equal('1');
      expect(watch.events).to.deep.equal([]);
      expect(watch.gaps).to.deep.equal([]);
    });
  });

  for (const [title, trouble] of [
    ['reset', reset],
    ['closed without an answer', loseAnswer],
    ['refused for now (429)', refuse(429, 'TooManyRequests')],
    ['refused for now (503)', refuse(503, 'ServiceUnavailable')],
    ['refused by an internal error', refuse(500, 'InternalError')],
  ] as const)
    it(`tries again when the next watch is ${title}, and tells one resume`, async () => {
      const open = await started();
      open.event('ADDED', server.objects.put(NODES, 'sim-2'));
      server.watchTroubles.push(trouble, trouble);
      open.end();
      expect((await server.watch(2)).fromVersion).to.equal('2');
      await told('resume');
      expect(watch.resumes).to.have.length(1);
      expect(watch.gaps).to.deep.equal([]);
    });

  it('tells a resume even when the very first watch could not be opened', async () => {
    server.watchTroubles.push(reset);
    await started();
    await told('resume');
    expect(watch.gaps).to.deep.equal([]);
  });

  it('waits before it opens a watch again when the server asks for it', async () => {
    const open = await started();
    server.watchTroubles.push(refuse(429, 'TooManyRequests', { 'retry-after': '1' }));
    open.end();
    await server.watch(2);
    await told('resume');
    expect(watch.resumes[0]?.durationMs).to.be.at.least(990);
  });

  it('does not storm a server that closes every watch at once', async () => {
    const began = realClock.now();
    await started();
    for (let n = 1; n <= 5; n++) (await server.watch(n)).end();
    // 40, 80, 160 and 320 ms lie between them.
    expect(realClock.now() - began).to.be.at.least(590);
    expect(watch.gaps).to.deep.equal([]);
  });
});
