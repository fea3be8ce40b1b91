import { expect } from 'chai';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { PATHS, ReferenceWorld } from '../helpers/reference-world.ts';

describe('the networks of the reference controller', () => {
  let world: ReferenceWorld;
  beforeEach(async () => {
    world = await ReferenceWorld.start();
  });
  afterEach(() => world.stop());

  it('get a CIDR object with their settings', async () => {
    await world.addNodes([1]);
    await world.startController();
    await world.served([1]);
    expect(world.server.objects.get(PATHS.cidrs, 'net')?.['spec']).to.deep.include({
      config: {
        name: 'net',
        type: 'multi-nic-ipam',
        subnet: '192.168.0.0/16',
        masterNets: [],
        hostBlock: 4,
        interfaceBlock: 2,
        excludeCIDRs: [],
        vlanMode: 'l3',
      },
    });
  });

  it('get pools that say what they are, and hold what is excluded from their blocks', async () => {
    const excludeCIDRs = ['192.168.0.0/22', '192.168.4.8/29', '192.168.200.0/28'];
    world.putNetwork('net', { excludeCIDRs });
    await world.addNodes([1]);
    await world.startController();
    await world.served([1]);
    const [{ metadata, spec } = expect.fail('no pool')] = world.poolObjects();
    expect(metadata.name).to.equal('net-192.168.4.0-22');
    expect(metadata.labels).to.deep.equal({ hostname: 'sim-1', netname: 'net' });
    expect(spec).to.deep.equal({
      podCIDR: '192.168.4.0/22',
      vlanCIDR: '192.168.0.0/18',
      netAttachDef: 'net',
      hostName: 'sim-1',
      interfaceName: 'eth1',
      excludes: ['192.168.4.8/29'],
      allocations: [],
    });
  });

  it('have blocks of their own each', async () => {
    world.putNetwork('other', { hostBlock: 6 }, { subnet: '10.64.0.0/16' });
    await world.addNodes([1, 2], ['eth1', 'eth2']);
    await world.startController();
    await world.served([1, 2], ['eth1', 'eth2']);
    await world.served([1, 2], ['eth1', 'eth2'], 'other');
    expect(Object.values(world.blocks('other'))).to.include('10.64.0.0/24');
  });

  it('take the interfaces only that their masterNets name', async () => {
    world.putNetwork('some', {}, { masterNets: ['10.2.0.0/16'] });
    await world.addNodes([1, 2], ['eth1', 'eth2']);
    await world.startController();
    await world.served([1, 2], ['eth2'], 'some');
  });

  it('have no routes in mode l2', async () => {
    world.putNetwork('flat', { vlanMode: 'l2' });
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    await eventually('the pools of flat', () => Object.keys(world.pools('flat')).length === 2);
    await aLittleLater(200);
    expect(world.routes(1, 'flat')).to.equal(0);
  });

  it('give a block that becomes free to a host that waits for one', async () => {
    world.putNetwork('net', { hostBlock: 1 });
    await world.addNodes([1, 2, 3]);
    await world.startController();
    await world.served([1, 2]);
    await world.removeNodes([1]);
    await world.served([2, 3]);
  });

  it('get back a pool that somebody took away, and the truth into one that somebody changed', async () => {
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    const [first, second] = world.poolObjects();
    world.server.objects.remove(PATHS.pools, first!.metadata.name);
    const allocations = [{ pod: 'p', namespace: 'n', index: 1, address: '192.168.0.1' }];
    world.server.objects.put(PATHS.pools, second!.metadata.name, {
      ...second,
      spec: { ...second!.spec, hostName: 'somebody', allocations },
    });
    await world.served([1, 2]);
    const corrected = world
      .poolObjects()
      .find(({ metadata: { name } }) => name === second!.metadata.name);
    expect(corrected?.spec['allocations']).to.deep.equal(allocations);
  });

  it('take their blocks and pools with them when they go, and no others', async () => {
    world.putNetwork('other', {}, { subnet: '10.64.0.0/16' });
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    await world.served([1, 2], ['eth1'], 'other');
    world.server.objects.remove(PATHS.networks, 'other');
    await eventually('what belongs to it to go', () => {
      const isGone = world.server.objects.get(PATHS.cidrs, 'other') === undefined;
      return isGone && world.poolObjects('other').length === 0;
    });
    await world.served([1, 2]);
  });

  it('that come again under the same name are served like new ones', async () => {
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2]);
    await eventually('its status', () => world.status());
    world.server.objects.remove(PATHS.networks, 'net');
    await eventually('what belongs to it to go', () => {
      const isGone = world.server.objects.get(PATHS.cidrs, 'net') === undefined;
      return isGone && world.poolObjects().length === 0;
    });
    world.putNetwork('net', { hostBlock: 2 });
    await world.served([1, 2]);
    expect(Object.values(world.blocks())).to.include('192.168.16.0/20');
    await eventually('its status', () => world.status());
  });

  it('are served although the settings of others cannot be read', async () => {
    for (const n of [1, 2, 3, 4, 5])
      world.server.objects.put(PATHS.networks, `broken-${n}`, {
        spec: { subnet: '192.168.0.0/16', ipam: n === 1 ? 'not JSON' : '{"type":"host-local"}' },
      });
    world.putNetwork('last', {}, { subnet: '10.64.0.0/16' });
    await world.addNodes([1, 2]);
    await world.startController();
    await world.served([1, 2], ['eth1'], 'last');
    await world.served([1, 2]);
    await eventually('the complaint', () => world.said.length > 0);
    expect(world.said[0]).to.match(/network broken-1: .*network broken-2: .*network broken-5: /s);
  });
});
