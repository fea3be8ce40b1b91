import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import type { RunReport } from '../../src/sim/model/run-report.ts';
import { ROOT, SimHome } from '../helpers/sim-process.ts';

const FOLDER = join(ROOT, 'scenarios', 'ci');
const NAMES = readdirSync(FOLDER).map((file) => basename(file, '.yaml'));

const status = ({ invariants }: RunReport, code: string): string | undefined =>
  invariants.find((one) => one.code === code)?.status;

const allocations = ({ steps }: RunReport, step: string) =>
  steps.find(({ name }) => name === step)?.allocations ?? [];

/** What a scenario must have shown, besides that nothing was broken. */
const SHOWN: Readonly<Record<string, (report: RunReport) => void>> = {
  allocate(report) {
    const [given] = allocations(report, 'allocate');
    expect(given).to.include({ requests: 50, complete: 50, addresses: 150 });
    expect(given?.p50Ms).to.be.a('number');
    expect(given?.p99Ms).to.be.a('number');
    const [taken] = allocations(report, 'deallocate');
    expect(taken).to.include({ requests: 50, addresses: 150 });
    for (const code of ['INV001', 'INV008', 'INV009'])
      expect(status(report, code), code).to.equal('held');
  },
  taint(report) {
    const [taken] = allocations(report, 'evict');
    expect(taken, 'what the evicted pod held').to.include({ requests: 1, addresses: 3 });
    expect(status(report, 'INV007')).to.equal('held');
    expect(status(report, 'INV008')).to.equal('held');
  },
  resilience(report) {
    expect(report.disturbances.map(({ what, nodes }) => [what, nodes])).to.deep.equal([
      ['restart of the controller with SIGKILL', null],
      ['restart of daemons', 'sim-1…sim-3'],
      ['restart of daemons', 'sim-3'],
      ['restart of kwok-controller with SIGTERM', null],
      ['restart of the controller with SIGKILL', null],
    ]);
    for (const { what, recoveryMs } of report.disturbances)
      expect(recoveryMs, what).to.be.a('number');
    expect(status(report, 'INV007')).to.equal('held');
  },
  'daemon-faults'(report) {
    for (const [i, what] of [
      'hang',
      'refuse',
      'error 500',
      'malformed',
      'empty',
      'reset',
    ].entries()) {
      const fault = report.disturbances[i];
      const node = `sim-${i + 3}`;
      expect(fault?.what).to.equal(what);
      expect(fault?.nodes).to.equal(node);
      expect(fault?.stalls.map((stall) => stall.node)).to.deep.equal([node]);
      expect(fault?.stalls[0]?.ms, `${what}: without progress`).to.be.greaterThan(0);
      expect(fault?.recoveryMs, `${what}: recovery`).to.be.greaterThan(0);
    }
  },
  'late-nic'(report) {
    const [late] = report.disturbances;
    expect(late?.what).to.equal('missing-nic eth2');
    expect(late?.recoveryMs).to.be.greaterThan(0);
  },
  'controller-crash-loop'(report) {
    expect(report.disturbances).to.have.length(5);
    expect(status(report, 'INV012')).to.equal('held');
  },
  exhaustion(report) {
    const [tooMany] = allocations(report, 'too-many');
    expect(tooMany).to.include({ requests: 4, complete: 2, empty: 2, retries: 2 });
    expect(status(report, 'INV014')).to.equal('held');
  },
};

describe('the honest controller', function () {
  this.timeout(300_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
  });
  afterEach(() => home.remove());

  for (const name of NAMES)
    it(`passes ${name}`, async () => {
      const file = join(FOLDER, `${name}.yaml`);
      const { code, stdout, stderr } = await home.run(['run', file, '--output', home.output]);
      expect(code, stdout + stderr).to.equal(0);
      const report = await home.report();
      expect(report.invariants.filter((one) => one.status === 'broken')).to.deep.equal([]);
      SHOWN[name]?.(report);
      expect(await home.leftovers()).to.deep.equal([]);
    });
});
