import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimError } from '../../src/sim/base/errors.ts';
import type { Fleet } from '../../src/sim/fleet/fleet.ts';
import { startFleet, type FleetSettings } from '../../src/sim/fleet/start-fleet.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import type { CallRecord } from '../../src/stubs/daemon/contract.ts';
import { FakeIpPools } from '../helpers/fake-ip-pools.ts';
import { temporaryDirectory, writeKubeconfig } from '../helpers/kubeconfig.ts';
import { processesOf } from '../helpers/run-processes.ts';
import { ROOT } from '../helpers/sim-process.ts';
import { bundleStub } from '../helpers/stub-program.ts';
import { Loopback, nic } from '../helpers/test-fleet.ts';

const host = realHost(ROOT);

const failureOf = async (work: Promise<unknown>): Promise<SimError> => {
  const error = await work.then(
    () => expect.fail('it should have failed'),
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(SimError);
  return error as SimError;
};

describe('the process of a fleet', function () {
  this.timeout(30_000);
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let loopback: Loopback;
  let settings: FleetSettings;
  let fleet: Fleet | undefined;
  let bundle: Awaited<ReturnType<typeof bundleStub>>;

  before(async () => {
    bundle = await bundleStub('fleet');
  });
  after(() => bundle.remove());

  beforeEach(async () => {
    directory = await temporaryDirectory();
    loopback = new Loopback();
    fleet = undefined;
    settings = {
      runId: `test-${host.randomId()}`,
      socketPath: join(directory.path, 'fleet.sock'),
      kubeconfigPath: await writeKubeconfig(directory.path, { server: 'http://127.0.0.1:9' }),
      port: loopback.port,
      logFile: join(directory.path, 'fleet.log'),
      signal: new AbortController().signal,
      program: bundle.program,
    };
  });
  afterEach(async () => {
    await fleet?.stop();
    expect(await processesOf(settings.runId)).to.deep.equal([]);
    await directory.remove();
  });

  const start = async (more: Partial<FleetSettings> = {}): Promise<Fleet> =>
    (fleet = await startFleet(host, { ...settings, ...more }));

  it('is started, takes orders, answers for its nodes, and is ended with its socket', async () => {
    const cluster = await FakeIpPools.start();
    cluster.put({ host: 'sim-1', nic: 'eth1', podCIDR: '192.168.0.0/26' });
    const kubeconfigPath = await writeKubeconfig(directory.path, { server: cluster.url });
    const running = await start({ kubeconfigPath });
    await running.putNodes([loopback.node(1), loopback.node(2)]);
    const calls: CallRecord[] = [];
    running.calls({ onCall: (call) => calls.push(call), onHole: () => expect.fail('a hole') });
    const response = await fetch(`${loopback.url(1)}/allocate`, {
      method: 'POST',
      body: JSON.stringify({ pod: 'p', namespace: 'n', def: 'net', masters: ['eth1'] }),
    });
    expect(await response.json()).to.deep.equal([
      { interface: 'eth1', ip: '192.168.0.1', block: '18' },
    ]);
    await running.putInterfaces('sim-2', [nic('eth9', 2)]);
    expect((await running.node('sim-2'))?.interfaces).to.deep.equal([nic('eth9', 2)]);
    await running.deleteNodes(['sim-2', 'sim-3']);
    expect(await running.node('sim-2')).to.equal(undefined);
    await running.caughtUp();
    expect(calls.map(({ node, path, status }) => ({ node, path, status }))).to.deep.equal([
      { node: 'sim-1', path: '/allocate', status: 200 },
    ]);
    expect(running.process().command).to.include('fleet.mjs --socket');
    expect((await stat(settings.socketPath)).mode & 0o777).to.equal(0o600);
    await running.stop();
    expect(await running.exited).to.deep.equal({ exitCode: 0, signal: undefined });
    expect(await stat(settings.socketPath).catch(() => 'gone')).to.equal('gone');
    await cluster.stop();
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`ends at ${signal}, takes its socket away, and gives readers the last calls`, async () => {
      const running = await start();
      await running.putNodes([loopback.node(1)]);
      const calls: CallRecord[] = [];
      running.calls({ onCall: (call) => calls.push(call), onHole: () => undefined });
      await (await fetch(`${loopback.url(1)}/interface`)).text();
      host.processes.signal(running.process().pid, signal);
      expect(await running.exited).to.deep.equal({ exitCode: 0, signal: undefined });
      expect(await stat(settings.socketPath).catch(() => 'gone')).to.equal('gone');
      expect(calls.map(({ path }) => path)).to.deep.equal(['/interface']);
      expect(await readFile(settings.logFile, 'utf8')).to.equal(`ready ${settings.socketPath}\n`);
    });

  it('takes away the socket that a dead fleet has left', async () => {
    const first = await start();
    host.processes.signal(first.process().pid, 'SIGKILL');
    await first.exited;
    expect((await stat(settings.socketPath)).isSocket()).to.equal(true);
    const second = await start();
    expect((await second.health()).daemons).to.equal(0);
    await first.stop();
  });

  it('does not take the socket of a living one', async () => {
    await start();
    const error = await failureOf(startFleet(host, settings));
    expect(error).to.include({
      code: 'SIM_CLUSTER_START',
      message: 'the daemon fleet did not come up: it exited with code 1',
    });
    expect(error.details.at(-1)).to.equal(`fleet: another fleet listens on ${settings.socketPath}`);
    expect((await fleet?.health())?.ok).to.equal(true);
  });

  it('does not take the place of a file', async () => {
    await writeFile(settings.socketPath, 'precious');
    const { details } = await failureOf(startFleet(host, settings));
    expect(details).to.deep.equal([
      `fleet: ${settings.socketPath} is there already, and is no socket`,
    ]);
    expect(await readFile(settings.socketPath, 'utf8')).to.equal('precious');
  });

  it('says that a socket path is too long', async () => {
    const socketPath = join(directory.path, 'x'.repeat(100));
    const { details } = await failureOf(startFleet(host, { ...settings, socketPath }));
    const bytes = socketPath.length;
    expect(details).to.deep.equal([
      `fleet: the socket path ${socketPath} has ${bytes} bytes, and at most 100 fit`,
    ]);
  });

  it('says that a kubeconfig cannot be used', async () => {
    const kubeconfigPath = join(directory.path, 'none');
    const { details } = await failureOf(startFleet(host, { ...settings, kubeconfigPath }));
    expect(details[0]).to.match(/^fleet: cannot use the kubeconfig .*none: .*ENOENT/);
  });

  it('says how it is used when its arguments are wrong', async () => {
    const { details } = await failureOf(startFleet(host, { ...settings, port: 70_000 }));
    expect(details).to.deep.equal([
      'fleet: --port 70000 is no port',
      'usage: fleet --socket PATH --port PORT [--kubeconfig FILE] [--seed N] [--mutant NAME]',
    ]);
  });

  it('is not left behind when the start is interrupted', async () => {
    const stop = new AbortController();
    const why = new Error('interrupted');
    const work = startFleet(host, { ...settings, signal: stop.signal });
    setTimeout(() => {
      stop.abort(why);
    }, 100);
    expect(await work.catch((reason: unknown) => reason)).to.equal(why);
  });

  it('that stops answering is ended by force', async () => {
    const running = await start();
    host.processes.signal(running.process().pid, 'SIGSTOP');
    await running.stop();
    expect(await running.exited).to.deep.equal({ exitCode: undefined, signal: 'SIGKILL' });
  });

  it('that is gone is told by every order', async () => {
    const running = await start();
    host.processes.signal(running.process().pid, 'SIGKILL');
    await running.exited;
    const error = await failureOf(running.putNodes([loopback.node(1)]));
    expect(error.code).to.equal('SIM_CLUSTER_LOST');
    expect(error.message).to.match(
      /^the daemon fleet does not answer PUT \/nodes on .*fleet\.sock: .+/,
    );
  });

  it('names the node, the address and the port that it cannot have', async () => {
    const running = await start();
    const other = createServer().listen({ host: '0.0.0.0', port: loopback.port });
    await once(other, 'listening');
    const error = await failureOf(running.putNodes([loopback.node(1), loopback.node(2)]));
    other.close();
    expect(error.code).to.equal('SIM_ADDRESSES');
    const place = (index: number) => `${loopback.address(index)}:${loopback.port} for sim-${index}`;
    expect(error.message).to.include(`the daemon fleet cannot listen on ${place(1)}: `);
    expect(error.message).to.match(
      new RegExp(`\\(pid ${process.pid}\\) listens on port ${loopback.port} of all addresses`),
    );
    expect(error.details[0]).to.include(place(2));
    expect(error.hint).to.include(`ss -ltnp 'sport = :${loopback.port}'`);
  });

  it('runs from its sources, too', async () => {
    const program = ['--import', 'tsx/esm', join(ROOT, 'src/stubs/fleet/main.ts')];
    expect((await (await start({ program })).health()).port).to.equal(loopback.port);
  });

  it('keeps what it writes from other users', async () => {
    await chmod(directory.path, 0o755);
    await start();
    for (const path of [settings.logFile, settings.socketPath])
      expect((await stat(path)).mode & 0o077).to.equal(0);
  });
});
