import { expect } from 'chai';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { waitFor } from '../../src/sim/base/wait.ts';
import { KubeClient } from '../../src/sim/kube/client.ts';
import { KINDS, type KubeObject } from '../../src/sim/kube/objects.ts';
import { SimHome, type SimProcess } from '../helpers/sim-process.ts';

const SCENARIO = `
name: daemon-set
operator: { profile: node-ipam, leaderElect: false }
networks: [{ name: pods, range: 10.244.0.0/16, nodeMask: 24 }]
settle: 1s
steps:
  - scale: { to: 6 }
  - hold: { for: 70s }
  - scale: { to: 4, remove: node-first, within: 30s }
  - scale: { to: 2, remove: pods-first, within: 120s }
  - scale: { to: 0, remove: node-only, within: 120s }
`;

const DAEMON_SET = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'probe', namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: 'probe' } },
    template: {
      metadata: { labels: { app: 'probe' } },
      spec: {
        hostNetwork: true,
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'probe', image: 'fake' }],
      },
    },
  },
};
const DAEMON_SETS = {
  group: 'apps',
  version: 'v1',
  plural: 'daemonsets',
  kind: 'DaemonSet',
  namespaced: true,
};
const LEASES = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};

interface PodStatus {
  readonly hostIP?: string;
  readonly podIP?: string;
  readonly phase?: string;
}

describe('fake nodes', function () {
  this.timeout(400_000);
  let home: SimHome;
  let sim: SimProcess;
  let kube: KubeClient;
  before(async () => {
    home = await SimHome.make();
    sim = home.start(['run', '-', '--output', home.output], {}, SCENARIO);
    kube = await KubeClient.fromFile(await sim.kubeconfig(), {
      clock: realClock,
      userAgent: 'test',
    });
    await sim.says(/hold: 6/);
  });
  after(async () => {
    await kube.close();
    sim.kill('SIGTERM');
    await sim.ended;
    await home.remove();
  });

  const addressOf = ({ status }: KubeObject): string => {
    const { addresses } = status as { addresses: { type: string; address: string }[] };
    return addresses.find(({ type }) => type === 'InternalIP')?.address ?? '';
  };

  it('each have a loopback address of their own in the /16 of the run', async () => {
    const addresses = (await kube.list(KINDS.node)).map(addressOf);
    expect(new Set(addresses).size).to.equal(6);
    for (const address of addresses) expect(address).to.match(/^127\.\d+\.0\.[1-6]$/);
    expect(Number(addresses[0]?.split('.')[1])).to.be.within(64, 250);
  });

  it('run the pods of a DaemonSet, whose hostIP and podIP are the address of their node', async () => {
    await kube.create(DAEMON_SETS, DAEMON_SET, { name: 'probe', namespace: 'default' });
    const pods = await waitFor({
      what: 'a running pod on each of the 6 nodes',
      clock: realClock,
      timeoutMs: 60_000,
      intervalMs: 200,
      probe: async () => {
        const found = await kube.list(KINDS.pod, { namespace: 'default' });
        const running = found.filter(({ status }) => (status as PodStatus).phase === 'Running');
        return running.length === 6 ? running : undefined;
      },
    });
    const nodes = new Map(
      (await kube.list(KINDS.node)).map((node) => [node.metadata.name, addressOf(node)]),
    );
    for (const { spec, status } of pods) {
      const address = nodes.get((spec as { nodeName: string }).nodeName);
      expect(status).to.include({ hostIP: address, podIP: address });
    }
  });

  it('have leases that kwok renews', async () => {
    const renewal = async (): Promise<string | undefined> => {
      const lease = await kube.get(LEASES, 'sim-1', 'kube-node-lease');
      return (lease?.['spec'] as { renewTime?: string } | undefined)?.renewTime;
    };
    const first = await renewal();
    expect(first).to.be.a('string');
    await waitFor({
      what: 'the lease of sim-1 to be renewed', // every 50 s, a quarter of its duration
      clock: realClock,
      timeoutMs: 65_000,
      intervalMs: 500,
      probe: async () => ((await renewal()) === first ? undefined : true),
    });
  });

  it('go in each of the three orders, and nothing is left of them', async () => {
    const { code, stdout, stderr } = await sim.ended;
    expect(code, stdout + stderr).to.equal(0);
    const report = await home.report();
    const gone = report.steps
      .slice(2)
      .map(({ milestones }) => milestones['gone']?.allMs ?? Infinity);
    expect(gone[0], 'node first').to.be.below(30_000);
    expect(gone[2], 'the node only: its pods are left to garbage collection').to.be.within(
      10_000,
      120_000,
    );
    const statuses = new Map(
      report.invariants.map(({ code: invariant, status }) => [invariant, status]),
    );
    expect(statuses.get('INV006')).to.equal('held');
    expect(statuses.get('INV011')).to.equal('held');
    expect(
      report.invariants.find(({ code: invariant }) => invariant === 'INV011')?.checked,
    ).to.be.at.least(12);
  });
});
