import { expect } from 'chai';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { addTaint, removeTaint } from '../../src/sim/steps/taints.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { answerThen, refuse } from '../helpers/fake-troubles.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const NEVER = new AbortController().signal;
const NODES = '/api/v1/nodes';
const KWOK = { key: 'kwok.x-k8s.io/node', value: 'fake', effect: 'NoSchedule' };
const TAINT = { key: 'sim/test', value: 'on', effect: 'NoExecute' } as const;
const FIRST = [{ from: 1, to: 1 }];

describe('taints', () => {
  let server: FakeApiServer;
  let kube: KubeClient;
  beforeEach(async () => {
    server = await FakeApiServer.start();
    kube = plainClient(server.url);
  });
  afterEach(async () => {
    await kube.close();
    await server.stop();
  });

  const put = (node: number, taints?: readonly object[]) =>
    server.objects.put(NODES, `sim-${node}`, { spec: { podCIDR: 'x', ...(taints && { taints }) } });
  const patches = () =>
    server.calls
      .filter(({ method }) => method === 'PATCH')
      .map(({ path, body }) => ({ path, body: JSON.parse(body) as unknown }));

  it('are added to those that are there, for the version that was read', async () => {
    const { metadata } = put(1, [KWOK]);
    await addTaint(kube, FIRST, TAINT, NEVER);
    expect(patches()).to.deep.equal([
      {
        path: `${NODES}/sim-1`,
        body: {
          metadata: { resourceVersion: metadata.resourceVersion },
          spec: { taints: [KWOK, TAINT] },
        },
      },
    ]);
  });

  it('take the place of those with the same key and effect only', async () => {
    const other = { ...TAINT, effect: 'NoSchedule' };
    put(1, [{ ...TAINT, value: 'old' }, other, KWOK]);
    await addTaint(kube, FIRST, TAINT, NEVER);
    expect(patches()[0]?.body).to.have.deep.property('spec', { taints: [other, KWOK, TAINT] });
  });

  it('are added where there were none', async () => {
    put(1);
    await addTaint(kube, FIRST, TAINT, NEVER);
    expect(patches()[0]?.body).to.have.deep.property('spec', { taints: [TAINT] });
  });

  it('are removed by their key, whatever value and effect they have', async () => {
    put(1, [KWOK, TAINT, { key: TAINT.key, effect: 'NoSchedule' }]);
    await removeTaint(kube, FIRST, TAINT.key, NEVER);
    expect(patches()[0]?.body).to.have.deep.property('spec', { taints: [KWOK] });
  });

  it('are of every node of the set that is there', async () => {
    for (const node of [1, 2, 5]) put(node);
    await addTaint(
      kube,
      [
        { from: 1, to: 3 },
        { from: 5, to: 5 },
      ],
      TAINT,
      NEVER,
    );
    expect(patches().map(({ path }) => path)).to.have.members(
      [1, 2, 5].map((node) => `${NODES}/sim-${node}`),
    );
  });

  it('are added to what somebody else has written meanwhile', async () => {
    const theirs = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
    put(1, [KWOK]);
    server.troubles.push(
      answerThen(() => put(1, [KWOK, theirs])),
      refuse(409, 'Conflict'),
    );
    await addTaint(kube, FIRST, TAINT, NEVER);
    const [first, second, ...more] = patches();
    expect(more).to.deep.equal([]);
    expect(first?.body).to.have.deep.property('spec', { taints: [KWOK, TAINT] });
    expect(second?.body).to.deep.equal({
      metadata: { resourceVersion: server.objects.version },
      spec: { taints: [KWOK, theirs, TAINT] },
    });
  });

  it('are not for a node that has gone since it was read', async () => {
    put(1);
    server.troubles.push(
      answerThen(() => {
        server.objects.remove(`${NODES}/sim-1`);
      }),
    );
    await addTaint(kube, FIRST, TAINT, NEVER);
    expect(patches()).to.have.length(1);
  });

  it('that are refused are told of', async () => {
    put(1);
    server.troubles.push(
      answerThen(() => undefined),
      refuse(403, 'Forbidden'),
    );
    const error = (await failureOf(addTaint(kube, FIRST, TAINT, NEVER))) as Error;
    expect(error.message).to.match(/^PATCH .*sim-1: 403 Forbidden/);
    expect(patches()).to.have.length(1);
  });
});
