import { expect } from 'chai';
import type { JsonObject } from '../../../../../src/sim/base/json.ts';
import {
  expectedOf,
  networks,
  nicsOf,
} from '../../../../../src/sim/operators/multi-nic/networks.ts';

const NETWORK: JsonObject = {
  name: 'net',
  subnet: '192.168.0.0/16',
  hostBlock: 8,
  interfaceBlock: 2,
};
const parse = (...list: readonly JsonObject[]) => networks.parse(list);

/** Where something is wrong, and what. */
const problemsOf = (...list: readonly JsonObject[]): readonly string[] =>
  (networks.safeParse(list).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

describe('a multi-nic network', () => {
  it('uses all interfaces, is routed and excludes nothing, unless it says otherwise', () => {
    expect(parse(NETWORK)[0]).to.deep.equal({
      ...NETWORK,
      vlanMode: 'l3',
      masterNets: [],
      excludeCIDRs: [],
    });
  });

  const good: readonly (readonly [string, JsonObject])[] = [
    ['each of the modes', { vlanMode: 'l2' }],
    ['each of the modes that have routes', { vlanMode: 'l3s' }],
    ['a host bit less than none left for pods', { subnet: '192.168.0.0/19' }],
    ['no bits for hosts and interfaces', { hostBlock: 0, interfaceBlock: 0 }],
    ['the most bits for both', { subnet: '0.0.0.0/0', hostBlock: 16, interfaceBlock: 8 }],
    ['a name of 40 letters', { name: 'n'.repeat(40) }],
    [
      'ranges to use and to leave out',
      { masterNets: ['10.0.0.0/16'], excludeCIDRs: ['10.0.0.0/8'] },
    ],
  ];
  for (const [title, changes] of good)
    it(`may have ${title}`, () => {
      expect(problemsOf({ ...NETWORK, ...changes })).to.be.empty;
    });

  const bad: readonly (readonly [string, JsonObject, string])[] = [
    [
      'a subnet without a length',
      { subnet: '192.168.0.0' },
      '0.subnet: expected an IPv4 CIDR, got "192.168.0.0"',
    ],
    [
      'a subnet of IPv6, which the operator does not know',
      { subnet: 'fd00::/48' },
      '0.subnet: expected an IPv4 CIDR, got "fd00::/48"',
    ],
    [
      'one bit too few for pods',
      { subnet: '192.168.0.0/20' },
      '0.subnet: expected room for pods: 192.168.0.0/20 less 2 bits for interfaces and 8 for hosts leaves 2 of at least 3 bits',
    ],
    [
      'less than nothing for pods',
      { hostBlock: 16 },
      '0.subnet: expected room for pods: 192.168.0.0/16 less 2 bits for interfaces and 16 for hosts leaves -2 of at least 3 bits',
    ],
    ['a name that is no DNS label', { name: 'Net_1' }, '0.name: expected a DNS label'],
    ['a name that ends with a dash', { name: 'net-' }, '0.name: expected a DNS label'],
    [
      'an excluded address without a length',
      { excludeCIDRs: ['10.0.0.0/8', '192.168.0.7'] },
      '0.excludeCIDRs.1: expected an IPv4 CIDR, got "192.168.0.7"',
    ],
    [
      'an interface network that is none',
      { masterNets: ['eth0'] },
      '0.masterNets.0: expected an IPv4 CIDR, got "eth0"',
    ],
  ];
  for (const [title, changes, problem] of bad)
    it(`cannot have ${title}`, () => {
      expect(problemsOf({ ...NETWORK, ...changes })).to.deep.equal([problem]);
    });

  const refused: readonly (readonly [string, JsonObject])[] = [
    ['half a bit', { hostBlock: 1.5 }],
    ['a negative number of bits', { interfaceBlock: -1 }],
    ['more than 16 bits for hosts', { subnet: '0.0.0.0/0', hostBlock: 17 }],
    ['more than 8 bits for interfaces', { subnet: '0.0.0.0/0', interfaceBlock: 9 }],
    ['another mode', { vlanMode: 'l4' }],
    ['a name of 41 letters', { name: 'n'.repeat(41) }],
    ['an unknown key', { hostblock: 8 }],
  ];
  for (const [title, changes] of refused)
    it(`cannot have ${title}`, () => {
      expect(problemsOf({ ...NETWORK, ...changes })).to.have.length(1);
    });
});

describe('the networks of a scenario', () => {
  it('are at least one', () => {
    expect(problemsOf()).to.have.length(1);
  });

  it('have names of their own: the second bearer of a name is told', () => {
    const other = { ...NETWORK, name: 'other' };
    expect(problemsOf(NETWORK, other, NETWORK)).to.deep.equal(['2.name: there is another "net"']);
    expect(problemsOf(NETWORK, other)).to.be.empty;
  });

  it('may have the same range: the operator keeps them apart', () => {
    expect(parse(NETWORK, { ...NETWORK, name: 'other' })).to.have.length(2);
  });
});

describe('the NICs of a fake node', () => {
  it('are named as the scenario says, each in a network of its own', () => {
    expect(nicsOf(['eth0', 'ens5'], 7)).to.deep.equal([
      { interfaceName: 'eth0', netAddress: '10.0.0.0/16', hostIP: '10.0.0.7' },
      { interfaceName: 'ens5', netAddress: '10.1.0.0/16', hostIP: '10.1.0.7' },
    ]);
  });

  it('have addresses beyond 255 nodes', () => {
    const hostIP = (node: number): string | undefined => nicsOf(['eth0'], node)[0]?.hostIP;
    expect([255, 256, 257, 1000].map(hostIP)).to.deep.equal([
      '10.0.0.255',
      '10.0.1.0',
      '10.0.1.1',
      '10.0.3.232',
    ]);
  });
});

describe('the blocks that a node should have', () => {
  const INTERFACES = ['eth0', 'eth1', 'eth2'];
  const expected = (masterNets: readonly string[]) =>
    expectedOf(parse({ ...NETWORK, masterNets })[0]!, INTERFACES);

  it('are one for each interface', () => {
    expect(expected([])).to.deep.equal(
      INTERFACES.map((name) => ({ network: 'net', interface: name, count: 1 })),
    );
  });

  it('are only for interfaces in the networks that it names', () => {
    const nets = ['10.2.0.0/16', '10.0.0.0/16', '10.9.0.0/16'];
    expect(expected(nets).map((blocks) => blocks.interface)).to.deep.equal(['eth0', 'eth2']);
  });
});
