import { expect } from 'chai';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { KubeClient } from '../../src/sim/kube/client.ts';
import { KINDS } from '../../src/sim/kube/objects.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { temporaryDirectory, writeKubeconfig } from '../helpers/kubeconfig.ts';
import { RecordedWatch } from '../helpers/recorded-watch.ts';

const PLUGIN = fileURLToPath(new URL('../fixtures/kube/token-plugin.sh', import.meta.url));
const node = { metadata: { name: 'sim-1' } };

describe('the credentials of a client', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: FakeApiServer;
  let client: KubeClient | undefined;

  beforeEach(async () => {
    directory = await temporaryDirectory();
    server = await FakeApiServer.start();
  });
  afterEach(async () => {
    await client?.close();
    await server.stop();
    await directory.remove();
  });

  async function connect(user: Readonly<Record<string, unknown>>): Promise<KubeClient> {
    const path = await writeKubeconfig(directory.path, { server: server.url }, user);
    client = await KubeClient.fromFile(path, { clock: realClock, userAgent: 'cni-sim/test' });
    return client;
  }

  const bearers = (): readonly (string | undefined)[] =>
    server.requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));

  describe('from an exec plugin', () => {
    const calls = async (): Promise<number> =>
      (await readFile(join(directory.path, 'calls'), 'utf8')).split('\n').length - 1;

    const connectByPlugin = (): Promise<KubeClient> =>
      connect({
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: PLUGIN,
          env: [{ name: 'CALLS', value: join(directory.path, 'calls') }],
        },
      });

    it('are asked for once and then kept', async () => {
      const kube = await connectByPlugin();
      for (let i = 0; i < 5; i++) await kube.get(KINDS.node, 'sim-1');
      expect(await calls()).to.equal(1);
      expect(new Set(bearers())).to.deep.equal(new Set(['token-1']));
    });

    it('are renewed once when the server refuses them, though they claim to be good', async () => {
      const kube = await connectByPlugin();
      server.token = 'token-2';
      expect(await kube.list(KINDS.node)).to.deep.equal([]);
      expect(await kube.list(KINDS.node)).to.deep.equal([]);
      expect(bearers()).to.deep.equal(['token-1', 'token-2', 'token-2']);
      expect(await calls()).to.equal(2);
      expect(kube.retries, 'a renewal is no repetition').to.equal(0);
    });

    it('are renewed once for many requests that are refused at the same time', async () => {
      const kube = await connectByPlugin();
      server.token = 'token-2';
      await Promise.all(Array.from({ length: 50 }, () => kube.list(KINDS.node)));
      expect(await calls()).to.equal(2);
    });

    it('are renewed for a write too, which is then carried out once', async () => {
      const kube = await connectByPlugin();
      server.token = 'token-2';
      await kube.create(KINDS.node, node, { name: 'sim-1' });
      expect(server.objects.version).to.equal('1');
    });

    it('are renewed for a watch, without a gap', async () => {
      const kube = await connectByPlugin();
      const watch = new RecordedWatch(kube);
      await watch.reflector.start();
      await server.watch(1);
      server.token = 'token-2';
      (await server.watch(1)).end();
      await server.watch(2);
      watch.reflector.stop();
      expect(bearers()).to.deep.equal(['token-1', 'token-1', 'token-1', 'token-2']);
      expect(watch.gaps).to.deep.equal([]);
    });

    it('are asked for anew by the next request when the server refuses the renewed ones', async () => {
      const kube = await connectByPlugin();
      server.token = 'token-3';
      const error: unknown = await kube.list(KINDS.node).catch((e: unknown) => e);
      expect(error).to.have.property('status', 401);
      expect(await calls()).to.equal(2);
      expect(await kube.list(KINDS.node)).to.deep.equal([]);
      expect(await calls()).to.equal(3);
    });
  });

  it('from a token file are read again when the server refuses them', async () => {
    const tokenFile = join(directory.path, 'token');
    await writeFile(tokenFile, 'old\n'); // the newline is no part of the token
    const kube = await connect({ 'auth-provider': { name: 'tokenFile', config: { tokenFile } } });
    server.token = 'old';
    await kube.list(KINDS.node);
    await writeFile(tokenFile, 'new\n');
    server.token = 'new';
    await kube.list(KINDS.node);
    expect(bearers()).to.deep.equal(['old', 'old', 'new']);
  });

  it('that never change are tried twice, and then the refusal is told', async () => {
    const kube = await connect({ token: 'wrong' });
    server.token = 'right';
    const error: unknown = await kube.list(KINDS.node).catch((e: unknown) => e);
    expect(error)
      .to.have.property('message')
      .match(/GET \/api\/v1\/nodes: 401 Unauthorized/);
    expect(bearers()).to.deep.equal(['wrong', 'wrong']);
  });

  it('include the user to impersonate', async () => {
    const kube = await connect({ token: 't', as: 'system:serviceaccount:sim:sim' });
    await kube.list(KINDS.node);
    expect(server.requests[0]?.headers['impersonate-user']).to.equal(
      'system:serviceaccount:sim:sim',
    );
  });
});
