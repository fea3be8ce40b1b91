import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import type { NodeSet } from '../../src/sim/base/node-names.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import type { Fault } from '../../src/sim/model/fault.ts';
import type { Observation } from '../../src/sim/model/history.ts';
import { DaemonPods } from '../../src/sim/steps/daemon-pods.ts';
import { beginFault, healFaults, type FaultTools } from '../../src/sim/steps/faults.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { refuse } from '../helpers/fake-troubles.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { StepDaemons } from '../helpers/step-daemons.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const NEVER = new AbortController().signal;
const PODS = '/api/v1/namespaces/operator/pods';
const NODES: NodeSet = [{ from: 1, to: 2 }];
const ERROR: Fault = { kind: 'error', status: 503 };

describe('faults of a run', function () {
  this.timeout(30_000);
  let world: StepDaemons;
  let server: FakeApiServer;
  let kube: KubeClient;
  let tools: FaultTools;
  let recorded: unknown[];
  before(async () => {
    world = await StepDaemons.start();
  });
  after(() => world.stop());
  beforeEach(async () => {
    server = await FakeApiServer.start();
    kube = plainClient(server.url);
    recorded = [];
    const { daemons, plan } = world;
    const record = (observation: Observation): void => void recorded.push(observation);
    tools = { daemons, daemonPods: new DaemonPods(kube, plan.pods), record };
    for (const node of [1, 2]) {
      await daemons.start(node, NEVER);
      server.objects.put(PODS, `pod-${node}`, { spec: { nodeName: `sim-${node}` } });
    }
  });
  afterEach(async () => {
    await world.clear();
    await kube.close();
    await server.stop();
  });

  const entry = (phase: 'begin' | 'end', fault: Fault, source = 'step', nodes = NODES) => ({
    kind: 'fault',
    phase,
    nodes,
    fault,
    source,
  });
  const ready = () =>
    server.calls
      .filter(({ method }) => method === 'PATCH')
      .map(({ path, body }) => [path, /"type":"Ready","status":"(\w+)"/.exec(body)?.[1]]);

  it('are recorded when they begin and when they have ended', async () => {
    await beginFault(NODES, ERROR, 'step', tools, NEVER);
    expect(await world.statusOf(2)).to.equal(503);
    expect(await healFaults(NODES, undefined, 'live', tools, NEVER)).to.equal(1);
    expect(await world.statusOf(2)).to.equal(200);
    expect(recorded).to.deep.equal([entry('begin', ERROR), entry('end', ERROR, 'live')]);
  });

  it('are recorded before they are there: from then on less is expected', async () => {
    await failureOf(
      beginFault(NODES, { kind: 'not-ready' }, 'step', tools, AbortSignal.abort(new Error('over'))),
    );
    expect(recorded).to.deep.equal([entry('begin', { kind: 'not-ready' })]);
  });

  it('that are over at once are recorded so', async () => {
    await beginFault(NODES, { kind: 'drop' }, 'live', tools, NEVER);
    expect(recorded).to.deep.equal([
      entry('begin', { kind: 'drop' }, 'live'),
      entry('end', { kind: 'drop' }, 'live'),
    ]);
  });

  it('of pods that are not ready leave the daemons as they are', async () => {
    const fault = { kind: 'not-ready' } as const;
    await beginFault(NODES, fault, 'step', tools, NEVER);
    expect(ready()).to.have.deep.members([
      [`${PODS}/pod-1/status`, 'False'],
      [`${PODS}/pod-2/status`, 'False'],
    ]);
    expect(await world.statusOf(1)).to.equal(200);
    await healFaults([{ from: 2, to: 2 }], 'not-ready', 'step', tools, NEVER);
    expect(ready().slice(2)).to.deep.equal([[`${PODS}/pod-2/status`, 'True']]);
    expect(recorded.at(-1)).to.deep.equal(entry('end', fault, 'step', [{ from: 2, to: 2 }]));
  });

  it('are not told to have ended when they have not', async () => {
    await beginFault(NODES, { kind: 'not-ready' }, 'step', tools, NEVER);
    server.troubles.push(refuse(403, 'Forbidden'));
    await failureOf(healFaults(NODES, undefined, 'step', tools, NEVER));
    expect(recorded).to.have.length(1);
  });

  it('are none where nobody has any', async () => {
    expect(await healFaults(NODES, undefined, 'step', tools, NEVER)).to.equal(0);
    expect(recorded).to.deep.equal([]);
  });

  it('cannot be where there are no daemons', async () => {
    const none = { ...tools, daemons: undefined, daemonPods: undefined };
    for (const work of [
      beginFault(NODES, ERROR, 'step', none, NEVER),
      healFaults(NODES, undefined, 'step', none, NEVER),
    ]) {
      const error = (await failureOf(work)) as SimError;
      expect(error.code).to.equal('SIM_UNSUPPORTED');
      expect(error.message).to.equal('the operator has no daemons that could fail');
    }
    expect(recorded).to.deep.equal([]);
  });
});
