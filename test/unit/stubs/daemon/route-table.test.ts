import { expect } from 'chai';
import { addDigests, textDigest } from '../../../../src/sim/base/set-digest.ts';
import type { Route } from '../../../../src/stubs/daemon/contract.ts';
import { RouteTables } from '../../../../src/stubs/daemon/route-table.ts';

const route = (n: number): Route => ({
  net: `192.168.0.${n}/26`,
  via: `10.0.0.${n}`,
  iface: 'eth1',
});
const setOf = (...routes: readonly Route[]) => ({
  count: routes.length,
  digest: routes
    .map(({ net, via, iface }) => textDigest(`${net}|${via}|${iface}`))
    .reduce(addDigests, 0),
});

describe('the route tables of a daemon', () => {
  let tables: RouteTables;
  beforeEach(() => {
    tables = new RouteTables();
  });

  it('are empty at first', () => {
    expect(tables.table('net')).to.deep.equal({ count: 0, digest: 0 });
    expect(tables.tables()).to.deep.equal({});
  });

  it('tell the set of routes, whatever their order and repetitions', () => {
    const routes = [route(3), route(1), route(2), route(3)];
    expect(tables.add('net', routes, true)).to.deep.equal(setOf(route(1), route(2), route(3)));
  });

  it('add what is missing', () => {
    tables.add('net', [route(1), route(2)], true);
    const after = tables.add('net', [route(2), route(3)], false);
    expect(after).to.deep.equal(setOf(route(1), route(2), route(3)));
    expect(tables.add('net', [], false)).to.deep.equal(after);
  });

  it('forget what was there when they are forced', () => {
    tables.add('net', [route(1), route(2)], true);
    expect(tables.add('net', [route(3)], true)).to.deep.equal(setOf(route(3)));
    expect(tables.add('net', [], true)).to.deep.equal(setOf());
  });

  it('are kept apart by network, and deleted one by one', () => {
    tables.add('a', [route(1)], true);
    tables.add('b', [route(1), route(2)], true);
    expect(tables.delete('a')).to.deep.equal(setOf());
    expect(tables.delete('never')).to.deep.equal(setOf());
    expect(tables.tables()).to.deep.equal({ b: setOf(route(1), route(2)) });
  });

  it('tell routes apart that differ in the gateway or the interface only', () => {
    const routes = [route(1), { ...route(1), via: '10.0.0.2' }, { ...route(1), iface: 'eth2' }];
    expect(tables.add('net', routes, false).count).to.equal(3);
  });

  it('take single routes in a table of their own, each once', () => {
    expect(tables.addOne(route(1))).to.equal(true);
    expect(tables.addOne(route(1))).to.equal(false);
    expect(tables.addOne(route(2))).to.equal(true);
    expect(tables.deleteOne(route(1))).to.equal(true);
    expect(tables.deleteOne(route(1))).to.equal(false);
    expect(tables.mainTable()).to.deep.equal(setOf(route(2)));
    expect(tables.tables()).to.deep.equal({ '': setOf(route(2)) });
  });

  it('hold three thousand routes in the space of three thousand numbers', () => {
    const many = Array.from({ length: 3000 }, (_, n) => route(n));
    const before = process.memoryUsage().arrayBuffers;
    const all = Array.from({ length: 100 }, () => {
      const some = new RouteTables();
      some.add('net', [...many, ...many], true);
      return some;
    });
    const perTable = (process.memoryUsage().arrayBuffers - before) / all.length;
    expect(all[0]?.table('net').count).to.equal(3000);
    expect(perTable).to.be.lessThan(3000 * 8 * 4); // with what is not collected yet
  });
});
