import { expect } from 'chai';
import type { JsonObject } from '../../../../../src/sim/base/json.ts';
import type { OperatorModel } from '../../../../../src/sim/model/operator-profile.ts';
import { multiNicProfile } from '../../../../../src/sim/operators/multi-nic/profile.ts';
import { planScenario } from '../../../../../src/sim/plan/plan.ts';
import { formatProblem } from '../../../../../src/sim/scenario/problem.ts';
import { multiNicScenario } from '../../../../helpers/multi-nic-raw.ts';
import { loadSource, planned } from '../../../../helpers/planned-scenario.ts';

const NETWORK: JsonObject = {
  name: 'net',
  subnet: '192.168.0.0/16',
  hostBlock: 8,
  interfaceBlock: 2,
};
const modelOf = (changes: JsonObject = {}): OperatorModel =>
  planned(multiNicScenario(changes)).model;

/** Where something is wrong with a scenario, and what. */
function problemsOf(changes: JsonObject): readonly string[] {
  const result = loadSource(multiNicScenario(changes));
  return result.ok ? [] : result.problems.map(formatProblem).map(withoutPlace);
}
const withoutPlace = (problem: string): string => problem.replace(/^test\.yaml:\d+:\d+ /, '');

/** Why a scenario cannot be planned. */
function refusalsOf(changes: JsonObject): readonly string[] {
  const result = loadSource(multiNicScenario(changes));
  if (!result.ok) throw new Error(result.problems.map(formatProblem).join('\n'));
  const { scenario, profile } = result.loaded;
  const plan = planScenario(scenario, profile);
  return plan.ok ? [] : plan.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('the multi-nic profile', () => {
  it('has the milestones and counters that its model has', () => {
    const { milestones, counters } = modelOf();
    expect(milestones.map(({ name }) => name)).to.deep.equal(multiNicProfile.milestoneNames);
    expect(counters).to.deep.equal(multiNicProfile.counterNames);
  });

  it('expects everything of a step by its goal', () => {
    expect(planned(multiNicScenario()).plan.steps[0]?.goal).to.deep.equal({
      nodes: { from: 1, to: 2 },
      milestones: ['daemon', 'interfaces', 'cidr', 'pools', 'routes'],
      servedAtMost: {},
    });
  });

  describe('with nothing said', () => {
    const { nodes: _, ...source } = multiNicScenario();
    const { scenario, model } = planned(source);

    it('gives every node three interfaces', () => {
      expect(scenario.nodes['interfaces']).to.deep.equal(['eth0', 'eth1', 'eth2']);
      expect(model.expectedBlocks('sim-1')).to.have.length(3);
    });

    it('has daemons on port 11000, which know their NICs', () => {
      expect(model.daemons?.port).to.equal(11_000);
      expect(model.daemons?.nics(2).map(({ hostIP }) => hostIP)).to.deep.equal([
        '10.0.0.2',
        '10.1.0.2',
        '10.2.0.2',
      ]);
    });

    it('runs the reference controller', () => {
      expect(scenario.operator.controller).to.deep.include({ kind: 'reference' });
    });
  });

  it('takes another port for the daemons', () => {
    const operator = { profile: 'multi-nic', daemonPort: 12_345 };
    expect(modelOf({ operator }).daemons?.port).to.equal(12_345);
  });

  describe('with several networks', () => {
    const model = modelOf({
      networks: [
        { ...NETWORK, excludeCIDRs: ['192.168.64.0/19'] },
        { ...NETWORK, name: 'flat', vlanMode: 'l2', masterNets: ['10.1.0.0/16'] },
        { ...NETWORK, name: 'other', vlanMode: 'l3s' },
      ],
    });

    it('expects the blocks of all of them', () => {
      const blocks = model.expectedBlocks('sim-1').map((one) => `${one.network} ${one.interface}`);
      expect(blocks).to.deep.equal([
        'net eth0',
        'net eth1',
        'flat eth1',
        'other eth0',
        'other eth1',
      ]);
    });

    it('expects routes on those of layer 3', () => {
      expect(model.routedNetworks).to.deep.equal(['net', 'other']);
    });

    it('knows the frame and the free blocks of each', () => {
      expect(model.networks).to.deep.equal([
        { name: 'net', subnets: ['192.168.0.0/16'], excludes: ['192.168.64.0/19'], blocks: 384 },
        { name: 'flat', subnets: ['192.168.0.0/16'], excludes: [], blocks: 256 },
        { name: 'other', subnets: ['192.168.0.0/16'], excludes: [], blocks: 512 },
      ]);
    });

    it('has two lines of arithmetic for each', () => {
      expect(model.capacity(10, 0).map(({ network, needed }) => [network, needed])).to.deep.equal([
        ['net', 10],
        ['net', 2],
        ['flat', 10],
        ['flat', 1],
        ['other', 10],
        ['other', 2],
      ]);
    });
  });

  describe('says where a mistake is, and what was expected', () => {
    const network = (changes: JsonObject): JsonObject => ({
      networks: [{ ...NETWORK, ...changes }],
    });
    const rows: readonly (readonly [string, JsonObject, string])[] = [
      [
        'a subnet that is no CIDR',
        network({ subnet: '192.168.0.0' }),
        'networks[0].subnet: expected an IPv4 CIDR, got "192.168.0.0"',
      ],
      [
        'a range without room for pods',
        network({ hostBlock: 12 }),
        'networks[0].subnet: expected room for pods: 192.168.0.0/16 less 2 bits for interfaces and 12 for hosts leaves 2 of at least 3 bits',
      ],
      [
        'two networks of one name',
        { networks: [NETWORK, NETWORK] },
        'networks[1].name: there is another "net"',
      ],
      [
        'a misspelt key',
        network({ excludeCidrs: [] }),
        'networks[0].excludeCidrs: unknown key "excludeCidrs", did you mean "excludeCIDRs"?',
      ],
      [
        'an excluded range that is none',
        network({ excludeCIDRs: ['all'] }),
        'networks[0].excludeCIDRs[0]: expected an IPv4 CIDR, got "all"',
      ],
      [
        'an interface with a name that the kernel would refuse',
        { nodes: { interfaces: ['eth0', 'an-interface-too-long'] } },
        'nodes.interfaces[1]: expected the name of an interface',
      ],
      [
        'a misspelt key of the nodes',
        { nodes: { interface: ['eth0'] } },
        'nodes.interface: unknown key "interface", did you mean "interfaces"?',
      ],
      [
        'a threshold on a counter that the operator does not have',
        { expect: ['regressions(done) == 0'] },
        'expect[0]: unknown metric "done", expected one of daemon, interfaces, cidr, pools, routes',
      ],
    ];
    for (const [title, changes, problem] of rows)
      it(`given ${title}`, () => {
        const problems = problemsOf(changes);
        expect(problems).to.have.length(1);
        expect(problems[0]?.slice(0, problem.length)).to.equal(problem);
      });

    it('given no interfaces, or a port that needs privileges', () => {
      expect(problemsOf({ nodes: { interfaces: [] } })[0]).to.match(/^nodes\.interfaces: /);
      const operator = { profile: 'multi-nic', daemonPort: 80 };
      expect(problemsOf({ operator })[0]).to.match(/^operator\.daemonPort: /);
    });

    it('given several, all at once', () => {
      const nodes = { interfaces: ['eth 0'] };
      expect(problemsOf({ ...network({ subnet: 'x', vlanMode: 'l4' }), nodes })).to.have.length(3);
    });
  });

  describe('refuses what cannot fit', () => {
    it('for want of host blocks, with the arithmetic', () => {
      const networks = [{ ...NETWORK, hostBlock: 1 }];
      const steps = [{ scale: { to: 3 } }];
      expect(refusalsOf({ networks, steps })).to.deep.equal([
        'networks.0: network "net" is too small: 3 nodes need 3 host blocks per interface; hostBlock 1 gives 2^1 = 2 blocks; ' +
          '1 block short; raise hostBlock, or say `overflow: expected`',
      ]);
    });

    it('for want of interface blocks, of the network that is too small', () => {
      const networks = [NETWORK, { ...NETWORK, name: 'other', interfaceBlock: 0 }];
      expect(refusalsOf({ networks })).to.have.length(1);
      expect(refusalsOf({ networks })[0]).to.contain(
        'networks.1: network "other" can serve no node: 2 interfaces need 2 interface blocks',
      );
    });

    it('for want of interface blocks also where overflow is expected: no node could be served', () => {
      const networks = [{ ...NETWORK, interfaceBlock: 0 }];
      expect(refusalsOf({ networks, overflow: 'expected' })).to.have.length(1);
    });

    it('when a network uses none of the interfaces that the nodes have', () => {
      const networks = [{ ...NETWORK, masterNets: ['10.0.0.0/24'] }];
      expect(refusalsOf({ networks })).to.deep.equal([
        'networks.0: network "net" can serve no node: masterNets names none of the interface networks of the nodes: ' +
          'eth0 is in 10.0.0.0/16, eth1 is in 10.1.0.0/16; name some of these, or leave masterNets out',
      ]);
    });

    it('but not nodes that fit exactly', () => {
      const networks = [{ ...NETWORK, hostBlock: 1, interfaceBlock: 1 }];
      expect(refusalsOf({ networks })).to.be.empty;
    });
  });
});
