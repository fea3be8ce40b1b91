import { expect } from 'chai';
import { SimHome } from '../helpers/sim-process.ts';

const SCENARIO = `
name: live
operator: { profile: multi-nic, controller: reference }
networks:
  - { name: sample, subnet: 192.168.0.0/16, hostBlock: 8, interfaceBlock: 2 }
settle: 2s
steps:
  - scale: { to: 3, within: 60s }
  - hold: { for: 15s }
  - scale: { to: 4, within: 60s }
`;

describe('faults in a run that is in progress', function () {
  this.timeout(120_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
  });
  afterEach(() => home.remove());

  const state = (): Record<string, string> => ({ XDG_STATE_HOME: home.stateHome });

  it('are made and healed from the command line, and are in the report', async () => {
    const run = home.start(['run', '-', '--output', home.output], {}, SCENARIO);
    await run.says(/hold: 3 → 3 nodes/);
    const [id = ''] = await home.recorded();
    const hang = await home.run(['fault', id, 'hang', '--nodes', '2'], state());
    expect(hang.code, hang.stderr).to.equal(0);
    expect(hang.stdout).to.equal('fault: hang on sim-2\n');
    const brief = await home.run(
      ['fault', home.output, 'error', '--nodes', '1,3', '--status', '503', '--for', '1s'],
      state(),
    );
    expect(brief.stdout).to.equal('fault: error 503 on sim-1, sim-3 for 1.0s\n');
    const healed = await home.run(['heal', id.slice(0, 5), 'hang'], state());
    expect(healed.stdout, healed.stderr).to.equal('healed 1 fault\n');
    const { code, stdout, stderr } = await run.ended;
    expect(code, stdout + stderr).to.equal(0);
    const { disturbances } = await home.report();
    expect(disturbances.map(({ what, nodes }) => [what, nodes])).to.deep.equal([
      ['hang', 'sim-2'],
      ['error 503', 'sim-1, sim-3'],
    ]);
    for (const { endMs, recoveryMs } of disturbances) {
      expect(endMs).to.be.a('number');
      expect(recoveryMs).to.be.a('number');
    }
  });

  it('are refused when they are wrong, or nobody is there to have them', async () => {
    const absent = await home.run(['fault', 'nobody', 'hang', '--nodes', '2'], state());
    expect(absent.code).to.equal(2);
    expect(absent.stderr).to.include('no run in progress is called nobody');
    expect(absent.stderr).to.include('there is no run in progress');
    const wrong = await home.run(['fault', 'nobody', 'latency', '--nodes', '2'], state());
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.include('--delay is missing: latency needs it');
    const nodes = await home.run(['fault', 'nobody', 'hang', '--nodes', 'two'], state());
    expect(nodes.stderr).to.include('--nodes expected nodes such as 3, 1-10 or 1-4,7');
  });
});
