import { expect } from 'chai';
import type { JsonObject } from '../../../../../src/sim/base/json.ts';
import { whereaboutsProfile } from '../../../../../src/sim/operators/whereabouts/profile.ts';
import { HistoryBuilder } from '../../../../helpers/history-builder.ts';
import type { Raw } from '../../../../helpers/multi-nic-raw.ts';
import { rawNode, WatchedObjects } from '../../../../helpers/watched-objects.ts';
import {
  FOUR_SLICES,
  nodeSlicePool,
  projectPool,
  whereaboutsModel,
  whereaboutsScenario,
} from '../../../../helpers/whereabouts-objects.ts';

const WIDE = { name: 'wide', range: '10.0.0.0/16', nodeSliceSize: 24 };
const TWO = { networks: [FOUR_SLICES, WIDE] };

/** A recording of one step from no node to two, in which nothing has happened yet to a pool. */
const begun = (changes: JsonObject = {}): HistoryBuilder =>
  HistoryBuilder.of(whereaboutsScenario(changes)).begin('scale-2').act().node(1).node(2);

const serve = (history: HistoryBuilder, network: string, ...nodeNames: string[]): HistoryBuilder =>
  history.object(
    'nodeslicepools',
    { name: network, namespace: 'whereabouts' },
    projectPool(nodeSlicePool(...nodeNames)),
  );

describe('the whereabouts profile', () => {
  it('has the milestones that its model has', () => {
    expect(whereaboutsModel().milestones.map(({ name }) => name)).to.deep.equal(
      whereaboutsProfile.milestoneNames,
    );
  });

  it('asks nothing of the cluster, and dials nobody', () => {
    const { clusterArguments, daemons, hasPools, counters } = whereaboutsModel();
    expect(clusterArguments).to.deep.equal({});
    expect({ daemons, hasPools, counters }).to.deep.equal({
      daemons: undefined,
      hasPools: false,
      counters: [],
    });
  });

  it('expects one slice of every network for every node', () => {
    expect(whereaboutsModel(TWO).expectedBlocks('sim-1')).to.deep.equal([
      { network: 'macvlan', interface: '', count: 1 },
      { network: 'wide', interface: '', count: 1 },
    ]);
  });

  it('knows the range of each network, and how many slices it has', () => {
    expect(whereaboutsModel(TWO).networks).to.deep.equal([
      { name: 'macvlan', subnets: ['10.128.0.0/22'], excludes: [], blocks: 4 },
      { name: 'wide', subnets: ['10.0.0.0/16'], excludes: [], blocks: 256 },
    ]);
  });

  it('holds a node for served when the pool names it, whatever else is free', () => {
    const history = begun();
    expect(serve(history, 'macvlan', '', '').state()).to.equal('pending');
    expect(serve(history, 'macvlan', 'sim-2', '').state()).to.equal('pending');
    expect(serve(history, 'macvlan', 'sim-2', 'sim-1').state()).to.equal('settling');
  });

  it('with two networks, only when the pools of both name it', () => {
    const history = serve(begun(TWO), 'macvlan', 'sim-1', 'sim-2');
    expect(history.state()).to.equal('pending');
    expect(serve(history, 'wide', 'sim-1', 'sim-2').state()).to.equal('settling');
  });

  it('does not take two slices of one network for one of each', () => {
    const history = serve(begun(TWO), 'macvlan', 'sim-1', 'sim-2', 'sim-1', 'sim-2');
    expect(history.state()).to.equal('pending');
  });

  it('waits until the slices of removed nodes are free', () => {
    const steps = [{ scale: { to: 2 } }, { scale: { to: 1 } }];
    const history = serve(begun({ steps }), 'macvlan', 'sim-1', 'sim-2').at(5000).finish();
    history.begin('scale-1').act().removeNode(2);
    expect(history.state()).to.equal('pending');
    expect(serve(history, 'macvlan', 'sim-1', '').state()).to.equal('settling');
  });

  it('shows of any cluster which nodes have a slice of a network', () => {
    const cluster = new WatchedObjects(whereaboutsProfile.watched);
    cluster.put('nodes', rawNode('a'), rawNode('b'));
    cluster.put('nodeslicepools', nodeSlicePool('b', '') as Raw);
    expect(cluster.network).to.include({ network: 'macvlan', nodes: 2, blocks: 1 });
    expect(cluster.missing).to.deep.equal({ slice: ['a'] });
  });
});
