import { expect } from 'chai';
import { RouteBodies } from '../../../../src/stubs/controller/route-bodies.ts';
import { HONEST } from '../../../../src/stubs/controller/mutation.ts';
import { addL3Request, type Route } from '../../../../src/stubs/daemon/contract.ts';
import type { Host } from '../../../../src/stubs/controller/plan-entries.ts';
import { hostOf, hostsOf, networkOf, plan } from '../../../helpers/planned-network.ts';

const SUBNET = '192.168.0.0/16';

const bodies = (hosts: readonly Host[]): RouteBodies =>
  new RouteBodies('net', SUBNET, plan(networkOf(), hosts).entries, HONEST);
/** Read as a daemon reads it. */
const bodyOf = (of: RouteBodies, host: string) =>
  addL3Request.parse(JSON.parse(of.bodyFor(host)) as unknown);
const routesOf = (hosts: readonly Host[], host: string): readonly Route[] =>
  bodyOf(bodies(hosts), host).routes;

describe('the routes that a daemon is told', () => {
  it('lead to the block of every peer, through its address, by the own interface', () => {
    expect(bodyOf(bodies(hostsOf(1, 2, 3)), 'sim-2')).to.deep.equal({
      name: 'net',
      subnet: SUBNET,
      routes: [
        { net: '192.168.0.0/19', via: '10.1.0.1', iface: 'eth1' },
        { net: '192.168.64.0/19', via: '10.1.0.3', iface: 'eth1' },
      ],
      force: true,
    });
  });

  it('are those of each interface network that it is on, and of no other', () => {
    const hosts = [hostOf(1, ['eth1', 'eth2']), hostOf(2), hostOf(3, ['eth2'])];
    expect(routesOf(hosts, 'sim-1').map(({ via, iface }) => [via, iface])).to.deep.equal([
      ['10.1.0.2', 'eth1'],
      ['10.2.0.3', 'eth2'],
    ]);
    expect(routesOf(hosts, 'sim-3').map(({ via }) => via)).to.deep.equal(['10.2.0.1']);
  });

  it('go by the name that the interface has on this host, not on the peer', () => {
    const [odd] = hostsOf(9);
    const renamed = { ...odd!, nics: odd!.nics.map((nic) => ({ ...nic, interfaceName: 'ens5' })) };
    const hosts = [...hostsOf(1, 2), renamed];
    const all = bodies(hosts);
    const ifaces = (host: string) => bodyOf(all, host).routes.map(({ iface }) => iface);
    expect(ifaces('sim-1')).to.deep.equal(['eth1', 'eth1']);
    expect(ifaces('sim-9')).to.deep.equal(['ens5', 'ens5']);
    expect(ifaces('sim-2')).to.deep.equal(['eth1', 'eth1']);
  });

  it('are none for the only host, and for one that has no block', () => {
    expect(routesOf(hostsOf(1), 'sim-1')).to.deep.equal([]);
    expect(routesOf(hostsOf(1, 2), 'sim-7')).to.deep.equal([]);
  });

  it('are written as JSON whatever the names are', () => {
    const odd = new RouteBodies('a"b\\c', SUBNET, [], HONEST);
    expect(bodyOf(odd, 'sim-1')).to.include({ name: 'a"b\\c', subnet: SUBNET });
  });
});
