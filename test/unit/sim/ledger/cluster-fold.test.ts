import { expect } from 'chai';
import { multiNicProfile } from '../../../../src/sim/operators/multi-nic/profile.ts';
import {
  NETWORK,
  rawCidr,
  rawDaemonPod,
  rawHostInterface,
  rawNetwork,
  rawPool,
  rowsOf,
} from '../../../helpers/multi-nic-raw.ts';
import { rawNode, WatchedObjects } from '../../../helpers/watched-objects.ts';

const NODES = [1, 2, 10];

describe('ClusterFold', () => {
  let cluster: WatchedObjects;

  beforeEach(() => {
    cluster = new WatchedObjects(multiNicProfile.watched);
    cluster.put('multinicnetworks', rawNetwork(3, 3, 2));
    cluster.put('nodes', ...NODES.map((node) => rawNode(`sim-${node}`)));
    cluster.put('pods', ...NODES.map((node) => rawDaemonPod(node)));
  });

  const value = (name: string): number | undefined => cluster.network.counters.get(name)?.value;
  const fellFrom = (): number | undefined => cluster.network.counters.get('processed')?.fellFrom;
  const report = (processed: number) =>
    cluster
      .put('multinicnetworks', rawNetwork(3, 3, processed))
      .map(({ from, to }) => [from, to] as const);

  it('has the counters of every network', () => {
    expect([value('total'), value('available'), value('processed')]).to.deep.equal([3, 3, 2]);
  });

  it('counts blocks and pools, also those of nodes that are not served', () => {
    cluster.put('cidrs', rawCidr(rowsOf(1, 2, 7)));
    cluster.put('ippools', rawPool(1, 0), rawPool(7, 1));
    expect(cluster.network).to.deep.include({ nodes: 3, blocks: 6, pools: 2 });
    cluster.put('cidrs', rawCidr(rowsOf(1)));
    cluster.remove('ippools', rawPool(7, 1).metadata.name);
    expect(cluster.network).to.deep.include({ blocks: 2, pools: 1 });
  });

  it('names each node once, under the first thing that it lacks, in the order of their numbers', () => {
    expect(cluster.missing).to.deep.equal({ interfaces: ['sim-1', 'sim-2', 'sim-10'] });
    cluster.put('hostinterfaces', rawHostInterface(10, 0, 1), rawHostInterface(2, 0, 1));
    cluster.put('cidrs', rawCidr(rowsOf(10)));
    expect(cluster.missing).to.deep.equal({
      interfaces: ['sim-1'],
      cidr: ['sim-2'],
      pools: ['sim-10'],
    });
  });

  it('knows a network only while it is there, and its counters anew after that', () => {
    cluster.remove('multinicnetworks', NETWORK);
    expect(cluster.fold.networks()).to.deep.equal([]);
    expect(report(1)).to.deep.equal([]);
    expect(value('processed')).to.equal(1);
  });

  it('has no node that is gone', () => {
    cluster.remove('nodes', 'sim-2');
    expect(cluster.network.nodes).to.equal(2);
    expect(cluster.missing).to.deep.equal({ interfaces: ['sim-1', 'sim-10'] });
  });

  describe('marks a counter that falls', () => {
    it('until it has come back', () => {
      expect(report(1)).to.deep.equal([[2, 1]]);
      expect(fellFrom()).to.equal(2);
      expect(report(2)).to.deep.equal([]);
      expect(fellFrom()).to.equal(undefined);
    });

    it('by the highest value, when it falls twice', () => {
      report(3);
      expect(report(2)).to.deep.equal([[3, 2]]);
      expect(report(1)).to.deep.equal([[2, 1]]);
      expect(fellFrom()).to.equal(3);
      report(2);
      expect(fellFrom()).to.equal(3);
    });

    it('but not where it only follows the number of nodes', () => {
      report(3);
      cluster.remove('nodes', 'sim-2');
      expect(report(2)).to.deep.equal([]);
      expect(fellFrom()).to.equal(undefined);
    });
  });
});
