import { expect } from 'chai';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { KubeClient } from '../../src/sim/kube/client.ts';
import { KINDS } from '../../src/sim/kube/objects.ts';
import { ConnectProxy } from '../helpers/connect-proxy.ts';
import { eventually } from '../helpers/eventually.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { refuse, silence } from '../helpers/fake-troubles.ts';
import { temporaryDirectory, writeKubeconfig } from '../helpers/kubeconfig.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { RecordedWatch } from '../helpers/recorded-watch.ts';

const NODES = '/api/v1/nodes';

describe('the connections of a client', () => {
  let server: FakeApiServer;
  let client: KubeClient | undefined;

  beforeEach(async () => {
    server = await FakeApiServer.start();
  });
  afterEach(async () => {
    await client?.close();
    await server.stop();
  });

  it('are used again: one request after the other needs two of them at most', async () => {
    client = plainClient(server.url);
    for (let i = 1; i <= 30; i++) await client.get(KINDS.node, `sim-${i}`);
    expect(server.requests).to.have.length(30);
    // A connection rests for one turn of the event loop; a request that comes in that turn takes another.
    expect(server.connections).to.be.at.most(2);
  });

  it('are as many as allowed for requests at the same time, and no more', async () => {
    client = plainClient(server.url, { connections: 4 });
    const names = Array.from({ length: 200 }, (_, i) => `sim-${i + 1}`);
    await Promise.all(
      names.map((name) => client!.create(KINDS.node, { metadata: { name } }, { name })),
    );
    expect(names.every((name) => server.objects.has(`${NODES}/${name}`))).to.be.true;
    expect(server.connections).to.equal(4);
  });

  it('are apart for watches: many of them leave the way free for requests', async () => {
    client = plainClient(server.url, { connections: 1 });
    const watches = Array.from({ length: 5 }, () => new RecordedWatch(client!));
    for (const { reflector } of watches) await reflector.start();
    await server.watch(5);
    expect(await client.get(KINDS.node, 'sim-1')).to.be.undefined;
    for (const { reflector } of watches) reflector.stop();
    expect(new Set(server.watches.map(({ request }) => request.connection))).to.have.property(
      'size',
      5,
    );
    expect(new Set(server.calls.map(({ connection }) => connection))).to.have.property('size', 1);
  });

  it('tell of every request how it was answered, each time that it is repeated', async () => {
    const answers: string[] = [];
    client = plainClient(server.url, {
      onAnswer: (method, status) => answers.push(`${method} ${String(status)}`),
    });
    server.troubles.push(refuse(503, 'ServiceUnavailable'));
    await client.get(KINDS.node, 'sim-1');
    await client.create(KINDS.node, { metadata: { name: 'sim-1' } }, { name: 'sim-1' });
    await server.stop();
    await client.getText('/readyz').catch(() => undefined);
    expect(answers).to.deep.equal(['GET 503', 'GET 404', 'POST 201', 'GET undefined']);
  });

  it('that the server has closed meanwhile are replaced', async () => {
    client = plainClient(server.url, { connections: 1 });
    await client.get(KINDS.node, 'sim-1');
    await server.stop();
    await server.start();
    expect(await client.get(KINDS.node, 'sim-1')).to.be.undefined;
    expect(server.connections).to.equal(2);
  });

  it('are broken off when the client is closed, with all that is under way', async () => {
    client = plainClient(server.url);
    server.troubles.push(silence);
    const asked = client.get(KINDS.node, 'sim-1').then(
      () => 'answered',
      () => 'broken off',
    );
    await eventually('the request', () => server.requests.length === 1);
    await client.close();
    expect(await asked).to.equal('broken off');
    expect(client.retries).to.equal(0);
  });
});

describe('a client from a kubeconfig', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: FakeApiServer | undefined;
  let client: KubeClient | undefined;

  before(async () => {
    directory = await temporaryDirectory();
  });
  after(() => directory.remove());
  afterEach(async () => {
    await client?.close();
    await server?.stop();
  });

  const connect = async (cluster: Readonly<Record<string, unknown>>): Promise<KubeClient> =>
    KubeClient.fromFile(await writeKubeconfig(directory.path, cluster, { token: 'abc' }), {
      clock: realClock,
      userAgent: 'cni-sim/test',
    });

  it('puts the path of the server in front of requests and watches', async () => {
    server = await FakeApiServer.start({ basePath: '/k8s/clusters/c-1' });
    client = await connect({ server: server.url });
    await client.create(KINDS.node, { metadata: { name: 'sim-1' } }, { name: 'sim-1' });
    const watch = new RecordedWatch(client);
    await watch.reflector.start();
    await server.watch(1);
    watch.reflector.stop();
    await client.getText('/readyz').catch(() => undefined);
    expect(server.requests.map(({ path }) => path)).to.deep.equal([NODES, NODES, NODES, '/readyz']);
    expect(server.objects.has(`${NODES}/sim-1`)).to.be.true;
  });

  it('reaches a plain HTTP server through its proxy too', async () => {
    const proxy = await ConnectProxy.start();
    try {
      server = await FakeApiServer.start();
      client = await connect({ server: server.url, 'proxy-url': proxy.url });
      expect(await client.list(KINDS.node)).to.deep.equal([]);
      expect(proxy.tunnels).to.deep.equal([new URL(server.url).host]);
      expect(server.requests[0]?.headers.authorization).to.equal('Bearer abc');
    } finally {
      await proxy.stop();
    }
  });
});
