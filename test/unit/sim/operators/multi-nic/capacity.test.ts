import { expect } from 'chai';
import { capacityOf, hostBlocks } from '../../../../../src/sim/operators/multi-nic/capacity.ts';
import type { Network } from '../../../../../src/sim/operators/multi-nic/networks.ts';

const THREE = ['eth0', 'eth1', 'eth2'];

/** By default four interface blocks of /18, each of 256 host blocks of /26. */
const network = (changes: Partial<Network> = {}): Network => ({
  name: 'net',
  subnet: '192.168.0.0/16',
  hostBlock: 8,
  interfaceBlock: 2,
  vlanMode: 'l3',
  masterNets: [],
  excludeCIDRs: [],
  ...changes,
});

describe('the free host blocks of a network', () => {
  const free = (changes: Partial<Network>, interfaces = 2): readonly number[] =>
    hostBlocks(network(changes), interfaces);

  const rows: readonly (readonly [string, Partial<Network>, readonly number[]])[] = [
    ['are 2^hostBlock for each interface', {}, [256, 256]],
    ['are one each with no bits for hosts', { hostBlock: 0 }, [1, 1]],
    ['are of one interface only, with no bits for interfaces', { interfaceBlock: 0 }, [256]],
    [
      'are fewer by an excluded range of whole blocks',
      { excludeCIDRs: ['192.168.0.0/24'] },
      [252, 256],
    ],
    [
      'are fewer on the interface in whose range the exclude lies',
      { excludeCIDRs: ['192.168.64.0/19'] },
      [256, 128],
    ],
    [
      'are fewer by a range of exactly one block, at either end',
      { excludeCIDRs: ['192.168.0.0/26', '192.168.127.192/26'] },
      [255, 255],
    ],
    [
      'are as many with an excluded range smaller than a block',
      { excludeCIDRs: ['192.168.0.0/28', '192.168.64.7/32'] },
      [256, 256],
    ],
    [
      'are fewer only once by ranges that lie within one another',
      { excludeCIDRs: ['192.168.0.0/25', '192.168.0.0/24', '192.168.0.0/24', '192.168.0.64/26'] },
      [252, 256],
    ],
    [
      'are those of the next interface blocks when the first is excluded',
      { excludeCIDRs: ['192.168.0.0/18', '192.168.64.0/24'] },
      [252, 256],
    ],
    [
      'are of as many interfaces as are left',
      { excludeCIDRs: ['192.168.0.0/17', '192.168.192.0/18'] },
      [256],
    ],
    [
      'are counted the same in the largest network that can be asked for',
      {
        subnet: '10.0.0.0/8',
        hostBlock: 16,
        interfaceBlock: 5,
        excludeCIDRs: ['10.0.0.0/13', '10.8.0.0/14', '10.12.0.0/29'],
      },
      [2 ** 15 - 1, 2 ** 16],
    ],
    ['are none when all is excluded', { excludeCIDRs: ['192.168.0.0/16'] }, []],
    ['are none when more than all is excluded', { excludeCIDRs: ['192.0.0.0/8'] }, []],
    ['are as many with an exclude elsewhere', { excludeCIDRs: ['10.0.0.0/8'] }, [256, 256]],
    [
      'are counted from where the range begins, not from the address it is written with',
      { subnet: '192.168.7.9/16', excludeCIDRs: ['192.168.0.9/26'] },
      [255, 256],
    ],
  ];
  for (const [title, changes, expected] of rows)
    it(title, () => {
      expect(free(changes)).to.deep.equal(expected);
    });
});

describe('the capacity of a network', () => {
  const lines = (nodes: number, changes: Partial<Network> = {}, interfaces = THREE) =>
    capacityOf(network(changes), interfaces, nodes);
  const figures = (nodes: number, changes: Partial<Network> = {}) =>
    lines(nodes, changes).map(({ needed, available }) => [needed, available]);

  it('is a host block for every node, and an interface block for every interface', () => {
    expect(lines(200)).to.deep.equal([
      {
        network: 'net',
        needed: 200,
        available: 256,
        milestones: ['cidr', 'pools', 'routes', 'leases'],
        text: '200 nodes need 200 host blocks per interface; hostBlock 8 gives 2^8 = 256 blocks',
        remedy: 'raise hostBlock',
      },
      {
        network: 'net',
        needed: 3,
        available: 4,
        milestones: ['cidr', 'pools', 'routes', 'leases'],
        text: '3 interfaces need 3 interface blocks; interfaceBlock 2 gives 2^2 = 4 blocks',
        remedy: 'raise interfaceBlock, or use fewer interfaces',
        isVital: true,
      },
    ]);
  });

  it('counts the interfaces that the network uses', () => {
    expect(figures(1, { masterNets: ['10.0.0.0/16', '10.2.0.0/16'] })[1]).to.deep.equal([2, 4]);
  });

  it('is that of the interface with the fewest blocks: a node needs one on each', () => {
    expect(figures(1, { excludeCIDRs: ['192.168.64.0/19'] })[0]).to.deep.equal([1, 128]);
  });

  it('does not mind what is excluded of interface blocks that nobody uses', () => {
    const changes = { excludeCIDRs: ['192.168.192.0/19'] };
    expect(figures(1, changes)[0]).to.deep.equal([1, 256]);
  });

  it('leaves out the excluded blocks, and shows the arithmetic', () => {
    const texts = lines(1, { excludeCIDRs: ['192.168.0.0/18', '192.168.64.0/24'] });
    expect(texts.map(({ text }) => text)).to.deep.equal([
      '1 nodes need 1 host blocks per interface; hostBlock 8 gives 2^8 = 256, less 4 excluded = 252 blocks',
      '3 interfaces need 3 interface blocks; interfaceBlock 2 gives 2^2 = 4, less 1 excluded = 3 blocks',
    ]);
  });

  it('is nothing when all is excluded', () => {
    expect(figures(1, { excludeCIDRs: ['192.168.0.0/16'] })).to.deep.equal([
      [1, 0],
      [3, 0],
    ]);
  });
});
