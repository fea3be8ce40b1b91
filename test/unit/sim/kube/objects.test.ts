import { expect } from 'chai';
import {
  apiVersionOf,
  collectionPath,
  KINDS,
  objectPath,
} from '../../../../src/sim/kube/objects.ts';

const CIDR = {
  group: 'multinic.fms.io',
  version: 'v1',
  plural: 'cidrs',
  kind: 'CIDR',
  namespaced: false,
} as const;

describe('the paths of objects', () => {
  it('start at /api for the core group and at /apis for all others', () => {
    expect(collectionPath(KINDS.node)).to.equal('/api/v1/nodes');
    expect(collectionPath(CIDR)).to.equal('/apis/multinic.fms.io/v1/cidrs');
  });

  it('name the namespace of namespaced kinds, and mean all of them without one', () => {
    expect(collectionPath(KINDS.pod, 'kube-system')).to.equal(
      '/api/v1/namespaces/kube-system/pods',
    );
    expect(collectionPath(KINDS.pod)).to.equal('/api/v1/pods');
  });

  it('leave the namespace out for kinds that have none', () => {
    expect(objectPath(KINDS.node, 'sim-1', 'default')).to.equal('/api/v1/nodes/sim-1');
  });

  it('cannot be left by way of a name', () => {
    expect(objectPath(KINDS.node, '../pods?x#y')).to.equal('/api/v1/nodes/..%2Fpods%3Fx%23y');
    expect(objectPath(KINDS.pod, 'a', 'b/c')).to.equal('/api/v1/namespaces/b%2Fc/pods/a');
  });
});

describe('apiVersionOf', () => {
  it('is the bare version in the core group only', () => {
    expect(apiVersionOf(KINDS.node)).to.equal('v1');
    expect(apiVersionOf(CIDR)).to.equal('multinic.fms.io/v1');
  });
});
