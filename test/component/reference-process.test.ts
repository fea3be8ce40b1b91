import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { realHost } from '../../src/sim/host/real-host.ts';
import type { ChildHandle } from '../../src/sim/host/processes.ts';
import { eventually } from '../helpers/eventually.ts';
import { FakeApiServer, type Trouble } from '../helpers/fake-apiserver.ts';
import { refuse, silence } from '../helpers/fake-troubles.ts';
import { temporaryDirectory, writeKubeconfig } from '../helpers/kubeconfig.ts';
import { ReferenceWorld } from '../helpers/reference-world.ts';
import { processesOf } from '../helpers/run-processes.ts';
import { ROOT } from '../helpers/sim-process.ts';
import { bundleStub } from '../helpers/stub-program.ts';

const host = realHost(ROOT);

describe('the process of the reference controller', function () {
  this.timeout(30_000);
  let bundle: Awaited<ReturnType<typeof bundleStub>>;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let logFile: string;
  let runId: string;
  const stops: (() => Promise<void>)[] = [];

  before(async () => {
    bundle = await bundleStub('controller');
  });
  after(() => bundle.remove());
  beforeEach(async () => {
    directory = await temporaryDirectory();
    logFile = join(directory.path, 'log');
    runId = `test-${host.randomId()}`;
  });
  afterEach(async () => {
    for (const { pid } of await processesOf(runId)) host.processes.signal(pid, 'SIGKILL');
    for (const stop of stops.splice(0)) await stop();
    await directory.remove();
  });

  const startWorld = async (numbers: readonly number[]): Promise<ReferenceWorld> => {
    const world = await ReferenceWorld.start();
    stops.push(() => world.stop());
    await world.addNodes(numbers);
    return world;
  };
  /** A server that meets the six lists of a start with troubles. */
  const startServer = async (trouble: Trouble): Promise<FakeApiServer> => {
    const server = await FakeApiServer.start();
    stops.push(() => server.stop());
    server.troubles.push(...Array.from({ length: 6 }, () => trouble));
    return server;
  };

  const start = (...args: readonly string[]): Promise<ChildHandle> => {
    const env = { PATH: process.env['PATH'], SIM_RUN_ID: runId };
    return host.processes.spawn(process.execPath, [...bundle.program, ...args], { env, logFile });
  };
  const startAt = async (url: string, ...args: readonly string[]): Promise<ChildHandle> =>
    start('--kubeconfig', await writeKubeconfig(directory.path, { server: url }), ...args);
  const log = (): Promise<string> => readFile(logFile, 'utf8');
  const says = async (pattern: RegExp): Promise<void> => {
    let text = '';
    const reading = setInterval(() => {
      void log().then((now) => (text = now));
    }, 20);
    try {
      await eventually(`the log to say ${String(pattern)}`, () => pattern.test(text));
    } finally {
      clearInterval(reading);
    }
  };

  it('says that it is ready, serves nodes, and ends when it is asked to', async () => {
    const world = await startWorld([1, 2]);
    const port = String(world.fleet.loopback.port);
    const child = await startAt(world.server.url, '--daemon-port', port);
    await says(/^\d{4}-\d\d-\d\dT\S+Z ready$/m);
    await world.served([1, 2]);
    host.processes.signal(child.pid, 'SIGTERM');
    expect(await child.exited).to.deep.equal({ exitCode: 0, signal: undefined });
  });

  it('says where its metrics are, which tell what it has done', async () => {
    const world = await startWorld([1, 2]);
    const port = String(world.fleet.loopback.port);
    await startAt(world.server.url, '--daemon-port', port, '--metrics-port', '0');
    await says(/ ready$/m);
    await world.served([1, 2]);
    const [, url = ''] = / metrics of process \d+: (http:\S+)\n.* ready$/m.exec(await log()) ?? [];
    const text = await (await fetch(url)).text();
    expect(text).to.match(/^workqueue_depth{name="pools"} 0$/m);
    expect(text).to.match(/^workqueue_adds_total{name="discovery"} 2$/m);
    expect(text).to.match(
      /^controller_runtime_reconcile_total{controller="pools",result="success"} 2$/m,
    );
    expect(text).to.match(/^rest_client_requests_total{code="201",method="POST"} 5$/m);
    expect((await fetch(url.replace('metrics', 'other'))).status).to.equal(404);
  });

  it('ends with the reason when the port for its metrics is taken', async () => {
    const world = await startWorld([]);
    const taken = new URL(world.server.url).port;
    const child = await startAt(world.server.url, '--metrics-port', taken);
    expect((await child.exited).exitCode).to.equal(1);
    expect(await log()).to.match(/^controller: listen EADDRINUSE/);
  });

  it('is the mutant that it is told to be, under the seed that it is told', async () => {
    const world = await startWorld([1, 2, 3]);
    const port = String(world.fleet.loopback.port);
    const args = ['--daemon-port', port, '--mutant', 'node-forgotten', '--seed', '4'];
    await startAt(world.server.url, ...args);
    await world.served([1, 2]); // seed 4 is that of sim-3
    expect(world.hostInterfaces()).to.include('sim-3');
  });

  it('ends with 1 where its mutant crashes', async () => {
    const world = await startWorld([1, 2]);
    const port = String(world.fleet.loopback.port);
    const args = ['--daemon-port', port, '--mutant', 'crash-at-a-node', '--seed', '0'];
    const child = await startAt(world.server.url, ...args);
    expect(await child.exited).to.deep.equal({ exitCode: 1, signal: undefined });
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`ends at ${signal} although the API server has not answered yet`, async () => {
      const server = await startServer(silence);
      const child = await startAt(server.url);
      await eventually('its questions', () => server.requests.length === 6);
      host.processes.signal(child.pid, signal);
      expect(await child.exited).to.deep.equal({ exitCode: 0, signal: undefined });
      expect(await log()).to.equal('');
    });

  it('ends with the reason when it may not read what it needs', async () => {
    const server = await startServer(refuse(403, 'Forbidden'));
    const child = await startAt(server.url);
    expect((await child.exited).exitCode).to.equal(1);
    expect(await log()).to.match(/^controller: GET \S+: 403 Forbidden/);
  });

  it('shows its usage when it is started in a wrong way', async () => {
    const child = await start('--kubeconfig', 'k', '--mutant', 'x');
    expect((await child.exited).exitCode).to.equal(2);
    expect(await log()).to.match(
      /^controller: unknown mutant x, expected one of .*\nusage: controller --kubeconfig FILE/,
    );
  });

  it('ends with the reason when there is no such kubeconfig', async () => {
    const child = await start('--kubeconfig', '/no/such/file');
    expect((await child.exited).exitCode).to.equal(1);
    expect(await log()).to.match(/^controller: cannot use the kubeconfig \/no\/such\/file: /);
  });
});
