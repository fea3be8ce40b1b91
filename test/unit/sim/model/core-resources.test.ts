import { expect } from 'chai';
import { NODES, observedResources, PODS } from '../../../../src/sim/model/core-resources.ts';
import { nodeIpamProfile } from '../../../../src/sim/operators/node-ipam/profile.ts';

describe('what is kept of a Node', () => {
  const raw = {
    metadata: { name: 'sim-1', labels: { 'sim/run': 'r1', other: 'x' } },
    spec: {
      podCIDRs: ['10.244.0.0/24'],
      taints: [
        { key: 'z', effect: 'NoSchedule' },
        { key: 'a', effect: 'NoExecute' },
      ],
    },
    status: {
      addresses: [
        { type: 'Hostname', address: 'sim-1' },
        { type: 'InternalIP', address: '127.64.0.1' },
      ],
      conditions: [
        { type: 'MemoryPressure', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    },
  };

  it('is its run, its address, its blocks, its taints in order and whether it is ready', () => {
    expect(NODES.project(raw)).to.deep.equal({
      fields: {
        run: 'r1',
        internalIP: '127.64.0.1',
        podCIDRs: ['10.244.0.0/24'],
        ready: 'True',
        taints: ['a:NoExecute', 'z:NoSchedule'],
      },
    });
  });

  it('is known to be missing in a node that says nothing', () => {
    expect(NODES.project({ metadata: {} })).to.deep.equal({
      fields: { run: null, internalIP: null, podCIDRs: [], ready: 'Unknown', taints: [] },
    });
  });

  it('cannot be read from another shape: that is a gap, never silence', () => {
    expect(() => NODES.project({ metadata: {}, spec: { podCIDRs: '10.0.0.0/8' } })).to.throw();
    expect(() => NODES.project({})).to.throw();
  });

  it('says that the node exists, with its address and its taints', () => {
    const { fields } = NODES.project(raw);
    expect(NODES.facts({ name: 'sim-1', namespace: '', uid: 'u', fields })).to.deep.equal([
      {
        kind: 'node',
        node: 'sim-1',
        uid: 'u',
        run: 'r1',
        internalIP: '127.64.0.1',
        taints: ['a:NoExecute', 'z:NoSchedule'],
      },
    ]);
  });
});

describe('what is kept of a Pod', () => {
  const raw = {
    metadata: { name: 'p' },
    spec: { nodeName: 'sim-1', hostNetwork: true },
    status: {
      phase: 'Running',
      hostIP: '127.64.0.1',
      podIPs: [{ ip: '127.64.0.1' }, { ip: '::1' }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
  const factsOf = (pod: unknown) =>
    PODS.facts({ name: 'p', namespace: 'n', uid: 'u', fields: PODS.project(pod).fields });

  it('says where it runs, with which addresses', () => {
    expect(factsOf(raw)).to.deep.equal([
      {
        kind: 'pod',
        node: 'sim-1',
        namespace: 'n',
        name: 'p',
        hostNetwork: true,
        hostIP: '127.64.0.1',
        podIPs: ['127.64.0.1', '::1'],
        ready: true,
      },
    ]);
  });

  it('is ready by its own condition alone', () => {
    const readyWith = (ready: string, scheduled: string): boolean | undefined => {
      const conditions = [
        { type: 'PodScheduled', status: scheduled },
        { type: 'Ready', status: ready },
      ];
      const [fact] = factsOf({ ...raw, status: { conditions } });
      return fact?.kind === 'pod' ? fact.ready : undefined;
    };
    expect(readyWith('True', 'False')).to.be.true;
    expect(readyWith('False', 'True')).to.be.false;
  });

  it('says nothing of a node before it is bound to one', () => {
    expect(factsOf({ spec: {} })).to.be.empty;
  });

  it('is not ready as long as it does not say so', () => {
    expect(factsOf({ spec: { nodeName: 'sim-1' } })[0]).to.deep.include({
      ready: false,
      hostNetwork: false,
      podIPs: [],
    });
  });
});

describe('observedResources', () => {
  it('are the core kinds and those of the profile, which may replace a core one', () => {
    const model = nodeIpamProfile.build({
      networks: [{ name: 'pods', range: '10.244.0.0/16', nodeMask: 24 }],
      options: {},
      nodes: {},
    });
    const resources = observedResources(model.resources);
    expect(resources.map(({ id }) => id)).to.deep.equal(['pods', 'nodes']);
    expect(resources[1]).to.equal(model.resources[0]);
    expect(observedResources([]).map(({ id }) => id)).to.deep.equal(['nodes', 'pods']);
    expect([NODES, PODS].map(({ kind }) => kind.namespaced)).to.deep.equal([false, true]);
  });
});
