import { expect } from 'chai';
import { AllocatingFleet, row } from '../helpers/allocating-fleet.ts';
import { refuse } from '../helpers/fake-troubles.ts';

describe('deallocation', () => {
  let fleet: AllocatingFleet;
  beforeEach(async () => {
    fleet = await AllocatingFleet.start();
  });
  afterEach(() => fleet.stop());

  it('removes the row of the pod from every pool, whatever interfaces are named', async () => {
    const pool = fleet.pool('eth1', 0, { allocations: [row('a', 1), row('b', 2)] });
    const other = fleet.pool('eth2', 64, { allocations: [row('a', 1)] });
    expect(await fleet.addresses('/deallocate', 'a')).to.deep.equal({
      eth1: '192.168.0.1',
      eth2: '192.168.0.1',
    });
    expect(fleet.cluster.rows(pool)).to.deep.equal([row('b', 2)]);
    expect(fleet.cluster.rows(other)).to.deep.equal([]);
  });

  it('answers null when the pod has nothing, and writes nothing', async () => {
    fleet.pool('eth1', 0, { allocations: [row('a', 1)] });
    expect(await fleet.addresses('/deallocate', 'b')).to.equal(null);
    expect(await fleet.addresses('/deallocate', 'a', { namespace: 'elsewhere' })).to.equal(null);
    expect(fleet.cluster.patches).to.deep.equal([]);
    expect((await fleet.test.record(1)).detail).to.deep.include({ granted: [], omitted: [] });
  });

  it('removes one row at a time, the first', async () => {
    const pool = fleet.pool('eth1', 0, { allocations: [row('a', 1), row('a', 2)] });
    await fleet.ask('/deallocate', 'a');
    expect(fleet.cluster.rows(pool)).to.deep.equal([row('a', 2)]);
  });

  it('makes a pod that comes back step over the address it had', async () => {
    fleet.pool('eth1');
    await fleet.ask('/allocate', 'a');
    await fleet.ask('/deallocate', 'a');
    expect(await fleet.addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.2' });
    await fleet.ask('/deallocate', 'a');
    expect(await fleet.addresses('/allocate', 'a')).to.deep.equal({ eth1: '192.168.0.3' });
    expect(await fleet.addresses('/allocate', 'b')).to.deep.equal({ eth1: '192.168.0.4' });
  });

  it('leaves a pool out whose patch fails', async () => {
    const pool = fleet.pool('eth1', 0, { allocations: [row('a', 1)] });
    fleet.cluster.patchTroubles.push(refuse(404, 'NotFound'));
    expect(await fleet.addresses('/deallocate', 'a')).to.equal(null);
    expect(fleet.cluster.rows(pool)).to.deep.equal([row('a', 1)]);
    expect(await fleet.addresses('/deallocate', 'a')).to.deep.equal({ eth1: '192.168.0.1' });
  });
});
