import { expect } from 'chai';
import { SimHome } from '../helpers/sim-process.ts';

/** With leader election, a restarted controller-manager waits some 16 s for the lease of the one before it. */
const SCENARIO = `
name: restart
operator: { profile: node-ipam, leaderElect: false }
networks: [{ name: pods, range: 10.244.0.0/16, nodeMask: 24 }]
settle: 1s
steps:
  - scale: { to: 60, during: [{ at: 30, restart: { what: controller, signal: SIGKILL } }] }
  - restart: { what: controller }
  - scale: { to: 0 }
`;

describe('a restart of the controller', function () {
  this.timeout(180_000);
  let home: SimHome;
  before(async () => {
    home = await SimHome.make();
  });
  after(() => home.remove());

  it('in the middle of a scale step and on its own: recovery is timed and no block moves', async () => {
    const { code, stdout, stderr } = await home.run(
      ['run', '-', '--output', home.output],
      {},
      SCENARIO,
    );
    expect(code, stdout + stderr).to.equal(0);
    const report = await home.report();
    const [scale, restart, down] = report.steps;
    expect(scale?.recoveryMs).to.be.a('number').greaterThan(0);
    expect(restart?.recoveryMs).to.be.a('number').greaterThan(0);
    expect(down?.recoveryMs).to.equal(null);
    const kept = report.invariants.find(({ code: invariant }) => invariant === 'INV007');
    expect(kept).to.deep.include({ status: 'held', checked: 61 }); // 60 nodes, and the proof of life
    const alive = report.invariants.find(({ code: invariant }) => invariant === 'INV012');
    expect(alive?.status).to.equal('held');
  });
});
