import { expect } from 'chai';
import { recordAt, type Draft } from '../../../../helpers/multi-nic-objects.ts';
import { projected } from '../../../../helpers/multi-nic-observed.ts';

describe('an object of another shape is a gap, never silence', () => {
  const rows: readonly (readonly [string, string, string, string, unknown])[] = [
    ['a CIDR without a spec', 'cidrs', '', 'spec', undefined],
    ['a CIDR without its network', 'cidrs', 'spec', 'config', undefined],
    ['a CIDR with entries that are no list', 'cidrs', 'spec', 'cidr', {}],
    ['a CIDR entry without its interface network', 'cidrs', 'spec.cidr[]', 'netAddress', null],
    ['a CIDR row without a host', 'cidrs', 'spec.cidr[].hosts[]', 'hostName', undefined],
    ['a CIDR row with a block that is no text', 'cidrs', 'spec.cidr[].hosts[]', 'podCIDR', 5],
    ['an IPPool without a range', 'ippools', 'spec', 'podCIDR', undefined],
    ['an IPPool row without a number', 'ippools', 'spec.allocations[]', 'index', undefined],
    ['an IPPool row with half a number', 'ippools', 'spec.allocations[]', 'index', 1.5],
    ['a HostInterface without a host', 'hostinterfaces', 'spec', 'hostName', undefined],
    ['an interface without a name', 'hostinterfaces', 'spec.interfaces[]', 'interfaceName', null],
    ['a counter that is a text', 'multinicnetworks', 'status.discovery', 'cidrProcessed', '3'],
    ['a counter that is missing', 'multinicnetworks', 'status.discovery', 'existDaemon', undefined],
  ];
  for (const [title, plural, place, name, value] of rows)
    it(`such as ${title}`, () => {
      const change = (object: Draft): void => {
        (place === '' ? object : recordAt(object, place))[name] = value;
      };
      expect(() => projected(plural, change)).to.throw(name);
    });
});
