import { expect } from 'chai';
import { selectRequest } from '../../../../src/stubs/daemon/contract.ts';
import { selectInterfaces } from '../../../../src/stubs/daemon/select-interfaces.ts';
import { nic } from '../../../helpers/test-fleet.ts';

const NICS = [nic('eth1', 7), nic('eth2', 7), nic('eth3', 7)];
const select = (request: Readonly<Record<string, unknown>>) =>
  selectInterfaces(NICS, selectRequest.parse({ pod: 'p', namespace: 'n', def: 'net', ...request }));

describe('the choice of interfaces for a pod', () => {
  for (const [title, request, names] of [
    ['is all of them when nothing is asked', {}, ['eth1', 'eth2', 'eth3']],
    [
      'is all of them when lists are null',
      { masterNets: null, args: null },
      ['eth1', 'eth2', 'eth3'],
    ],
    ['follows the networks', { masterNets: ['10.3.0.0/16', '10.1.0.0/16'] }, ['eth1', 'eth3']],
    ['follows the names', { args: { masters: ['eth3', 'eth9'] } }, ['eth3']],
    ['takes the first so many', { args: { nics: 2 } }, ['eth1', 'eth2']],
    ['takes no more than there are', { args: { nics: 9 } }, ['eth1', 'eth2', 'eth3']],
    ['takes all for zero', { args: { nics: 0, masters: [] } }, ['eth1', 'eth2', 'eth3']],
    [
      'narrows by everything that is asked',
      { masterNets: ['10.2.0.0/16', '10.3.0.0/16'], args: { nics: 1, masters: ['eth1', 'eth3'] } },
      ['eth3'],
    ],
    ['may be empty', { masterNets: ['172.16.0.0/12'] }, []],
  ] as const)
    it(title, () => {
      expect(select(request)).to.deep.equal(names);
    });
});
