import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { realNetwork } from '../../src/sim/host/network.ts';
import type { RunReport } from '../../src/sim/model/run-report.ts';
import { processesOf } from '../helpers/run-processes.ts';
import { SimHome, type Ended } from '../helpers/sim-process.ts';

describe('sim run scenarios/2-nodes.yaml', function () {
  this.timeout(180_000);
  let home: SimHome;
  let ended: Ended;
  let report: RunReport;
  const listening: { readonly command: string; readonly address: string }[] = [];
  const modes: Record<string, number> = {};

  before(async () => {
    home = await SimHome.make();
    const sim = home.start(['run', '2-nodes', '--output', home.output, '--set', 'settle=1s']);
    const kubeconfig = await sim.kubeconfig();
    const [runId = ''] = await home.recorded();
    for (const { pid, command } of await processesOf(runId))
      for (const { address } of await realNetwork.listenersOf(pid))
        listening.push({ command, address });
    for (const path of [kubeconfig, join(dirname(kubeconfig), 'pki', 'admin.key')])
      modes[path] = (await stat(path)).mode & 0o777;
    ended = await sim.ended;
    report = await home.report();
  });
  after(() => home.remove());

  it('passes', () => {
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    expect(report.verdict).to.equal('pass');
    expect(report.exitCode).to.equal(0);
  });

  it('reports when each node had its CIDR, from the first action and from its own creation', () => {
    const cidr = report.steps[0]?.milestones['cidr'];
    expect(cidr?.count).to.equal(2);
    expect(cidr?.nodes.map(({ node }) => node)).to.deep.equal(['sim-1', 'sim-2']);
    for (const { heldMs, sinceCreateMs } of cidr?.nodes ?? []) {
      expect(heldMs).to.be.a('number').greaterThan(0);
      expect(sinceCreateMs)
        .to.be.a('number')
        .greaterThan(0)
        .at.most(heldMs ?? 0);
    }
    expect(cidr?.maxMs).to.equal(cidr?.allMs);
  });

  it('says what was under test, where, and at what cost', () => {
    expect(report.controller?.kind).to.equal('cluster');
    expect(report.controller?.identity).to.equal('kwok-admin');
    expect(report.controller?.flowSchema).to.equal('exempt');
    expect(report.runtime).to.deep.equal({ name: 'kwokctl', preset: 'realistic' });
    expect(report.versions).to.include.keys('sim', 'kubernetes', 'etcd', 'kwok');
    const creations = report.steps[0]?.api?.rows.filter(
      ({ verb, resource }) => verb === 'create' && resource === 'nodes',
    );
    expect(creations?.map(({ userAgent, requests }) => ({ userAgent, requests }))).to.deep.equal([
      { userAgent: 'cni-sim', requests: 2 },
    ]);
    expect(report.usage).to.include.keys('sim', 'controller', 'etcd', 'kube-apiserver');
  });

  it('judges its own recording to the same report', async () => {
    const again = await home.run(['judge', home.output, '--json']);
    expect(again.code).to.equal(0);
    expect(JSON.parse(again.stdout)).to.deep.equal(report);
  });

  it('listens on loopback only', () => {
    expect(
      listening.map(({ command }) => command.split(' ')[0]?.split('/').pop()),
    ).to.include.members([
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kwok-controller',
    ]);
    expect(listening.filter(({ address }) => !address.startsWith('127.'))).to.deep.equal([]);
  });

  it('keeps credentials to their owner, and out of the reports', async () => {
    for (const [path, mode] of Object.entries(modes)) expect(mode, path).to.equal(0o600);
    for (const name of ['history.jsonl', 'report.json', 'summary.md', 'plan.json']) {
      const text = await readFile(join(home.output, name), 'utf8');
      expect(text, name).not.to.match(/BEGIN|client-key|token/);
    }
  });

  it('leaves no process, no directory and no lock', async () => {
    expect(await processesOf(report.run.id)).to.deep.equal([]);
    expect(await home.leftovers()).to.deep.equal([]);
  });

  it('uses the directory of an earlier run again, but no other that is not empty', async () => {
    const refused = await home.run(['run', '2-nodes', '--output', home.stateHome]);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.match(/^SIM_OUTPUT .*is not empty/m);
  });
});
