import { expect } from 'chai';
import type { RunReport } from '../../src/sim/model/run-report.ts';
import { processesOf } from '../helpers/run-processes.ts';
import { SimHome, type Ended } from '../helpers/sim-process.ts';

const MILESTONES = ['daemon', 'interfaces', 'cidr', 'pools', 'routes'];

describe('sim run scenarios/10-nodes.yaml', function () {
  this.timeout(180_000);
  let home: SimHome;
  let ended: Ended;
  let report: RunReport;
  before(async () => {
    home = await SimHome.make();
    ended = await home.run(['run', '10-nodes', '--output', home.output, '--set', 'settle=1s']);
    report = await home.report();
  });
  after(() => home.remove());

  it('passes with the reference controller, and says that it was that one', () => {
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    expect(report.controller).to.include({
      kind: 'reference',
      reference: true,
      identity: 'system:serviceaccount:multi-nic-cni-operator:sim-controller',
      flowSchema: 'service-accounts',
    });
    expect(ended.stdout.split('\n').slice(0, 4).join('\n')).to.include('the reference controller');
  });

  it('times every node on its way from the daemon to the routes', () => {
    const milestones = report.steps[0]?.milestones ?? {};
    expect(Object.keys(milestones)).to.include.members(MILESTONES);
    for (const name of MILESTONES)
      expect(milestones[name], name).to.deep.include({ count: 10, missing: [] });
    const max = MILESTONES.slice(1).map((name) => milestones[name]?.maxMs ?? NaN);
    expect(max[0]).to.be.greaterThan(0);
    expect(max[3]).to.be.at.least(max[1] ?? NaN);
  });

  it('ends with all counters of the operator at the number of nodes', () => {
    const counters = (step: number) =>
      Object.values(report.steps[step]?.counters['multi-nic-sample'] ?? {}).map(
        ({ final }) => final,
      );
    expect(counters(0)).to.deep.equal([10, 10, 10]);
    expect(counters(1)).to.deep.equal([0, 0, 0]);
  });

  it('tells what the controller said of itself, which agrees with what the API server saw', () => {
    const { controllerMetrics: up, api } = report.steps[0] ?? {};
    expect(up?.maxQueueDepth).to.be.at.least(0);
    expect(up?.reconciles).to.be.at.least(10 * MILESTONES.length);
    const seen = (api?.rows ?? [])
      .filter(({ userAgent }) => userAgent === 'sim-reference-controller')
      .reduce((sum, { requests }) => sum + requests, 0);
    // The step as the controller tells it begins and ends a little earlier and later.
    expect(up?.requests).to.be.within(seen - 10, seen + 10);
  });

  it('checks what it claims: each guarantee looked at something, or says why not', () => {
    const looked = Object.fromEntries(
      report.invariants.map(({ code, status, checked }) => [code, { status, checked }]),
    );
    expect(looked['INV002']).to.deep.equal({ status: 'held', checked: 30 });
    expect(looked['INV005']).to.deep.equal({ status: 'held', checked: 60 });
    expect(looked['INV010']).to.deep.equal({ status: 'held', checked: 10 });
    const idle = report.invariants.filter(({ status }) => status === 'not-applicable');
    expect(idle.map(({ code }) => code)).to.deep.equal(['INV001', 'INV008', 'INV009']);
    for (const { reason } of idle) expect(reason).to.be.a('string').not.empty;
  });

  it('judges its own recording to the same report', async () => {
    const again = await home.run(['judge', home.output, '--json']);
    expect(JSON.parse(again.stdout)).to.deep.equal(report);
  });

  it('leaves no process, no directory and no socket', async () => {
    expect(await processesOf(report.run.id)).to.deep.equal([]);
    expect(await home.leftovers()).to.deep.equal([]);
  });
});
