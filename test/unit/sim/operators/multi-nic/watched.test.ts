import { expect } from 'chai';
import { multiNicProfile } from '../../../../../src/sim/operators/multi-nic/profile.ts';
import { WATCHED_MULTI_NIC } from '../../../../../src/sim/operators/multi-nic/watched.ts';
import {
  allocationOf,
  blockOf,
  rawCidr,
  rawDaemonPod,
  rawHostInterface,
  rawNetwork,
  rawPool,
  rowsOf,
} from '../../../../helpers/multi-nic-raw.ts';
import { rawNode, WatchedObjects } from '../../../../helpers/watched-objects.ts';

const POOLS = [1, 2].flatMap((node) => [rawPool(node, 0), rawPool(node, 1)]);

describe('a cluster with multi-nic', () => {
  let cluster: WatchedObjects;

  /** Two nodes that lack nothing, and one without a daemon. */
  beforeEach(() => {
    cluster = new WatchedObjects(WATCHED_MULTI_NIC);
    cluster.put('multinicnetworks', rawNetwork(2, 2, 2));
    cluster.put('nodes', rawNode('sim-1'), rawNode('sim-2'), rawNode('control-plane'));
    cluster.put('pods', rawDaemonPod(1), rawDaemonPod(2));
    cluster.put('hostinterfaces', rawHostInterface(1, 0, 1), rawHostInterface(2, 0, 1));
    cluster.put('cidrs', rawCidr(rowsOf(1, 2)));
    cluster.put('ippools', ...POOLS);
  });

  it('has milestones that its model has, too', () => {
    const names = WATCHED_MULTI_NIC.milestones.map(({ name }) => name);
    expect(multiNicProfile.milestoneNames).to.include.members(names);
  });

  it('asks nothing of nodes without a daemon', () => {
    expect(cluster.missing).to.deep.equal({});
    expect(cluster.network.nodes).to.equal(2);
  });

  it('has its daemons in any namespace', () => {
    const pod = rawDaemonPod(1);
    cluster.remove('pods', 'multi-nicd-1');
    cluster.put('pods', { ...pod, metadata: { ...pod.metadata, namespace: 'elsewhere' } });
    expect(cluster.network.nodes).to.equal(2);
  });

  it('says of a daemon that it is not ready', () => {
    cluster.put('pods', rawDaemonPod(2, { conditions: [{ type: 'Ready', status: 'False' }] }));
    expect(cluster.missing).to.deep.equal({ daemon: ['sim-2'] });
  });

  it('lacks a block where a node has an interface on a network that others have blocks on', () => {
    cluster.put('cidrs', rawCidr([...rowsOf(1), { node: 2, nic: 0 }]));
    expect(cluster.missing).to.deep.equal({ cidr: ['sim-2'] });
  });

  it('lacks no block on an interface network that nobody has blocks on', () => {
    const rows = [1, 2].map((node) => ({ node, nic: 0 }));
    cluster.put('cidrs', rawCidr(rows));
    expect(cluster.missing).to.deep.equal({});
  });

  it('lacks no block on an interface that a node has not', () => {
    cluster.put('hostinterfaces', rawHostInterface(3, 0));
    cluster.put('nodes', rawNode('sim-3'));
    cluster.put('pods', rawDaemonPod(3));
    cluster.put('cidrs', rawCidr([...rowsOf(1, 2), { node: 3, nic: 0 }]));
    cluster.put('ippools', rawPool(3, 0));
    expect(cluster.missing).to.deep.equal({});
  });

  it('lacks a pool where it is of another range', () => {
    const { name } = rawPool(2, 1).metadata;
    cluster.put('ippools', rawPool(2, 1, { podCIDR: blockOf(9, 1) }, name));
    expect(cluster.missing).to.deep.equal({ pools: ['sim-2'] });
  });

  it('keeps nothing of the addresses that are given out', () => {
    const pools = WATCHED_MULTI_NIC.resources.find(({ id }) => id === 'ippools');
    const raw = rawPool(1, 0, { allocations: [allocationOf(1, 0, 'a', 1)] });
    expect(pools?.project(raw)).to.deep.equal(pools?.project(rawPool(1, 0)));
  });
});
