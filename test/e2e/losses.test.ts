import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
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

describe('losing a part of the cluster in the middle of a run', function () {
  this.timeout(180_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
  });
  afterEach(() => home.remove());

  /** Starts a run and kills one of its processes during the hold step. */
  async function runAndKill(component: string): Promise<SimProcess> {
    const sim = home.start(['run', '-', '--output', home.output], {}, SCENARIO);
    await sim.says(/hold: 5 → 5 nodes/);
    const [runId = ''] = await home.recorded();
    const processes = await processesOf(runId);
    const victim = processes.find(({ command }) =>
      command.split(' ')[0]?.endsWith(`/${component}`),
    );
    if (!victim)
      throw new Error(`no ${component} among ${processes.map((p) => p.command).join('\n')}`);
    process.kill(victim.pid, 'SIGKILL');
    return sim;
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
});
