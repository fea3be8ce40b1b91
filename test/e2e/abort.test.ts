import { expect } from 'chai';
import { SimHome } from '../helpers/sim-process.ts';

const SCENARIO = `
name: hopeless
operator: { profile: node-ipam }
networks: [{ name: pods, range: 10.244.0.0/16, nodeMask: 24 }]
settle: 30s
steps:
  - scale: { to: 3 }
  - scale: { to: 0 }
expect:
  - { that: all(cidr) < 1ms, grace: 1s }
`;

describe('a limit with abortOnFail', function () {
  this.timeout(60_000);
  let home: SimHome;
  before(async () => {
    home = await SimHome.make();
  });
  after(() => home.remove());

  it('ends the run after its grace instead of after the step, with a whole report', async () => {
    const { code, stdout, stderr } = await home.run(
      ['run', '-', '--output', home.output],
      {},
      SCENARIO,
    );
    expect(code, stdout + stderr).to.equal(1);
    expect(stderr).to.include('all(cidr) < 1ms cannot be kept any more in scale-3');
    const report = await home.report();
    expect(report.steps.map(({ status }) => status)).to.deep.equal(['failed', 'skipped']);
    expect(Number(report.steps[0]?.endMs) - Number(report.steps[0]?.startMs)).to.be.below(20_000);
    expect(report.invariants[0]).to.include({ code: 'INV000', status: 'held' });
    expect(report.thresholds[0]?.status).to.equal('broken');
  });
});
