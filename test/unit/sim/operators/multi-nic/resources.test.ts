import { expect } from 'chai';
import { MULTI_NIC_RESOURCES } from '../../../../../src/sim/operators/multi-nic/resources.ts';
import { MULTI_NIC_KINDS } from '../../../../helpers/multi-nic-model.ts';
import { recordAt, type Draft } from '../../../../helpers/multi-nic-objects.ts';
import { factsOf, projected } from '../../../../helpers/multi-nic-observed.ts';

const listAt = (object: Draft, place: string, name: string): Draft[] =>
  recordAt(object, place)[name] as Draft[];

describe('the kinds of multi-nic', () => {
  it('are watched where the reference has them, with every write as unrest', () => {
    const own = MULTI_NIC_RESOURCES.filter(({ id }) => id !== 'pods');
    expect(own.map(({ id }) => id)).to.have.members([
      'hostinterfaces',
      'cidrs',
      'ippools',
      'multinicnetworks',
    ]);
    for (const { id, kind, unrest } of own) {
      expect(kind).to.deep.equal(MULTI_NIC_KINDS.find(({ of }) => of.plural === id)?.of);
      expect(unrest, id).to.equal('any-write');
    }
  });
});

describe('a CIDR', () => {
  const secondHost = (object: Draft, changes: Draft): void => {
    const hosts = listAt(object, 'spec.cidr[]', 'hosts');
    hosts.push({ ...hosts[0], ...changes });
  };

  it('is kept as a row for every host on every interface network', () => {
    expect(projected('cidrs')).to.deep.equal({
      fields: { network: 'net-a', subnet: '192.168.0.0/16' },
      rows: {
        '10.0.0.0/16 sim-1': {
          netAddress: '10.0.0.0/16',
          vlanCIDR: '192.168.0.0/18',
          hostName: 'sim-1',
          interfaceName: 'eth1',
          hostIP: '10.0.0.1',
          hostIndex: 0,
          podCIDR: '192.168.0.0/26',
        },
      },
    });
  });

  it('says what block each host has, within which range, and where peers reach it', () => {
    expect(factsOf('cidrs')).to.deep.equal([
      {
        kind: 'block',
        network: 'net-a',
        node: 'sim-1',
        interface: 'eth1',
        cidr: '192.168.0.0/26',
        parent: '192.168.0.0/18',
        link: { netAddress: '10.0.0.0/16', via: '10.0.0.1' },
      },
    ]);
  });

  it('keeps the row of a host under the same key when its block moves', () => {
    const moved = projected('cidrs', (object) => {
      Object.assign(recordAt(object, 'spec.cidr[].hosts[]'), {
        podCIDR: '192.168.1.0/26',
        hostIndex: 4,
      });
    });
    expect(Object.keys(moved.rows ?? {})).to.deep.equal(['10.0.0.0/16 sim-1']);
  });

  it('loses none of several rows of one host on one network', () => {
    const blocks = factsOf('cidrs', (object) => {
      secondHost(object, { podCIDR: '192.168.0.64/26' });
      secondHost(object, { podCIDR: '192.168.0.128/26' });
    });
    expect(blocks.map((fact) => (fact as { cidr?: string }).cidr)).to.deep.equal([
      '192.168.0.0/26',
      '192.168.0.64/26',
      '192.168.0.128/26',
    ]);
  });

  it('may have no entries, or entries without hosts', () => {
    for (const none of [null, [], undefined]) {
      const empty = projected('cidrs', (object) => (recordAt(object, 'spec')['cidr'] = none));
      expect(empty.rows).to.deep.equal({});
      const unused = projected('cidrs', (o) => (recordAt(o, 'spec.cidr[]')['hosts'] = none));
      expect(unused.rows).to.deep.equal({});
    }
  });
});

describe('an IPPool', () => {
  it('is kept as a row for every address that is given', () => {
    expect(projected('ippools')).to.deep.equal({
      fields: {
        podCIDR: '192.168.0.0/26',
        vlanCIDR: '192.168.0.0/18',
        netAttachDef: 'net-a',
        hostName: 'sim-1',
        interfaceName: 'eth1',
        excludes: ['192.168.0.0/28'],
      },
      rows: {
        'default/a': { pod: 'a', namespace: 'default', index: 16, address: '192.168.0.16' },
      },
    });
  });

  it('says what pool it is, and who holds which address of it', () => {
    const place = { network: 'net-a', node: 'sim-1', interface: 'eth1' };
    expect(factsOf('ippools')).to.deep.equal([
      { kind: 'pool', ...place, cidr: '192.168.0.0/26', parent: '192.168.0.0/18' },
      {
        kind: 'lease',
        ...place,
        owner: 'default/a',
        address: '192.168.0.16',
        sharingKey: undefined,
        place: { index: 16, cidr: '192.168.0.0/26', excludes: ['192.168.0.0/28'] },
      },
    ]);
  });

  it('loses none of several addresses of one pod', () => {
    const leases = factsOf('ippools', (object) => {
      const rows = listAt(object, 'spec', 'allocations');
      rows.push({ ...rows[0], index: 17 }, { ...rows[0], index: 18 });
    });
    expect(leases.filter(({ kind }) => kind === 'lease')).to.have.length(3);
  });

  it('tells pods of one name in two namespaces apart', () => {
    const { rows } = projected('ippools', (object) => {
      const list = listAt(object, 'spec', 'allocations');
      list.push({ ...list[0], namespace: 'other' });
    });
    expect(Object.keys(rows ?? {})).to.deep.equal(['default/a', 'other/a']);
  });

  it('may have no excludes and no addresses', () => {
    for (const none of [null, [], undefined]) {
      const { fields, rows } = projected('ippools', (object) =>
        Object.assign(recordAt(object, 'spec'), { excludes: none, allocations: none }),
      );
      expect(fields['excludes']).to.deep.equal([]);
      expect(rows).to.deep.equal({});
    }
  });
});

describe('a HostInterface', () => {
  it('is kept as a row for every interface, without its hardware', () => {
    expect(projected('hostinterfaces')).to.deep.equal({
      fields: { hostName: 'sim-1' },
      rows: { eth1: { interfaceName: 'eth1', netAddress: '10.0.0.0/16', hostIP: '10.0.0.1' } },
    });
  });

  it('says which interfaces of the node are known', () => {
    expect(factsOf('hostinterfaces')).to.deep.equal([
      {
        kind: 'interface',
        node: 'sim-1',
        interface: 'eth1',
        netAddress: '10.0.0.0/16',
        address: '10.0.0.1',
      },
    ]);
  });

  it('says nothing before its node was asked', () => {
    for (const none of [null, []])
      expect(factsOf('hostinterfaces', (object) => (recordAt(object, 'spec')['interfaces'] = none)))
        .to.be.empty;
  });

  it('may have interfaces of which only the name is known', () => {
    const [fact] = factsOf('hostinterfaces', (object) => {
      recordAt(object, 'spec')['interfaces'] = [{ interfaceName: 'eth9' }];
    });
    expect(fact).to.include({ interface: 'eth9', netAddress: '', address: '' });
  });
});

describe('a MultiNicNetwork', () => {
  const counters = (change?: (object: Draft) => void): readonly string[] =>
    factsOf('multinicnetworks', change).map((fact) => {
      if (fact.kind !== 'counter') throw new Error(`a network said something of a ${fact.kind}`);
      return `${fact.network} ${fact.counter} ${fact.value}`;
    });

  it('is kept as its three counters', () => {
    expect(projected('multinicnetworks')).to.deep.equal({
      fields: { existDaemon: 2, infoAvailable: 2, cidrProcessed: 1 },
    });
  });

  it('says them by the names that the field knows', () => {
    expect(counters()).to.deep.equal(['net-a total 2', 'net-a available 2', 'net-a processed 1']);
  });

  it('counts nothing before it has a status', () => {
    const none = ['net-a total 0', 'net-a available 0', 'net-a processed 0'];
    expect(counters((object) => delete object['status'])).to.deep.equal(none);
    expect(counters((object) => delete recordAt(object, 'status')['discovery'])).to.deep.equal(
      none,
    );
  });
});
