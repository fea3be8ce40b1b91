import { expect } from 'chai';
import { processesOf } from '../helpers/run-processes.ts';
import { SimHome } from '../helpers/sim-process.ts';

const SCENARIO = `
name: stopped
operator: { profile: node-ipam }
networks: [{ name: pods, range: 10.244.0.0/16, nodeMask: 24 }]
settle: 1s
steps:
  - scale: { to: 100 }
  - hold: { for: 120s }
  - scale: { to: 0 }
`;

/** When the signal is sent: a moment in words, and what the progress says then, or how long after the start. */
const MOMENTS: readonly {
  readonly title: string;
  readonly when: RegExp | number;
  readonly after?: number;
}[] = [
  { title: 'while the program starts', when: 120 },
  { title: 'right after it has started', when: 350 },
  { title: 'while the cluster is about to be created', when: /cluster: kwokctl/ },
  { title: 'while kwokctl creates the cluster', when: /cluster: kwokctl/, after: 500 },
  { title: 'while the API server starts', when: /cluster: kwokctl/, after: 1500 },
  { title: 'when the cluster is ready', when: /cluster ready/ },
  { title: 'when the controller is ready', when: /controller ready/ },
  { title: 'while nodes are being created', when: /scale-100: 0 → 100 nodes/, after: 100 },
  { title: 'while the step settles', when: /scale-100: 0 → 100 nodes/, after: 1500 },
  { title: 'while the cluster is held', when: /hold: 100/, after: 1000 },
];

describe('SIGTERM', function () {
  this.timeout(120_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
  });
  afterEach(() => home.remove());

  for (const { title, when, after = 0 } of MOMENTS)
    it(`${title}: a report or a clear message, and nothing left`, async () => {
      const sim = home.start(['run', '-', '--output', home.output], {}, SCENARIO);
      if (typeof when === 'number') await new Promise((resolve) => setTimeout(resolve, when));
      else await sim.says(when);
      await new Promise((resolve) => setTimeout(resolve, after));
      const [runId] = await home.recorded();
      const sentAt = Date.now();
      sim.kill('SIGTERM');
      const { code, signal, stdout, stderr } = await sim.ended;
      expect(Date.now() - sentAt, 'hosted runners kill after about ten seconds').to.be.below(
        10_000,
      );
      if (runId === undefined) expect(signal ?? code).to.be.oneOf(['SIGTERM', 143]);
      else {
        expect(code, stdout + stderr).to.equal(143);
        const report = await home.report();
        expect(report.verdict).to.equal('interrupted');
        expect(stdout).to.include('INTERRUPTED');
        expect(await processesOf(runId)).to.deep.equal([]);
      }
      expect(await home.leftovers()).to.deep.equal([]);
    });

  it('as Ctrl-C, twice within a second because npm repeats it: tidies up all the same', async () => {
    const sim = home.start(['run', '-', '--output', home.output], {}, SCENARIO);
    await sim.says(/hold: 100/);
    sim.kill('SIGINT');
    sim.kill('SIGINT');
    const { code } = await sim.ended;
    expect(code).to.equal(130);
    expect(await home.leftovers()).to.deep.equal([]);
    expect((await home.report()).steps.map(({ status }) => status)).to.deep.equal([
      'converged',
      'failed',
      'skipped',
    ]);
  });
});
