import { expect } from 'chai';
import type { JsonObject } from '../../src/sim/base/json.ts';
import { waitFor } from '../../src/sim/base/wait.ts';
import { ApiError } from '../../src/sim/kube/api-error.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { KINDS, objectPath, type KubeObject } from '../../src/sim/kube/objects.ts';
import type { ResourceKind } from '../../src/sim/model/operator-profile.ts';
import { FakeNodes } from '../../src/sim/steps/fake-nodes.ts';
import { loadTemplate } from '../../src/sim/templates/render.ts';
import { host, startCluster, type StartedCluster } from '../helpers/cluster.ts';
import { MULTI_NIC_KINDS, NET_ATTACH_DEF } from '../helpers/multi-nic-model.ts';
import { draft, fullObject, recordAt, type Draft } from '../helpers/multi-nic-objects.ts';

const NAMESPACE = 'multi-nic-cni-operator';
const kind = (group: string, plural: string, name: string, namespaced: boolean): ResourceKind => ({
  group,
  version: 'v1',
  plural,
  kind: name,
  namespaced,
});
const DEFINITION = kind(
  'apiextensions.k8s.io',
  'customresourcedefinitions',
  'CustomResourceDefinition',
  false,
);
const SERVICE_ACCOUNT = kind('', 'serviceaccounts', 'ServiceAccount', true);
const DAEMON_SET = kind('apps', 'daemonsets', 'DaemonSet', true);
const PRIORITY_CLASS = kind('scheduling.k8s.io', 'priorityclasses', 'PriorityClass', false);
const [NETWORK, , , POOL, CONFIG] = MULTI_NIC_KINDS.map(({ of }) => of);

let kube: KubeClient;

const load = async (name: string, context: JsonObject = {}): Promise<KubeObject> => {
  const render = await loadTemplate(host, `operators/multi-nic/${name}.yaml`);
  return render(context) as KubeObject;
};

const apply = (of: ResourceKind, object: KubeObject): Promise<KubeObject> => {
  const { name, namespace } = object.metadata;
  return kube.patch(of, name, 'apply', object, namespace === undefined ? {} : { namespace });
};

async function create(of: ResourceKind, object: Draft): Promise<KubeObject> {
  const { name } = (object as KubeObject).metadata;
  const options = of.namespaced ? { name, namespace: 'default' } : { name };
  await kube.create(of, object as KubeObject, options);
  return (await kube.get(of, name, options.namespace))!;
}

const mergeStatus = (of: ResourceKind, name: string, status: unknown): Promise<KubeObject> =>
  kube.patch(of, name, 'merge', { status }, { subresource: 'status' });

/** What the server says against it; empty when it has nothing to say. */
async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '';
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return error.message;
    throw error;
  }
}

describe('the manifests of multi-nic on a real API server', function () {
  this.timeout(120_000);
  let cluster: StartedCluster | undefined;
  before(async () => {
    cluster = await startCluster();
    kube = cluster.kube;
  });
  after(() => cluster?.end());

  it('define kinds that the server establishes without a complaint', async () => {
    for (const { plural } of [...MULTI_NIC_KINDS.map(({ of }) => of), NET_ATTACH_DEF]) {
      const { metadata } = await apply(DEFINITION, await load(`crds/${plural}`));
      const conditions = await waitFor({
        what: `${metadata.name} to be established`,
        clock: host.clock,
        timeoutMs: 10_000,
        intervalMs: 50,
        probe: async () => {
          const status = (await kube.get(DEFINITION, metadata.name))?.['status'] as {
            conditions?: { type: string; status: string }[];
          };
          const found = (status.conditions ?? []).map((c) => `${c.type}=${c.status}`);
          return found.includes('Established=True') ? found : undefined;
        },
      });
      expect(conditions.sort(), plural).to.deep.equal(['Established=True', 'NamesAccepted=True']);
    }
  });

  for (const { of, required } of MULTI_NIC_KINDS) {
    const name = of.kind.toLowerCase();
    const { spec, status } = fullObject(of.kind);

    describe(`make ${of.plural}`, () => {
      it('that keep every field, and drop a status that comes with their creation', async () => {
        const read = await create(of, draft(of, name));
        expect(read['spec']).to.deep.equal(spec);
        expect(read).not.to.have.property('status');
      });

      it('whose status is written apart, by PATCH and by PUT, and leaves the spec alone', async () => {
        const created = await create(of, draft(of, `${name}-put`));
        const response = await kube.transport.send({
          method: 'PUT',
          path: `${objectPath(of, name)}-put/status`,
          body: JSON.stringify({ ...created, spec: {}, status }),
        });
        expect(response.status, await response.body.text()).to.equal(200);
        await kube.patch(of, name, 'merge', { spec: null, status }, { subresource: 'status' });
        for (const written of [name, `${name}-put`]) {
          const read = await kube.get(of, written);
          expect(read?.['spec'], written).to.deep.equal(spec);
          expect(read?.['status'], written).to.deep.equal(status);
        }
      });

      it('that are refused without any single one of their required fields', async () => {
        await create(of, draft(of, `${name}-bare`)); // has no status that a merge could fill up from
        for (const [place, fields] of Object.entries(required))
          for (const field of fields) {
            const object = draft(of, `${name}-less`, (whole) => {
              Reflect.deleteProperty(recordAt(whole, place), field);
            });
            const path = `${place.replaceAll('[]', '[0]')}.${field}`;
            const attempt = place.startsWith('status')
              ? mergeStatus(of, `${name}-bare`, object['status'])
              : create(of, object);
            expect(await refusal(attempt)).to.include(`${path}: Required value`);
          }
      });

      it('that lose fields which nobody knows, wherever they are', async () => {
        const surprised = draft(of, `${name}-more`, (object) => {
          object['surprise'] = 1;
          for (const place of [...Object.keys(required), 'status'])
            recordAt(object, place)['surprise'] = 1;
        });
        const read = await create(of, surprised);
        expect(read['spec']).to.deep.equal(spec);
        expect(read).not.to.have.property('surprise');
        const patched = await mergeStatus(of, `${name}-more`, surprised['status']);
        expect(patched['status']).to.deep.equal(status);
      });
    });
  }

  it('make a NetworkAttachmentDefinition that keeps its config and nothing unknown', async () => {
    const object = draft(NET_ATTACH_DEF, 'nad', (whole) => {
      recordAt(whole, 'spec')['surprise'] = 1;
    });
    const read = await create(NET_ATTACH_DEF, object);
    expect(read['spec']).to.deep.equal(fullObject(NET_ATTACH_DEF.kind).spec);
  });

  it('make an IPPool that takes empty lists, but not null for them', async () => {
    const pool = (name: string, lists: Draft): Draft =>
      draft(POOL!, name, (object) => Object.assign(recordAt(object, 'spec'), lists));
    const read = await create(POOL!, pool('empty', { excludes: [], allocations: [] }));
    expect(read['spec']).to.deep.include({ excludes: [], allocations: [] });
    for (const field of ['excludes', 'allocations'])
      expect(await refusal(create(POOL!, pool('null', { [field]: null })))).to.include(
        `spec.${field}: Required value`,
      );
  });

  it('bring a Config and a network that are kept whole', async () => {
    const config = await load('config');
    expect((await apply(CONFIG!, config))['spec']).to.deep.equal(config['spec']);
    const values = { name: 'net-a', subnet: '192.168.0.0/16', ipam: '{"hostBlock":8}' };
    const network = await load('network', values);
    expect((await apply(NETWORK!, network))['spec']).to.deep.equal(network['spec']);
  });

  it('can rely on the priority class that the API server makes itself', async () => {
    expect(await kube.get(PRIORITY_CLASS, 'system-cluster-critical')).not.to.equal(undefined);
  });

  it('run a daemon on each fake node, at its address, and on no other node', async () => {
    await kube.patch(KINDS.namespace, NAMESPACE, 'apply', await load('namespace'));
    await apply(SERVICE_ACCOUNT, await load('service-account'));
    const fakeNodes = await FakeNodes.load(host, {
      runId: 'manifests',
      network: '127.200.0.0/16',
      capacity: { cpu: '32', memory: '256Gi', pods: 110 },
      labels: {},
      ready: 'at-create',
    });
    for (const index of [1, 2, 3]) {
      const node = structuredClone(fakeNodes.object(index)) as unknown as KubeObject;
      // Different in this alone: it would run the daemon if it were for the label.
      if (index === 3) Reflect.deleteProperty(node.metadata.labels ?? {}, 'type');
      await kube.create(KINDS.node, node, { name: node.metadata.name });
    }
    await apply(DAEMON_SET, await load('daemon-set'));
    await waitFor({
      what: 'the DaemonSet to have both of its pods available',
      clock: host.clock,
      timeoutMs: 60_000,
      intervalMs: 100,
      probe: async () => {
        const status = (await kube.get(DAEMON_SET, 'multi-nicd', NAMESPACE))?.['status'];
        const { desiredNumberScheduled, numberAvailable } = status as Record<string, number>;
        return desiredNumberScheduled === 2 && numberAvailable === 2 ? true : undefined;
      },
    });
    const pods = await kube.list(KINDS.pod, {
      namespace: NAMESPACE,
      labelSelector: 'app=multi-nicd',
    });
    const found = pods.map((pod) => {
      const { nodeName, hostNetwork } = pod['spec'] as Draft;
      const { phase, hostIP, podIP, containerStatuses } = pod['status'] as Draft;
      const [container] = containerStatuses as { ready: boolean }[];
      return [nodeName, { hostNetwork, phase, hostIP, podIP, ready: container?.ready }];
    });
    const running = (address: string): Draft => ({
      hostNetwork: true,
      phase: 'Running',
      hostIP: address,
      podIP: address,
      ready: true,
    });
    expect(found.sort()).to.deep.equal([
      ['sim-1', running('127.200.0.1')],
      ['sim-2', running('127.200.0.2')],
    ]);
  });
});
