import { expect } from 'chai';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SimError } from '../../src/sim/base/errors.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { accessFromFile } from '../../src/sim/kube/access.ts';
import { KubeClient } from '../../src/sim/kube/client.ts';
import { temporaryDirectory, writeKubeconfig } from '../helpers/kubeconfig.ts';

const SERVER = 'https://127.0.0.1:6443';

describe('a kubeconfig', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

  before(async () => {
    directory = await temporaryDirectory();
  });
  after(() => directory.remove());

  const write = async (name: string, text: string): Promise<string> => {
    const path = join(directory.path, name);
    await writeFile(path, text);
    return path;
  };

  async function refusal(path: string): Promise<SimError> {
    try {
      await accessFromFile(path);
    } catch (error) {
      if (error instanceof SimError) return error;
      throw error;
    }
    return expect.fail('it should have been refused');
  }

  it('gives the address of the server, and the path in front of the API', async () => {
    const path = await writeKubeconfig(directory.path, {
      server: 'https://rancher.test:8443/k8s/clusters/c-1/',
    });
    const access = await accessFromFile(path);
    expect(access.origin).to.equal('https://rancher.test:8443');
    expect(access.basePath).to.equal('/k8s/clusters/c-1');
  });

  it('gives no credentials when it has none', async () => {
    const access = await accessFromFile(await writeKubeconfig(directory.path, { server: SERVER }));
    expect(await access.authHeaders()).to.deep.equal({});
    expect(access.basePath).to.equal('');
  });

  it('keeps the settings of the cluster when the context names no user', async () => {
    const cluster = {
      server: SERVER,
      'insecure-skip-tls-verify': true,
      'tls-server-name': 'kube.test',
    };
    const access = await accessFromFile(await writeKubeconfig(directory.path, cluster));
    expect(access.tls).to.include({ rejectUnauthorized: false, servername: 'kube.test' });
  });

  it('may point to a plain HTTP server, such as that of kubectl proxy', async () => {
    const path = await writeKubeconfig(
      directory.path,
      { server: 'http://127.0.0.1:8001' },
      { token: 't' },
    );
    const access = await accessFromFile(path);
    expect(access.origin).to.equal('http://127.0.0.1:8001');
    expect(await access.authHeaders()).to.deep.equal({ Authorization: 'Bearer t' });
  });

  it('turns a user name and a password into basic authentication', async () => {
    const user = { username: 'me', password: 'secret' };
    const path = await writeKubeconfig(directory.path, { server: SERVER }, user);
    const { Authorization } = await (await accessFromFile(path)).authHeaders();
    expect(Authorization).to.equal(`Basic ${Buffer.from('me:secret').toString('base64')}`);
  });

  it('finds certificates beside itself when their paths are relative', async () => {
    await write('ca.crt', 'a certificate');
    const path = await writeKubeconfig(
      directory.path,
      { server: SERVER, 'certificate-authority': 'ca.crt' },
      { token: 't' },
    );
    const ca: unknown = Reflect.get((await accessFromFile(path)).tls, 'ca');
    expect(String(ca)).to.equal('a certificate');
  });

  describe('that cannot be used is refused with its path', () => {
    const rows: readonly (readonly [string, string, RegExp])[] = [
      ['is empty', '', /it is no kubeconfig/],
      ['is broken YAML', 'clusters: [', /unexpected end/],
      ['has clusters without a name', 'clusters: [{cluster: {server: x}}]', /name is missing/],
      ['has no current context', 'clusters: []', /has no current context/],
      [
        'names a context that is not there',
        'current-context: gone\ncontexts: []',
        /the current context gone .* names no cluster/,
      ],
      [
        'names a cluster that is not there',
        'current-context: a\ncontexts: [{name: a, context: {cluster: b}}]',
        /the current context a .* names no cluster/,
      ],
    ];
    for (const [title, text, reason] of rows)
      it(`when it ${title}`, async () => {
        const path = await write('bad.yaml', text);
        const error = await refusal(path);
        expect(error.code).to.equal('SIM_API');
        expect(error.message).to.include(`cannot use the kubeconfig ${path}: `).and.match(reason);
      });

    it('when it is not there', async () => {
      const path = join(directory.path, 'missing.yaml');
      expect((await refusal(path)).message)
        .to.include(path)
        .and.match(/no such file/);
    });

    it('when it is a directory', async () => {
      expect((await refusal(directory.path)).message).to.include(directory.path);
    });

    for (const server of ['127.0.0.1:6443', 'localhost:6443', 'https://:6443', 'ftp://127.0.0.1'])
      it(`when its server is ${server}`, async () => {
        const path = await writeKubeconfig(directory.path, { server });
        const error = await refusal(path);
        expect(error.message).to.include(path).and.include(`the server ${server}`);
        expect(error.hint).to.match(/https:\/\//);
      });

    it('when a certificate that it names is missing', async () => {
      const user = { 'client-certificate': 'missing.crt', 'client-key': 'missing.key' };
      const path = await writeKubeconfig(directory.path, { server: SERVER }, user);
      expect((await refusal(path)).message)
        .to.include(path)
        .and.match(/missing\.crt/);
    });

    it('when its exec plugin does not exist or fails', async () => {
      for (const command of ['/no/such/plugin', 'false']) {
        const exec = { apiVersion: 'client.authentication.k8s.io/v1', command };
        const path = await writeKubeconfig(directory.path, { server: SERVER }, { exec });
        expect((await refusal(path)).message)
          .to.include(path)
          .and.match(/cannot authenticate/);
      }
    });
  });

  for (const proxy of ['socks5://me:secret@127.0.0.1:1080', 'http:', '127.0.0.1:3128'])
    it(`with the proxy ${proxy} is refused with what sim can do instead`, async () => {
      const path = await writeKubeconfig(directory.path, { server: SERVER, 'proxy-url': proxy });
      const options = { clock: realClock, userAgent: 'cni-sim/test' };
      const error: unknown = await KubeClient.fromFile(path, options).catch((e: unknown) => e);
      expect(error).to.be.instanceOf(SimError).with.property('code', 'SIM_API');
      expect(error)
        .to.have.property('message')
        .that.matches(/is not an HTTP proxy/);
      expect(error).to.have.property('message').that.does.not.include('secret');
      expect(error)
        .to.have.property('hint')
        .that.matches(/http:\/\/ or https:\/\//);
    });
});
