import { expect } from 'chai';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { KubeClient } from '../../src/sim/kube/client.ts';
import { KINDS } from '../../src/sim/kube/objects.ts';
import { SimHome } from '../helpers/sim-process.ts';

const SCENARIO = `
name: planted
operator: { profile: node-ipam }
networks: [{ name: pods, range: 10.244.0.0/16, nodeMask: 24 }]
settle: 1s
steps:
  - scale: { to: 3 }
  - hold: { for: 6s }
  - scale: { to: 0 }
`;

describe('a defect that is planted on the real control plane', function () {
  this.timeout(180_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
  });
  afterEach(() => home.remove());

  it('is found: a node that holds the podCIDR of another one', async () => {
    const sim = home.start(['run', '-', '--output', home.output], {}, SCENARIO);
    const kube = await KubeClient.fromFile(await sim.kubeconfig(), {
      clock: realClock,
      userAgent: 'test',
    });
    await sim.says(/hold: 3 → 3 nodes/);
    const victim = await kube.get(KINDS.node, 'sim-2');
    const spec = victim?.['spec'] as { podCIDR: string; podCIDRs: string[] };
    await kube.create(
      KINDS.node,
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'planted' },
        spec: { podCIDR: spec.podCIDR, podCIDRs: spec.podCIDRs },
      },
      { name: 'planted' },
    );
    await kube.close();
    const { code, stdout } = await sim.ended;
    expect(code).to.equal(1);
    const report = await home.report();
    const broken = report.invariants.find(({ code: invariant }) => invariant === 'INV002');
    expect(broken?.status).to.equal('broken');
    expect(broken?.findings).to.have.length(1);
    const [finding] = broken?.findings ?? [];
    expect(finding?.objects).to.have.members(['nodes/sim-2', 'nodes/planted']);
    expect(finding?.message).to.include(spec.podCIDR);
    const hold = report.steps.find(({ name }) => name === 'hold');
    expect(finding?.atMs).to.be.within(Number(hold?.startMs), Number(hold?.endMs));
    expect(stdout).to.include('INV002');
  });
});
