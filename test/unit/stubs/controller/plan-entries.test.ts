import { expect } from 'chai';
import type { Entry } from '../../../../src/stubs/controller/objects.ts';
import { blocksOn, hostOf, hostsOf, networkOf, plan } from '../../../helpers/planned-network.ts';
import { nic } from '../../../helpers/test-fleet.ts';

const BOTH = ['eth1', 'eth2'];
const ETH2 = '10.2.0.0/16';
const networkNames = (entries: readonly Entry[]): readonly string[] =>
  entries.map(({ netAddress }) => netAddress);
const indexes = (entries: readonly Entry[]): readonly (readonly [string, number])[] =>
  entries.map(({ netAddress, interfaceIndex }) => [netAddress, interfaceIndex]);

describe('a plan of blocks', () => {
  it('says all that a CIDR object holds', () => {
    const { entries, starved } = plan(networkOf(), [hostOf(1, BOTH)]);
    expect(starved).to.deep.equal([]);
    expect(entries).to.deep.equal([
      {
        netAddress: '10.1.0.0/16',
        interfaceIndex: 0,
        vlanCIDR: '192.168.0.0/17',
        hosts: [
          {
            hostIndex: 0,
            hostName: 'sim-1',
            interfaceName: 'eth1',
            hostIP: '10.1.0.1',
            podCIDR: '192.168.0.0/19',
            ippool: 'net-192.168.0.0-19',
          },
        ],
      },
      {
        netAddress: ETH2,
        interfaceIndex: 1,
        vlanCIDR: '192.168.128.0/17',
        hosts: [
          {
            hostIndex: 0,
            hostName: 'sim-1',
            interfaceName: 'eth2',
            hostIP: '10.2.0.1',
            podCIDR: '192.168.128.0/19',
            ippool: 'net-192.168.128.0-19',
          },
        ],
      },
    ]);
  });

  it('gives the lowest free block to each host in turn', () => {
    expect(blocksOn(plan(networkOf(), hostsOf(1, 2, 3)).entries)).to.deep.equal({
      'sim-1': '192.168.0.0/19',
      'sim-2': '192.168.32.0/19',
      'sim-3': '192.168.64.0/19',
    });
  });

  it('is the same for the same hosts, and changes nothing when it is made again', () => {
    const network = networkOf({ excludeCIDRs: ['192.168.0.0/19'] });
    const hosts = [hostOf(1, BOTH), hostOf(2, ['eth2']), hostOf(3)];
    const first = plan(network, hosts);
    expect(plan(network, hosts)).to.deep.equal(first);
    expect(JSON.stringify(plan(network, hosts, first.entries))).to.equal(JSON.stringify(first));
  });

  it('leaves every host its block when others join, even before it in the order', () => {
    const network = networkOf();
    const before = plan(network, hostsOf(2, 4)).entries;
    const after = blocksOn(plan(network, hostsOf(1, 2, 3, 4), before).entries);
    expect(after).to.deep.equal({
      'sim-1': '192.168.64.0/19',
      'sim-2': '192.168.0.0/19',
      'sim-3': '192.168.96.0/19',
      'sim-4': '192.168.32.0/19',
    });
  });

  it('leaves every host its block when others go, and frees what those had', () => {
    const network = networkOf();
    const before = plan(network, hostsOf(1, 2, 3)).entries;
    const fewer = plan(network, hostsOf(1, 3), before).entries;
    expect(blocksOn(fewer)).to.deep.equal({
      'sim-1': '192.168.0.0/19',
      'sim-3': '192.168.64.0/19',
    });
    expect(blocksOn(plan(network, hostsOf(1, 3, 4), fewer).entries)).to.deep.equal({
      'sim-1': '192.168.0.0/19',
      'sim-3': '192.168.64.0/19',
      'sim-4': '192.168.32.0/19',
    });
  });

  it('gives a block to another host in the same pass in which it becomes free', () => {
    const network = networkOf({ hostBlock: 1 });
    const before = plan(network, hostsOf(1, 2)).entries;
    const { entries, starved } = plan(network, hostsOf(2, 3), before);
    expect(starved).to.deep.equal([]);
    expect(blocksOn(entries)).to.deep.equal({
      'sim-2': '192.168.64.0/18',
      'sim-3': '192.168.0.0/18',
    });
  });

  it('names the hosts for which there is no block, until one becomes free', () => {
    const network = networkOf();
    const full = plan(network, hostsOf(1, 2, 3, 4, 5, 6));
    expect(full.starved).to.deep.equal(['sim-5', 'sim-6']);
    expect(Object.keys(blocksOn(full.entries))).to.have.length(4);
    const { entries, starved } = plan(network, hostsOf(1, 3, 4, 5, 6), full.entries);
    expect(starved).to.deep.equal(['sim-6']);
    expect(blocksOn(entries)).to.include({ 'sim-5': '192.168.32.0/19' });
  });

  it('gives out every block of a network, each once', () => {
    const hosts = hostsOf(...Array.from({ length: 256 }, (_, i) => i + 1));
    const { entries, starved } = plan(networkOf({ hostBlock: 8 }), [...hosts, hostOf(257)]);
    expect(starved).to.deep.equal(['sim-257']);
    const blocks = Object.values(blocksOn(entries));
    expect(new Set(blocks).size).to.equal(256);
    expect(blocks.at(-1)).to.equal('192.168.127.128/25');
  });

  it('gives a network of one host per interface to one host', () => {
    const { entries, starved } = plan(networkOf({ hostBlock: 0 }), hostsOf(1, 2));
    expect(blocksOn(entries)).to.deep.equal({ 'sim-1': '192.168.0.0/17' });
    expect(starved).to.deep.equal(['sim-2']);
  });

  it('counts blocks for each interface network by itself', () => {
    const hosts = [hostOf(1, ['eth2']), hostOf(2, BOTH), hostOf(3)];
    const { entries } = plan(networkOf(), hosts);
    expect(blocksOn(entries, ETH2)).to.deep.equal({
      'sim-1': '192.168.0.0/19',
      'sim-2': '192.168.32.0/19',
    });
    expect(blocksOn(entries)).to.deep.equal({
      'sim-2': '192.168.128.0/19',
      'sim-3': '192.168.160.0/19',
    });
  });

  it('follows the name and the address of an interface without moving the block', () => {
    const network = networkOf();
    const before = plan(network, hostsOf(1, 2)).entries;
    const renamed = { ...nic('eth1', 2), interfaceName: 'ens5', hostIP: '10.1.9.9' };
    const [entry] = plan(network, [hostOf(1), { name: 'sim-2', nics: [renamed] }], before).entries;
    expect(entry?.hosts[1]).to.deep.include({
      interfaceName: 'ens5',
      hostIP: '10.1.9.9',
      podCIDR: '192.168.32.0/19',
    });
  });
});

describe('the interface networks of a plan', () => {
  it('lose a host whose interface is taken away, and no other', () => {
    const network = networkOf();
    const before = plan(network, [hostOf(1, BOTH), hostOf(2, BOTH)]).entries;
    const { entries } = plan(network, [hostOf(1, ['eth2']), hostOf(2, BOTH)], before);
    expect(blocksOn(entries)).to.deep.equal({ 'sim-2': '192.168.32.0/19' });
    expect(blocksOn(entries, ETH2)).to.deep.equal(blocksOn(before, ETH2));
  });

  it('are all that hosts have, while none are named', () => {
    expect(indexes(plan(networkOf(), [hostOf(1, ['eth2', 'eth1'])]).entries)).to.deep.equal([
      [ETH2, 0],
      ['10.1.0.0/16', 1],
    ]);
  });

  it('are only those that are named, in their order, with an index for those that nobody has yet', () => {
    const network = networkOf({
      interfaceBlock: 2,
      masterNets: ['10.9.0.0/16', ETH2, '10.1.0.0/16'],
    });
    const { entries } = plan(network, [hostOf(1, ['eth1', 'eth2', 'eth3'])]);
    expect(indexes(entries)).to.deep.equal([
      [ETH2, 1],
      ['10.1.0.0/16', 2],
    ]);
    const joined = plan(network, [hostOf(1, BOTH), hostOf(2, ['eth9'])], entries).entries;
    expect(new Map(indexes(joined)).get('10.9.0.0/16')).to.equal(0);
  });

  it('keep their index when others come, and give it up with their last host', () => {
    const network = networkOf();
    const two = plan(network, [hostOf(1), hostOf(2, ['eth2'])]).entries;
    const one = plan(network, [hostOf(2, ['eth2'])], two).entries;
    expect(indexes(one)).to.deep.equal([[ETH2, 1]]);
    expect(
      indexes(plan(network, [hostOf(2, ['eth2']), hostOf(3, ['eth3'])], one).entries),
    ).to.deep.equal([
      [ETH2, 1],
      ['10.3.0.0/16', 0],
    ]);
  });

  it('are left out when there are more than the network has room for', () => {
    const { entries } = plan(networkOf(), [hostOf(1, ['eth1', 'eth2', 'eth3'])]);
    expect(networkNames(entries)).to.deep.equal(['10.1.0.0/16', ETH2]);
  });

  it('are none without hosts', () => {
    expect(plan(networkOf({ masterNets: [ETH2] }), [])).to.deep.equal({ entries: [], starved: [] });
  });
});
