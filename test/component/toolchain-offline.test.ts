import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import type { ProgramName } from '../../src/sim/toolchain/program.ts';
import { ensureToolchain, type ToolchainOptions } from '../../src/sim/toolchain/toolchain.ts';
import { Sandbox } from '../helpers/toolchain-sandbox.ts';

describe('the download of programs without a network', () => {
  let sandbox: Sandbox;
  /** Takes connections and says nothing, as a firewall that swallows packets. */
  let wall: Server;
  let sockets: Socket[];
  let answer: string | undefined;

  beforeEach(async () => {
    sandbox = await Sandbox.make();
    sockets = [];
    answer = undefined;
    wall = createServer((socket) => {
      socket.on('error', () => undefined);
      sockets.push(socket);
      socket.once('data', () => {
        if (answer !== undefined) socket.end(answer);
      });
    });
    await new Promise<void>((resolve) => wall.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    if (wall.listening) await new Promise((resolve) => wall.close(resolve));
    await sandbox.remove();
  });

  const port = (): number => (wall.address() as AddressInfo).port;

  const refusal = (
    programs: readonly ProgramName[],
    env: Readonly<Record<string, string>>,
    timeouts: ToolchainOptions['timeouts'] = {},
  ): Promise<string> =>
    sandbox.refusal(
      ensureToolchain(sandbox.host({ SIM_TOOLCHAIN: 'download', ...env }), { programs, timeouts }),
    );

  async function closedPort(): Promise<string> {
    const url = `http://127.0.0.1:${port()}`;
    await new Promise((resolve) => wall.close(resolve));
    return url;
  }

  it('asks a host where nobody listens once, and tells it for all programs', async () => {
    const url = await closedPort();
    const programs = ['etcd', 'kube-apiserver', 'kube-scheduler'] as const;
    expect(await refusal(programs, { SIM_DOWNLOAD_MIRROR: url })).to.include(
      `etcd, kube-apiserver, kube-scheduler: download: cannot reach ${url}: connect ECONNREFUSED`,
    );
  });

  it('goes on to the build when it is not forced to download', async () => {
    await sandbox.addGo();
    const url = await closedPort();
    const programs = await ensureToolchain(sandbox.host({ SIM_DOWNLOAD_MIRROR: url }), {
      programs: ['etcd', 'kwok'],
      onProgress: sandbox.onProgress,
    });
    expect([...programs.values()].map(({ origin }) => origin)).to.deep.equal(['build', 'build']);
    expect(sandbox.said[0]).to.match(/^etcd: download: cannot reach .*: connect ECONNREFUSED/);
    expect(sandbox.said[1]).to.match(/^building etcd, kwok with go1\.26\.8/);
  });

  it('waits no longer for a connection than it should', async () => {
    const url = `https://127.0.0.1:${port()}`;
    const reasons = await refusal(
      ['kube-apiserver'],
      { SIM_DOWNLOAD_MIRROR: url },
      { connectMs: 200 },
    );
    expect(reasons).to.include(`cannot reach ${url}: no connection within 200ms`);
  });

  it('waits for an answer once, not once for each program', async () => {
    const url = `http://127.0.0.1:${port()}`;
    const programs = ['kube-apiserver', 'kube-scheduler'] as const;
    const reasons = await refusal(programs, { SIM_DOWNLOAD_MIRROR: url }, { headersMs: 200 });
    expect(reasons).to.include(
      `kube-apiserver, kube-scheduler: download: cannot reach ${url}: connected, but no answer within 200ms`,
    );
    expect(sockets).to.have.length(1);
  });

  it('waits no longer for a proxy that says nothing', async () => {
    const reasons = await refusal(
      ['kube-apiserver'],
      { HTTPS_PROXY: `http://127.0.0.1:${port()}` },
      { connectMs: 100, headersMs: 100 },
    );
    expect(reasons).to.include('cannot reach https://dl.k8s.io: the answer took longer than 300ms');
    expect(sockets).to.have.length(1);
  });

  it('goes through HTTPS_PROXY, and passes on what the proxy answers', async () => {
    answer = 'HTTP/1.1 403 Forbidden\r\n\r\n';
    const reasons = await refusal(['kube-apiserver'], {
      HTTPS_PROXY: `http://127.0.0.1:${port()}`,
    });
    expect(reasons).to.match(/cannot reach https:\/\/dl\.k8s\.io: .*403/);
  });

  it('says that a proxy variable makes no sense', async () => {
    expect(await refusal(['kube-apiserver'], { HTTPS_PROXY: 'not a URL' })).to.include(
      'HTTP_PROXY or HTTPS_PROXY cannot be used: Invalid URL',
    );
  });
});
