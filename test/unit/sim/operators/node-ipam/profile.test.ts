import { expect } from 'chai';
import type { JsonObject } from '../../../../../src/sim/base/json.ts';
import type { OperatorModel } from '../../../../../src/sim/model/operator-profile.ts';
import { nodeIpamProfile } from '../../../../../src/sim/operators/node-ipam/profile.ts';
import { HistoryBuilder } from '../../../../helpers/history-builder.ts';
import { loadSource, planned, scenarioOf } from '../../../../helpers/planned-scenario.ts';
import { rawNode, WatchedObjects } from '../../../../helpers/watched-objects.ts';

const FOUR = { name: 'four', range: '10.244.0.0/16', nodeMask: 24 };
const SIX = { name: 'six', range: 'fd00:10:244::/48', nodeMask: 64 };
const DUAL = { networks: [FOUR, SIX] };

const modelOf = (changes: JsonObject): OperatorModel => planned(scenarioOf(changes)).model;

describe('the node-ipam profile', () => {
  it('has the milestones that its model has', () => {
    expect(modelOf({}).milestones.map(({ name }) => name)).to.deep.equal(
      nodeIpamProfile.milestoneNames,
    );
  });

  it('refuses two ranges of one name, by which they could not be told apart', () => {
    const result = loadSource(scenarioOf({ networks: [FOUR, { ...SIX, name: 'four' }] }));
    expect(result).to.have.nested.property('problems[0].message', 'there is another "four"');
  });

  describe('tells the controller-manager', () => {
    const argumentsOf = (changes: JsonObject) =>
      modelOf(changes).clusterArguments['kube-controller-manager'];

    it('one range and its mask', () => {
      expect(argumentsOf({})).to.deep.equal({
        'allocate-node-cidrs': 'true',
        'cluster-cidr': '10.244.0.0/16',
        'leader-elect': 'true',
        'node-cidr-mask-size': '24',
      });
    });

    it('two ranges and their masks by family', () => {
      expect(argumentsOf(DUAL)).to.deep.equal({
        'allocate-node-cidrs': 'true',
        'cluster-cidr': '10.244.0.0/16,fd00:10:244::/48',
        'leader-elect': 'true',
        'node-cidr-mask-size-ipv4': '24',
        'node-cidr-mask-size-ipv6': '64',
      });
    });

    it('whether to take a lease', () => {
      const operator = { profile: 'node-ipam', leaderElect: false };
      expect(argumentsOf({ operator })).to.include({ 'leader-elect': 'false' });
    });
  });

  describe('holds a node for served', () => {
    const state = (networks: JsonObject[], ...podCIDRs: readonly string[]) =>
      HistoryBuilder.of(scenarioOf({ networks, steps: [{ scale: { to: 1 } }] }))
        .begin('scale-1')
        .act()
        .serve(1, ...podCIDRs)
        .state();

    it('when it has a block', () => {
      expect(state([FOUR], '10.244.0.0/24')).to.equal('settling');
    });

    it('in dual-stack, only when it has one of each', () => {
      expect(state([FOUR, SIX], '10.244.0.0/24')).to.equal('pending');
      expect(state([FOUR, SIX], '10.244.0.0/24', 'fd00:10:244::/64')).to.equal('settling');
    });
  });

  it('gives a block to the network whose range it lies in, else to that of its family', () => {
    const history = HistoryBuilder.of(scenarioOf(DUAL))
      .serve(1, '10.244.0.0/24', 'fd00:10:244::/64')
      .serve(2, '10.99.0.0/24', 'fd99::/64')
      .serve(3, 'nonsense');
    const blocks = history.result().ledger.facts('block');
    expect(blocks.map(({ fact }) => `${fact.node} ${fact.network} ${fact.cidr}`)).to.deep.equal([
      'sim-1 four 10.244.0.0/24',
      'sim-1 six fd00:10:244::/64',
      'sim-2 four 10.99.0.0/24',
      'sim-2 six fd99::/64',
      'sim-3 four nonsense',
    ]);
  });

  it('expects one block of every network for every node', () => {
    expect(modelOf(DUAL).expectedBlocks('sim-1')).to.deep.equal([
      { network: 'four', interface: '', count: 1 },
      { network: 'six', interface: '', count: 1 },
    ]);
  });

  it('knows how many blocks each network has', () => {
    expect(modelOf(DUAL).networks).to.deep.equal([
      { name: 'four', subnets: ['10.244.0.0/16'], excludes: [], blocks: 256 },
      { name: 'six', subnets: ['fd00:10:244::/48'], excludes: [], blocks: 65_536 },
    ]);
  });

  describe('takes for a write of the controller', () => {
    const unrest = modelOf({}).resources[0]?.unrest;
    const isUnrest = (before: JsonObject | undefined, after: JsonObject | undefined): boolean =>
      typeof unrest === 'function' && unrest({ before, after });
    const none = { podCIDRs: [], ready: 'True' };
    const served = { podCIDRs: ['10.244.0.0/24'], ready: 'True' };

    it('only a change of the blocks', () => {
      expect(isUnrest(none, served)).to.be.true;
      expect(isUnrest(served, none)).to.be.true;
      expect(isUnrest(served, { ...served, ready: 'Unknown' })).to.be.false;
    });

    it('not the coming or going of a node: that is the work of the step', () => {
      expect(isUnrest(undefined, none)).to.be.false;
      expect(isUnrest(served, undefined)).to.be.false;
    });
  });

  describe('accepts', () => {
    const isAccepted = (networks: JsonObject[]): boolean => loadSource(scenarioOf({ networks })).ok;
    const rows: readonly (readonly [string, boolean, JsonObject[]])[] = [
      ['one IPv6 range', true, [SIX]],
      ['one range of each family, in either order', true, [SIX, FOUR]],
      ['no network', false, []],
      ['three networks', false, [FOUR, SIX, { ...FOUR, name: 'more' }]],
      ['a mask 16 bits longer than its range', true, [{ ...SIX, nodeMask: 64 }]],
      [
        'a mask 17 bits longer, which the controller-manager refuses',
        false,
        [{ ...SIX, nodeMask: 65 }],
      ],
      ['a mask as long as an address', true, [{ ...FOUR, nodeMask: 32 }]],
      ['a name that is no DNS label', false, [{ ...FOUR, name: 'Pods_1' }]],
      ['an unknown key', false, [{ ...FOUR, size: 3 }]],
    ];
    for (const [title, isGood, networks] of rows)
      it(`${isGood ? '' : 'not '}${title}`, () => {
        expect(isAccepted(networks)).to.equal(isGood);
      });
  });

  it('shows of any cluster which nodes have a podCIDR, of whatever range', () => {
    const cluster = new WatchedObjects(nodeIpamProfile.watched);
    cluster.put('nodes', rawNode('a', '10.0.0.0/24', 'fd00::/64'), rawNode('b'), rawNode('c'));
    expect(cluster.network).to.include({ network: 'pods', nodes: 3, blocks: 2 });
    expect(cluster.missing).to.deep.equal({ cidr: ['b', 'c'] });
    cluster.put('nodes', rawNode('b', '10.0.1.0/24'));
    expect(cluster.missing).to.deep.equal({ cidr: ['c'] });
  });
});
