import { expect } from 'chai';
import type { JsonObject } from '../../../../../src/sim/base/json.ts';
import { loadSource } from '../../../../helpers/planned-scenario.ts';
import {
  FOUR_SLICES,
  whereaboutsModel,
  whereaboutsScenario,
} from '../../../../helpers/whereabouts-objects.ts';

/** The problems of a scenario with these networks, each as `path: message`. */
function problemsOf(...networks: readonly JsonObject[]): readonly string[] {
  const result = loadSource(whereaboutsScenario({ networks: [...networks] }));
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

const sized = (range: string, nodeSliceSize: number): JsonObject => ({
  ...FOUR_SLICES,
  range,
  nodeSliceSize,
});

describe('the networks of whereabouts', () => {
  describe('may be', () => {
    const rows: readonly (readonly [string, ...JsonObject[]])[] = [
      ['one', FOUR_SLICES],
      ['several, even of the same range', FOUR_SLICES, { ...FOUR_SLICES, name: 'other' }],
      ['a single slice', sized('10.128.0.0/24', 24)],
      ['slices of one address', sized('10.128.0.0/18', 32)],
      ['as many slices as fit into a message', sized('10.0.0.0/10', 24)],
      ['in any namespace', { ...FOUR_SLICES, namespace: 'default' }],
    ];
    for (const [title, ...networks] of rows)
      it(title, () => {
        expect(problemsOf(...networks)).to.deep.equal([]);
      });
  });

  describe('are refused', () => {
    const rows: readonly (readonly [string, RegExp, ...JsonObject[]])[] = [
      ['when there is none', /^networks: .*>=1/],
      [
        'with more slices than fit into a message, and the reason',
        /^networks\[0\]\.nodeSliceSize: expected a prefix length from 8 to 22 for the range 10\.0\.0\.0\/8: .*2\^16 = 65536 of them are more than a message to the API server can hold \(at most 16384 here\)$/,
        sized('10.0.0.0/8', 24),
      ],
      [
        'one bit above that limit too',
        /nodeSliceSize: expected a prefix length from 9 to 23 /,
        sized('10.0.0.0/9', 24),
      ],
      [
        'with a range that is smaller than one slice',
        /^networks\[0\]\.nodeSliceSize: expected a prefix length from 26 to 32 for the range 10\.128\.0\.0\/26, which is smaller than one slice of \/24$/,
        sized('10.128.0.0/26', 24),
      ],
      ['with a slice size beyond an address', /nodeSliceSize: .*<=32/, sized('10.128.0.0/22', 33)],
      [
        'with a slice size that is written as in the NetworkAttachmentDefinition',
        /nodeSliceSize: expected number/,
        { ...FOUR_SLICES, nodeSliceSize: '/24' },
      ],
      [
        'with an IPv6 range, which the controller cannot slice',
        /^networks\[0\]\.range: expected an IPv4 CIDR, got "fd00::\/48"$/,
        sized('fd00::/48', 24),
      ],
      [
        'with a range that is none',
        /^networks\[0\]\.range: expected an IPv4 CIDR, got "10\.0\.0\.0"$/,
        sized('10.0.0.0', 24),
      ],
      [
        'with a name that is no DNS label',
        /^networks\[0\]\.name: expected a DNS label$/,
        { ...FOUR_SLICES, name: 'Macvlan_1' },
      ],
      [
        'with a name that is there already, whatever the namespaces',
        /^networks\[1\]\.name: there is another "macvlan"$/,
        FOUR_SLICES,
        { ...FOUR_SLICES, namespace: 'default' },
      ],
      ['with an unknown key', /unknown key "subnet"/, { ...FOUR_SLICES, subnet: '10.0.0.0/8' }],
    ];
    for (const [title, pattern, ...networks] of rows)
      it(title, () => {
        const problems = problemsOf(...networks);
        expect(problems).to.have.length(1);
        expect(problems[0]).to.match(pattern);
      });
  });

  it('say with their arithmetic how many nodes they hold', () => {
    const networks = [FOUR_SLICES, { name: 'wide', range: '10.0.0.0/16', nodeSliceSize: 20 }];
    const lines = whereaboutsModel({ networks }).capacity(5, 0);
    expect(lines.map(({ network, needed, available }) => [network, needed, available])).to.eql([
      ['macvlan', 5, 4],
      ['wide', 5, 16],
    ]);
    expect(lines[0]).to.deep.include({
      milestones: ['slice'],
      text:
        '5 nodes × 1 slice = 5 slices needed; 10.128.0.0/22 (1024 addresses) ' +
        '÷ /24 (2^8 addresses) = 2^2 = 4 slices',
    });
  });
});
