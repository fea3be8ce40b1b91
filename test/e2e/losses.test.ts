import { readFile, rm } from 'node:fs/promises';
import { expect } from 'chai';
import { waitFor } from '../../src/sim/base/wait.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { parseHistoryLine } from '../../src/sim/model/history.ts';
import { processesOf } from '../helpers/run-processes.ts';
import { SimHome, type SimProcess } from '../helpers/sim-process.ts';

const SCENARIO = `
name: losses
operator: { profile: node-ipam }
networks: [{ name: pods, range: 10.244.0.0/16, nodeMask: 24 }]
settle: 1s
steps:
  - scale: { to: 5 }
  - hold: { for: 60s }
  - scale: { to: 0 }
`;

const MULTI_NIC = `
name: losses
operator: { profile: multi-nic }
networks: [{ name: sample, subnet: 10.64.0.0/10, hostBlock: 10, interfaceBlock: 2 }]
settle: 1s
steps: [{ scale: { to: 500 } }]
`;

describe('losing a part of the cluster in the middle of a run', function () {
  this.timeout(180_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
  });
  afterEach(() => home.remove());

  /** Starts a run and kills one of its processes, by default during the hold step. */
  async function runAndKill(
    component: string,
    moment = /hold: 5 → 5 nodes/,
    scenario = SCENARIO,
  ): Promise<SimProcess> {
    const sim = home.start(['run', '-', '--output', home.output], {}, scenario);
    await sim.says(moment);
    await killPart(component);
    return sim;
  }

  async function killPart(component: string): Promise<void> {
    const [runId = ''] = await home.recorded();
    const processes = await processesOf(runId);
    const victim = processes.find(({ command }) =>
      command
        .split(' ')
        .slice(0, 2)
        .some((word) => word.endsWith(`/${component}`)),
    );
    if (!victim)
      throw new Error(`no ${component} among ${processes.map((p) => p.command).join('\n')}`);
    process.kill(victim.pid, 'SIGKILL');
  }

  it('the API server: exit code 3, a partial report, and the end of its log', async () => {
    const { code, stdout, stderr } = await (await runAndKill('kube-apiserver')).ended;
    expect(code, stdout + stderr).to.equal(3);
    expect(stderr).to.match(/SIM_CLUSTER_LOST kube-apiserver \(pid \d+\) of the cluster has ended/);
    const report = await home.report();
    expect(report.verdict).to.equal('error');
    expect(report.steps.map(({ status }) => status)).to.deep.equal([
      'converged',
      'failed',
      'skipped',
    ]);
    expect(report.steps[0]?.milestones['cidr']?.count).to.equal(5);
    expect(await home.leftovers()).to.deep.equal([]);
  });

  it('the controller: exit code 1 by INV012, and the steps after it are skipped', async () => {
    const { code, stdout, stderr } = await (await runAndKill('kube-controller-manager')).ended;
    expect(code, stdout + stderr).to.equal(1);
    const report = await home.report();
    expect(report.verdict).to.equal('fail');
    expect(
      report.invariants.find(({ code: invariant }) => invariant === 'INV012')?.status,
    ).to.equal('broken');
    expect(report.steps.map(({ status }) => status)).to.deep.equal([
      'converged',
      'failed',
      'skipped',
    ]);
    const again = await home.run(['judge', home.output]);
    expect(again.code).to.equal(1);
  });

  it('leaves a recording of which every line can be read', async () => {
    await (
      await runAndKill('etcd')
    ).ended;
    const lines = (await readFile(`${home.output}/history.jsonl`, 'utf8')).trimEnd().split('\n');
    const entries = lines.map((line) => parseHistoryLine(line));
    expect(entries.at(-1)).to.have.nested.property('known.kind', 'end');
    expect(entries.every((entry) => 'known' in entry)).to.equal(true);
  });

  it('before the controller is ready: it is named at once', async () => {
    const more = ['--controller', 'sleep', '--set', 'operator.controller.readiness={log: never}'];
    const sim = home.start(
      ['run', '-', '--output', home.output, ...more, '--', '120'],
      {},
      MULTI_NIC,
    );
    await sim.says(/cluster ready/);
    await waitFor({
      what: 'the controller to be started',
      clock: realClock,
      timeoutMs: 20_000,
      intervalMs: 20,
      probe: async () => {
        const [runId = ''] = await home.recorded();
        return (await processesOf(runId)).find(({ command }) => command === 'sleep 120');
      },
    });
    const killedAt = Date.now();
    await killPart('etcd');
    const { code, stderr } = await sim.ended;
    expect(Date.now() - killedAt).to.be.below(6000);
    expect(code, stderr).to.equal(3);
    expect(stderr).to.match(/SIM_CLUSTER_LOST etcd \(pid \d+\) of the cluster has ended/);
    expect(await home.leftovers()).to.deep.equal([]);
  });

  it('the fleet while it is called: it is named, with its pid and what to look at', async () => {
    const sim = await runAndKill('fleet.js', /scale-500: 0 → 500 nodes/, MULTI_NIC);
    const { code, stderr } = await sim.ended;
    expect(code, stderr).to.equal(3);
    expect(stderr).to.match(/SIM_CLUSTER_LOST fleet \(pid \d+\) of the cluster has ended/);
    expect(stderr).to.match(/ {2}hint: /);
  });

  it('the run directory: the headline agrees with the exit code, and the cluster is kept', async () => {
    const args = ['run', '-', '--output', home.output, '--retain-on-failure'];
    const sim = home.start(
      [...args, '--set', 'steps=[{scale: {to: 5}}, {hold: {for: 3s}}]'],
      {},
      SCENARIO,
    );
    await sim.says(/hold: 5 → 5 nodes/);
    await rm(home.output, { recursive: true });
    const { code, stdout, stderr } = await sim.ended;
    expect(code, stdout + stderr).to.equal(3);
    expect(stdout).to.match(/^losses: ERROR after /m);
    expect(stdout).not.to.include('report: ');
    expect(stdout).to.include('the cluster was kept');
    expect(stderr).to.match(/^SIM_RECORDING_WRITE .*\n( {2}.*\n)* {2}hint: nothing may remove/m);
    expect((await home.run(['clean'])).code).to.equal(0);
    expect(await home.leftovers()).to.deep.equal([]);
  });
});
