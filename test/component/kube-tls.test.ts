import { expect } from 'chai';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { KubeClient } from '../../src/sim/kube/client.ts';
import { KINDS } from '../../src/sim/kube/objects.ts';
import { CertificateAuthority, type Certificate } from '../helpers/certificates.ts';
import { ConnectProxy } from '../helpers/connect-proxy.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { temporaryDirectory, writeKubeconfig } from '../helpers/kubeconfig.ts';
import { RecordedWatch } from '../helpers/recorded-watch.ts';

type Fields = Readonly<Record<string, unknown>>;

describe('a client of a TLS server', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let authority: CertificateAuthority;
  let stranger: CertificateAuthority;
  let tester: Certificate;
  let server: FakeApiServer;
  let proxy: ConnectProxy;
  const clients: KubeClient[] = [];

  before(async function () {
    this.timeout(30_000);
    directory = await temporaryDirectory();
    authority = await CertificateAuthority.create(directory.path, 'authority');
    stranger = await CertificateAuthority.create(directory.path, 'stranger');
    tester = await authority.client('tester');
  });
  after(() => directory.remove());

  beforeEach(async () => {
    proxy = await ConnectProxy.start();
    server = await startServer('kube', ['IP:127.0.0.1']);
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await server.stop();
    await proxy.stop();
  });

  async function startServer(name: string, alternatives: readonly string[]) {
    const { cert, key } = await authority.server(name, alternatives);
    const asksForCertificate = { requestCert: true, rejectUnauthorized: false };
    return FakeApiServer.start({
      tls: { cert, key, ca: authority.own.cert, ...asksForCertificate },
    });
  }

  async function connect(cluster: Fields, user: Fields = { token: 't' }): Promise<KubeClient> {
    const path = await writeKubeconfig(directory.path, { server: server.url, ...cluster }, user);
    const client = await KubeClient.fromFile(path, { clock: realClock, userAgent: 'cni-sim/test' });
    clients.push(client);
    return client;
  }

  const trusting = (): Fields => ({
    'certificate-authority-data': authority.own.cert.toString('base64'),
  });
  const failureOf = (client: KubeClient): Promise<unknown> =>
    client.list(KINDS.node).then(
      () => expect.fail('it should have been refused'),
      (error: unknown) => error,
    );

  it('trusts the authority of the kubeconfig', async () => {
    const client = await connect(trusting());
    expect(await client.list(KINDS.node)).to.deep.equal([]);
    expect(server.requests[0]?.headers['user-agent']).to.equal('cni-sim/test');
  });

  it('refuses an authority that the kubeconfig does not name, and sends nothing', async () => {
    const client = await connect({
      'certificate-authority-data': stranger.own.cert.toString('base64'),
    });
    expect(await failureOf(client))
      .to.be.instanceOf(Error)
      .with.property('message')
      .match(/cert/);
    expect(server.requests).to.deep.equal([]);
    expect(client.retries).to.equal(0);
  });

  it('refuses a server with the name of another', async () => {
    await server.stop();
    server = await startServer('other', ['DNS:other.test']);
    expect(await failureOf(await connect(trusting()))).to.have.property(
      'code',
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
    expect(server.requests).to.deep.equal([]);
  });

  it('expects the name that tls-server-name gives', async () => {
    await server.stop();
    server = await startServer('other', ['DNS:other.test']);
    const client = await connect({ ...trusting(), 'tls-server-name': 'other.test' });
    expect(await client.list(KINDS.node)).to.deep.equal([]);
  });

  it('verifies nothing when insecure-skip-tls-verify is set', async () => {
    await server.stop();
    server = await startServer('other', ['DNS:other.test']);
    const client = await connect({ 'insecure-skip-tls-verify': true });
    expect(await client.list(KINDS.node)).to.deep.equal([]);
  });

  it('shows its certificate from files, for requests and for watches', async () => {
    const user = { 'client-certificate': tester.certFile, 'client-key': tester.keyFile };
    const client = await connect(trusting(), user);
    const { reflector } = new RecordedWatch(client);
    await reflector.start();
    await server.watch(1);
    reflector.stop();
    expect(server.requests.map(({ clientName }) => clientName)).to.deep.equal(['tester', 'tester']);
  });

  it('shows its certificate from the kubeconfig itself', async () => {
    const user = {
      'client-certificate-data': tester.cert.toString('base64'),
      'client-key-data': tester.key.toString('base64'),
    };
    await (await connect(trusting(), user)).list(KINDS.node);
    expect(server.requests[0]?.clientName).to.equal('tester');
  });

  it('shows no certificate when it has only a token', async () => {
    await (await connect(trusting(), { token: 'abc' })).list(KINDS.node);
    expect(server.requests[0]?.clientName).to.be.undefined;
    expect(server.requests[0]?.headers.authorization).to.equal('Bearer abc');
  });

  describe('behind a proxy', () => {
    const through = (): Fields => ({ ...trusting(), 'proxy-url': proxy.url });

    it('goes through it with requests and with watches, and is still verified and known', async () => {
      const user = { 'client-certificate': tester.certFile, 'client-key': tester.keyFile };
      const client = await connect(through(), user);
      const watch = new RecordedWatch(client);
      await watch.reflector.start();
      (await server.watch(1)).end();
      await server.watch(2);
      watch.reflector.stop();
      const { host } = new URL(server.url);
      expect(proxy.tunnels).to.include(host).and.have.length.at.least(2);
      expect(new Set(proxy.tunnels)).to.have.property('size', 1);
      expect(server.connections).to.be.at.most(proxy.tunnels.length);
      expect(server.requests.every(({ clientName }) => clientName === 'tester')).to.be.true;
    });

    it('refuses an unknown authority as it does without one', async () => {
      const ca = stranger.own.cert.toString('base64');
      const client = await connect({ ...through(), 'certificate-authority-data': ca });
      expect(await failureOf(client))
        .to.have.property('message')
        .match(/cert/);
      expect(server.requests).to.deep.equal([]);
    });

    it('honours tls-server-name and insecure-skip-tls-verify', async () => {
      await server.stop();
      server = await startServer('other', ['DNS:other.test']);
      const named = await connect({ ...through(), 'tls-server-name': 'other.test' });
      expect(await named.list(KINDS.node)).to.deep.equal([]);
      const careless = await connect({
        'proxy-url': proxy.url,
        'insecure-skip-tls-verify': true,
      });
      expect(await careless.list(KINDS.node)).to.deep.equal([]);
      expect(proxy.tunnels).to.have.length(2);
    });

    it('tries again when the proxy could not reach the server', async () => {
      proxy.refusals = 2;
      const client = await connect(through());
      expect(await client.list(KINDS.node)).to.deep.equal([]);
      expect(client.retries).to.equal(2);
    });
  });
});
