import { expect } from 'chai';
import { realHost } from '../../src/sim/host/real-host.ts';
import { whyNoCpuLimits } from '../helpers/cpu-limits.ts';
import { processesOf } from '../helpers/run-processes.ts';
import { ROOT, SimHome } from '../helpers/sim-process.ts';
import { skipBecause } from '../helpers/skip.ts';

const host = realHost(ROOT);
const scenarioWith = (operator: string, steps: string): string => `
name: limits
operator: { profile: multi-nic, controller: reference, ${operator} }
networks: [{ name: sample, subnet: 10.64.0.0/10, hostBlock: 10, interfaceBlock: 2 }]
settle: 1s
steps: [${steps}]
`;

describe('a controller that sim starts itself', function () {
  this.timeout(180_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
  });
  afterEach(() => home.remove());

  it('is held to a tenth of a processor, and the report says so', async function () {
    const reason = await whyNoCpuLimits(host);
    if (reason !== undefined) skipBecause(this, reason);
    const scenario = scenarioWith('limits: { cpu: 100m }', '{ scale: { to: 2 } }');
    const { code, stdout, stderr } = await home.run(
      ['run', '-', '--output', home.output],
      {},
      scenario,
    );
    expect(code, stdout + stderr).to.equal(0);
    const { controller, usage } = await home.report();
    expect(controller?.limits).to.deep.equal({ cpu: '100m', memory: null });
    const throttled = usage['controller']?.throttled;
    expect(throttled?.periods).to.be.greaterThan(0);
    expect(throttled?.throttledPeriods).to.be.greaterThan(0);
    expect(usage['etcd']?.throttled).to.equal(null);
    expect(stdout).to.match(/^controller under test: .*, limited to cpu 100m; kwokctl/m);
    expect(stdout).to.match(/^controller: throttled in \d+ of \d+ periods of 100 ms, for /m);
    expect(await home.leftovers()).to.deep.equal([]);
  });

  it('leaves its control group to `sim clean` when sim is killed', async function () {
    const reason = await whyNoCpuLimits(host);
    if (reason !== undefined) skipBecause(this, reason);
    const scenario = scenarioWith('limits: { cpu: "1" }', '{ hold: { for: 60s } }');
    const sim = home.start(['run', '-', '--output', home.output], {}, scenario);
    await sim.says(/controller ready/);
    const groups = await recordedGroups(home);
    expect(groups).to.have.length(1);
    sim.kill('SIGKILL');
    await sim.ended;
    expect((await home.run(['clean'])).code).to.equal(0);
    expect(await host.files.stat(groups[0]!)).to.equal(undefined);
    expect(await home.leftovers()).to.deep.equal([]);
  });

  it('is started again after a crash, and the steps go on, but INV012 is broken', async () => {
    const steps = '{ scale: { to: 2 } }, { hold: { for: 5s } }, { scale: { to: 4 } }';
    const scenario = scenarioWith('restartPolicy: Always', steps);
    const sim = home.start(['run', '-', '--output', home.output], {}, scenario);
    await sim.says(/hold: 2 → 2 nodes/);
    const [runId = ''] = await home.recorded();
    const controller = (await processesOf(runId)).find(({ command }) =>
      command.includes('/stubs/controller.js '),
    );
    process.kill(controller!.pid, 'SIGKILL');
    const { code, stdout, stderr } = await sim.ended;
    expect(code, stdout + stderr).to.equal(1);
    expect(stderr).to.include('the controller exited unasked; it is started again in 1.0s');
    const report = await home.report();
    expect(report.steps.map(({ status }) => status)).to.deep.equal(Array(3).fill('converged'));
    const broken = report.invariants.filter(({ status }) => status === 'broken');
    expect(broken.map(({ code: invariant }) => invariant)).to.deep.equal(['INV012']);
    expect(broken[0]?.findings.map(({ message }) => message).join()).to.match(
      /^the controller exited unasked at [\d.]+ s \(ended by SIGKILL\)$/,
    );
    expect(await home.leftovers()).to.deep.equal([]);
  });
});

/** The directories that the only run of the home has noted. */
async function recordedGroups(home: SimHome): Promise<readonly string[]> {
  const [id = ''] = await home.recorded();
  const text = await host.files.readText(`${home.stateHome}/sim/runs/${id}.json`);
  return (JSON.parse(text) as { readonly cgroups: readonly string[] }).cgroups;
}
