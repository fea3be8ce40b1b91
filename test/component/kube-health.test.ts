import { expect } from 'chai';
import { HealthProbe } from '../../src/sim/kube/health.ts';
import { CertificateAuthority } from '../helpers/certificates.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { reset } from '../helpers/fake-troubles.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';

describe('a health probe', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let authority: CertificateAuthority;
  let stranger: CertificateAuthority;
  let server: FakeApiServer;
  let probe: HealthProbe | undefined;

  before(async function () {
    this.timeout(30_000);
    directory = await temporaryDirectory();
    authority = await CertificateAuthority.create(directory.path, 'authority');
    stranger = await CertificateAuthority.create(directory.path, 'stranger');
  });
  after(() => directory.remove());

  beforeEach(async () => {
    const { cert, key } = await authority.server('kube', ['IP:127.0.0.1']);
    server = await FakeApiServer.start({ tls: { cert, key } });
  });
  afterEach(async () => {
    await probe?.close();
    await server.stop();
  });

  const answer = (status: number, text: string): void => {
    server.troubles.push(({ response }) => response.writeHead(status).end(text));
  };
  const ask = (ca: CertificateAuthority | undefined) => {
    probe ??= new HealthProbe(`${server.url}/readyz`, ca?.own.cert.toString());
    return probe.ask();
  };
  afterEach(() => {
    probe = undefined;
  });

  it('is content with 200 under the authority of the cluster', async () => {
    answer(200, 'ok');
    expect(await ask(authority)).to.deep.equal({ ok: true, detail: '200 ok' });
    expect(server.requests[0]?.path).to.equal('/readyz');
  });

  it('is not content with the answer of another cluster on the same port', async () => {
    answer(200, 'ok');
    const health = await ask(stranger);
    expect(health.ok).to.be.false;
    expect(health.detail).to.match(/cert/);
    expect(server.requests).to.deep.equal([]);
  });

  it('checks nothing when it has no authority', async () => {
    answer(200, 'ok');
    expect(await ask(undefined)).to.have.property('ok', true);
  });

  it('tells what is not ready', async () => {
    answer(500, '[-]etcd failed');
    expect(await ask(authority)).to.deep.equal({ ok: false, detail: '500 [-]etcd failed' });
  });

  it('tells why there was no answer, and asks again all the same', async () => {
    server.troubles.push(reset);
    expect(await ask(authority)).to.have.property('ok', false);
    answer(200, 'ok');
    expect(await ask(authority)).to.have.property('ok', true);
    await server.stop();
    expect((await ask(authority)).detail).to.match(/ECONNREFUSED|closed|reset/);
  });

  it('asks over one connection', async () => {
    for (let i = 0; i < 5; i++) {
      answer(200, 'ok');
      await ask(authority);
    }
    expect(server.connections).to.be.at.most(2);
  });
});
