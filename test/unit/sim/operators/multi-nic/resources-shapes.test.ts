import { expect } from 'chai';
import { recordAt, type Draft } from '../../../../helpers/multi-nic-objects.ts';
import { factsOf, projected } from '../../../../helpers/multi-nic-observed.ts';

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

describe('an integer beyond those that a number holds exactly is only rounded', () => {
  // The API server takes 64 bits. What it takes must not void a run.
  const BEYOND = 2 ** 53 + 2;
  const rows: readonly (readonly [string, string, string])[] = [
    ['cidrs', 'spec.cidr[].hosts[]', 'hostIndex'],
    ['cidrs', 'spec.cidr[]', 'interfaceIndex'],
    ['ippools', 'spec.allocations[]', 'index'],
    ['multinicnetworks', 'status.discovery', 'cidrProcessed'],
  ];
  for (const [plural, place, name] of rows)
    it(`as ${name} of ${plural}`, () => {
      const change = (object: Draft): void => {
        recordAt(object, place)[name] = BEYOND;
      };
      expect(projected(plural, change)).to.be.an('object');
      expect(() => factsOf(plural, change)).not.to.throw();
    });
});
