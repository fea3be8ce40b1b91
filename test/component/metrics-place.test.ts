import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { metricsPlace } from '../../src/sim/controllers/metrics-place.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import type { ControllerMetricsSpec } from '../../src/sim/model/controller-spec.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { ROOT } from '../helpers/sim-process.ts';

const host = realHost(ROOT);
const URL = 'http://127.0.0.1:8080/metrics';

describe('the place of the metrics of a controller', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let logFile: string;
  let own: { readonly pid: number } | undefined;
  beforeEach(async () => {
    directory = await temporaryDirectory();
    logFile = join(directory.path, 'log');
    own = host.processes.own;
  });
  afterEach(() => directory.remove());

  const place = (reference: boolean, metrics?: ControllerMetricsSpec) =>
    metricsPlace(
      host,
      {
        description: { reference },
        process: () => own,
      },
      { metrics, logFile },
    );
  const tell = (pid: number, port: number): Promise<void> =>
    appendFile(
      logFile,
      `12:00 started\n12:00 metrics of process ${pid}: http://127.0.0.1:${port}/metrics\n12:01 ready\n`,
    );

  it('is what the scenario says, as long as the controller is not down on purpose', async () => {
    const where = place(false, { url: URL })!;
    expect(await where()).to.equal(URL);
    own = undefined;
    expect(await where()).to.equal(undefined);
  });

  it('is none where nobody has said it, and where nobody shall ask', () => {
    expect(place(false)).to.equal(undefined);
    expect(place(false, false)).to.equal(undefined);
    expect(place(true, false)).to.equal(undefined);
  });

  it('is what the process of the reference controller says in its log, once it does', async () => {
    const where = place(true)!;
    expect(await where()).to.equal(undefined);
    await tell(host.processes.own.pid, 4001);
    expect(await where()).to.equal('http://127.0.0.1:4001/metrics');
  });

  it('is another one for another process, and never that of the one before', async () => {
    const where = place(true)!;
    const { pid } = host.processes.own;
    await tell(pid, 4001);
    await where();
    own = { pid: pid + 1 };
    expect(await where()).to.equal(undefined);
    await tell(pid + 1, 4002);
    expect(await where()).to.equal('http://127.0.0.1:4002/metrics');
    own = undefined;
    expect(await where()).to.equal(undefined);
  });
});
