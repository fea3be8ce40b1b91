import { expect } from 'chai';
import { SimError } from '../../src/sim/base/errors.ts';
import { runCniStub } from '../../src/sim/fleet/cni-stub.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import type { Observation } from '../../src/sim/model/history.ts';
import type { AddressWork } from '../../src/sim/model/plan.ts';
import { askDaemons, releaseEvicted } from '../../src/sim/steps/allocate.ts';
import type { StepContext } from '../../src/sim/steps/context.ts';
import type { CniPlan } from '../../src/stubs/cni/contract.ts';
import { eventually } from '../helpers/eventually.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { FakeIpPools } from '../helpers/fake-ip-pools.ts';
import { temporaryDirectory, writeKubeconfig } from '../helpers/kubeconfig.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { ROOT } from '../helpers/sim-process.ts';
import { StepDaemons } from '../helpers/step-daemons.ts';
import { bundleStub } from '../helpers/stub-program.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const host = realHost(ROOT);
const PODS = '/api/v1/namespaces/sim-system/pods';
const WORK: AddressWork = {
  work: [
    { nodes: { from: 1, to: 2 }, pods: { from: 1, to: 1 } },
    { nodes: { from: 3, to: 3 }, pods: { from: 1, to: 2 } },
  ],
  arrival: { kind: 'at-once' },
  attempts: 2,
  podObjects: 'none',
};

describe('a step that asks daemons for addresses', function () {
  this.timeout(30_000);
  let bundle: Awaited<ReturnType<typeof bundleStub>>;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let pools: FakeIpPools;
  let world: StepDaemons;
  let server: FakeApiServer;
  let kube: KubeClient;
  let plans: CniPlan[];
  let recorded: { readonly observation: Observation; readonly atMs: number | undefined }[];
  before(async () => {
    bundle = await bundleStub('cni');
    directory = await temporaryDirectory();
    pools = await FakeIpPools.start();
    world = await StepDaemons.start(pools.url);
  });
  after(async () => {
    await world.stop();
    await pools.stop();
    await directory.remove();
    await bundle.remove();
  });
  beforeEach(async () => {
    server = await FakeApiServer.start();
    kube = plainClient(server.url);
    pools.put({ host: 'sim-1', nic: 'eth1', podCIDR: '192.168.0.0/26' });
    plans = [];
    recorded = [];
    for (const node of [1, 2, 3]) await world.daemons.start(node, new AbortController().signal);
  });
  afterEach(async () => {
    await world.clear();
    await kube.close();
    await server.stop();
  });

  /** Of a run whose CNI stub is the real one. */
  const context = async (): Promise<StepContext> => {
    const kubeconfigPath = await writeKubeconfig(directory.path, { server: server.url });
    const parts: Partial<StepContext> = {
      runId: 'r1',
      seed: 7,
      step: 'allocate-3',
      clock: host.clock,
      kube,
      daemons: world.daemons,
      signal: new AbortController().signal,
      record: (observation, atMs) => recorded.push({ observation, atMs }),
      cni: (plan, onResult, signal) => {
        plans.push(plan);
        const { program } = bundle;
        return runCniStub(host, { runId: 'r1', plan, kubeconfigPath, signal, onResult, program });
      },
    };
    return parts as StepContext;
  };
  const podsOf = ({ pods }: CniPlan): readonly string[] => pods.map(({ pod }) => pod);

  it('asks the daemons of its nodes, the first pods of all nodes before the second', async () => {
    await askDaemons('allocate', WORK, await context());
    const [plan] = plans;
    expect(podsOf(plan!)).to.deep.equal([
      'sim-1-pod-1',
      'sim-2-pod-1',
      'sim-3-pod-1',
      'sim-3-pod-2',
    ]);
    expect(plan).to.deep.include({ verb: 'allocate', seed: 7, attempts: 2, podObjects: null });
    expect(plan?.pods[1]).to.deep.equal({
      node: 'sim-2',
      address: world.daemons.endpoint(2),
      namespace: 'sim-system',
      pod: 'sim-2-pod-1',
      networks: [{ name: 'net', masterNets: ['10.1.0.0/16'] }],
    });
  });

  it('records what became of each, at its time, also when it was refused', async () => {
    await askDaemons('allocate', WORK, await context());
    expect(recorded).to.have.length(4);
    const of = (owner: string) =>
      recorded.find(
        ({ observation }) => observation.kind === 'allocation' && observation.owner === owner,
      )!;
    const common = { kind: 'allocation', verb: 'allocate', step: 'allocate-3', network: 'net' };
    expect(of('sim-system/sim-1-pod-1').observation).to.deep.include({
      ...common,
      node: 'sim-1',
      status: 'complete',
      asked: ['eth1'],
      granted: [{ interface: 'eth1', ip: '192.168.0.1' }],
      retries: 0,
      problem: null,
    });
    const { observation, atMs } = of('sim-system/sim-2-pod-1');
    expect(observation).to.deep.include({
      ...common,
      node: 'sim-2',
      status: 'empty',
      granted: [],
      retries: 1,
    });
    expect(observation).to.have.property('latencyMs').that.is.at.least(199); // the pause
    expect(atMs).to.be.at.most(host.clock.now());
  });

  it('has Pod objects made that carry the label of the run', async () => {
    await askDaemons('allocate', { ...WORK, podObjects: 'legacy' }, await context());
    expect(plans[0]?.podObjects).to.deep.equal({
      annotation: 'legacy',
      labels: { 'sim/run': 'r1' },
    });
    expect(server.objects.has(`${PODS}/sim-3-pod-2`)).to.equal(true);
  });

  it('hands the rate of arrivals on', async () => {
    const arrival = { kind: 'poisson', perSecond: 100 } as const;
    await askDaemons('deallocate', { ...WORK, arrival }, await context());
    expect(plans[0]).to.deep.include({ verb: 'deallocate', arrival });
  });

  it('gives back what evicted pods held, once the last of them has gone', async () => {
    for (const name of ['sim-3-pod-2', 'sim-9-pod-1']) server.objects.put(PODS, name, { spec: {} });
    const released = releaseEvicted({ ...WORK, podObjects: 'both' }, await context());
    await eventually('a second look', () => server.calls.length >= 2);
    expect(plans).to.deep.equal([]);
    server.objects.remove(`${PODS}/sim-3-pod-2`);
    await released;
    expect(plans.map(({ verb, podObjects }) => ({ verb, podObjects }))).to.deep.equal([
      { verb: 'deallocate', podObjects: null },
    ]);
    expect(podsOf(plans[0]!)).to.have.length(4);
  });

  it('is refused where the operator has no daemons', async () => {
    for (const missing of ['daemons', 'cni']) {
      const work = askDaemons('allocate', WORK, { ...(await context()), [missing]: undefined });
      expect(await failureOf(work))
        .to.be.instanceOf(SimError)
        .with.property('code', 'SIM_UNSUPPORTED');
    }
  });
});
