import { expect } from 'chai';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { DaemonPods } from '../../src/sim/steps/daemon-pods.ts';
import { FakeApiServer, type Trouble } from '../helpers/fake-apiserver.ts';
import { refuse } from '../helpers/fake-troubles.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const NEVER = new AbortController().signal;
const PODS = '/api/v1/namespaces/operator/pods';

describe('the pods of daemons', () => {
  let server: FakeApiServer;
  let kube: KubeClient;
  let pods: DaemonPods;
  beforeEach(async () => {
    server = await FakeApiServer.start();
    kube = plainClient(server.url);
    pods = new DaemonPods(kube, { namespace: 'operator', label: 'app=daemon' });
    for (const nodeName of ['sim-1', 'sim-2', 'sim-3', 'worker'])
      server.objects.put(PODS, `on-${nodeName}`, {
        spec: { nodeName },
        status: { containerStatuses: [{ name: 'daemon', image: 'x', ready: true }] },
      });
    server.objects.put(PODS, 'pending', { spec: {} });
  });
  afterEach(async () => {
    await kube.close();
    await server.stop();
  });

  const changes = () => server.calls.filter(({ method }) => method !== 'GET');

  it('are found by their namespace and label', async () => {
    await pods.delete([{ from: 1, to: 1 }], NEVER);
    expect(server.calls[0]).to.include({ method: 'GET', path: PODS });
    expect(server.calls[0]?.query.get('labelSelector')).to.equal('app=daemon');
  });

  it('are deleted with no grace, those of the nodes only', async () => {
    await pods.delete(
      [
        { from: 2, to: 2 },
        { from: 3, to: 900 },
      ],
      NEVER,
    );
    expect(changes().map(({ method, path }) => `${method} ${path}`)).to.have.members([
      `DELETE ${PODS}/on-sim-2`,
      `DELETE ${PODS}/on-sim-3`,
    ]);
    expect(changes()[0]?.query.get('gracePeriodSeconds')).to.equal('0');
  });

  for (const [isReady, status] of [
    [false, 'False'],
    [true, 'True'],
  ] as const)
    it(`say ${status} of whether they are ready, with their containers`, async () => {
      await pods.setReady([{ from: 2, to: 2 }], isReady, NEVER);
      const [patch, ...more] = changes();
      expect(more).to.deep.equal([]);
      expect(patch).to.include({ method: 'PATCH', path: `${PODS}/on-sim-2/status` });
      expect(patch?.headers['content-type']).to.equal('application/strategic-merge-patch+json');
      expect(JSON.parse(patch?.body ?? '')).to.deep.equal({
        status: {
          conditions: [
            { type: 'Ready', status },
            { type: 'ContainersReady', status },
          ],
          containerStatuses: [{ name: 'daemon', image: 'x', ready: isReady }],
        },
      });
    });

  it('may be gone since they were listed', async () => {
    const gone: Trouble = ({ response }) => {
      const items = [{ metadata: { name: 'gone' }, spec: { nodeName: 'sim-1' } }];
      response.end(JSON.stringify({ metadata: {}, items }));
    };
    server.troubles.push(gone);
    await pods.delete([{ from: 1, to: 1 }], NEVER);
    server.troubles.push(gone);
    await pods.setReady([{ from: 1, to: 1 }], false, NEVER);
    expect(changes().map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      `DELETE ${PODS}/gone`,
      `PATCH ${PODS}/gone/status`,
    ]);
  });

  it('that are refused are told of', async () => {
    server.troubles.push(refuse(403, 'Forbidden'));
    const error = (await failureOf(pods.delete([{ from: 1, to: 1 }], NEVER))) as Error;
    expect(error.message).to.match(/403 Forbidden/);
  });
});
