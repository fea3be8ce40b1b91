import { expect } from 'chai';
import { networkPlan, poolName } from '../../../../src/stubs/controller/plan-entries.ts';
import { blocksOn, hostOf, hostsOf, networkOf, plan } from '../../../helpers/planned-network.ts';

describe('what is excluded from a network', () => {
  const first = (exclude: string): string | undefined =>
    blocksOn(plan(networkOf({ excludeCIDRs: [exclude] }), hostsOf(1)).entries)['sim-1'];

  it('is given to nobody when it covers a block', () => {
    expect(first('192.168.0.0/19')).to.equal('192.168.32.0/19');
    expect(first('192.168.0.0/18')).to.equal('192.168.64.0/19');
  });

  it('leaves a block alone of which it covers a part', () => {
    expect(first('192.168.0.0/28')).to.equal('192.168.0.0/19');
  });

  it('takes the whole range of an interface network when it covers that', () => {
    const { entries } = plan(networkOf({ excludeCIDRs: ['192.168.0.0/17'] }), [
      hostOf(1, ['eth1', 'eth2']),
    ]);
    expect(entries.map(({ vlanCIDR }) => vlanCIDR)).to.deep.equal(['192.168.128.0/17']);
  });

  it('counts against the room', () => {
    const network = networkOf({ excludeCIDRs: ['192.168.32.0/19', '192.168.64.0/18'] });
    const { entries, starved } = plan(network, hostsOf(1, 2));
    expect(blocksOn(entries)).to.deep.equal({ 'sim-1': '192.168.0.0/19' });
    expect(starved).to.deep.equal(['sim-2']);
  });
});

describe('a network, read from its object', () => {
  for (const [vlanMode, routed] of [
    ['l2', false],
    ['l3', true],
    ['l3s', true],
  ] as const)
    it(`has ${routed ? 'routes' : 'no routes'} in mode ${vlanMode}`, () => {
      expect(networkOf({ vlanMode }).routed).to.equal(routed);
    });

  it('begins at the first address of its subnet, and its pools are named after their blocks', () => {
    const ipam = { hostBlock: 8, interfaceBlock: 2, excludeCIDRs: [], vlanMode: 'l3' };
    expect(networkPlan('net-a', '192.168.7.9/16', ipam, []).subnet).to.deep.equal({
      base: 192 * 2 ** 24 + 168 * 2 ** 16,
      prefix: 16,
    });
    expect(poolName('net-a', '192.168.0.64/26')).to.equal('net-a-192.168.0.64-26');
  });
});
