import { expect } from 'chai';
import { MUTANTS } from '../../src/stubs/controller/mutants.ts';
import { SimHome } from '../helpers/sim-process.ts';

/** Grow, let the controller start anew, shrink: what each mutant needs to show what it does. */
const SCENARIO = `
name: mutant
operator: { profile: multi-nic, controller: reference }
networks:
  - { name: sample, subnet: 192.168.0.0/16, hostBlock: 8, interfaceBlock: 2 }
settle: 3s
seed: 2
steps:
  - scale: { to: 6, within: 8s, onMiss: continue }
  - restart: { what: controller, probe: false, within: 8s, onMiss: continue }
  - scale: { to: 3, within: 32s, onMiss: continue }
`;

/** What the finding must say, and of which objects, for the seed above: sim-4 is its victim. */
const FINDINGS: Readonly<
  Record<string, { readonly message: RegExp; readonly objects: readonly RegExp[] }>
> = {
  'duplicate-block': {
    message: /\/26 of sim-1 .* and .*\/26 of sim-4 .* overlap/,
    objects: [/^cidrs\/sample/, /^cidrs\/sample/],
  },
  'block-outside-parent': {
    message: /\/26 of sim-4 on sample is outside 192\.168/,
    objects: [/^cidrs\/sample/],
  },
  'node-forgotten': {
    message: /1 node without a block on sample .*: sim-4/,
    objects: [/^nodes\/sim-4$/],
  },
  'pool-left-behind': {
    message: /^ippools\/sample-.* still speaks of sim-4 \(pool\) 3\d\.\d+ s after/,
    objects: [/^ippools\/sample-/],
  },
  'pool-of-another-host': {
    message: /disagree: node is sim-4 in the block of sim-4 and sim-1 in the pool/,
    objects: [/^cidrs\/sample/, /^ippools\/sample-/],
  },
  'reshuffle-on-restart': {
    message: /^sim-\d lost .*\/26 on sample at .* and got .*\/26 instead/,
    objects: [/^cidrs\/sample/],
  },
  'route-missing': {
    message: /^the daemon of sim-1 was told 12 routes on sample, instead of 15/,
    objects: [/^nodes\/sim-1$/, /^networks\/sample$/],
  },
  restless: {
    message: /^\d+ writes? at rest after scale-6, .*: multinicnetworks\/sample/,
    objects: [/^multinicnetworks\/sample$/],
  },
};

describe('a controller that breaks one guarantee', function () {
  this.timeout(240_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
  });
  afterEach(() => home.remove());

  for (const { name, what, breaks } of MUTANTS)
    it(`is caught by ${breaks}: it ${what}`, async () => {
      const expected = FINDINGS[name];
      const controller = `operator.controller={reference: {mutant: ${name}}}`;
      const { code, stdout, stderr } = await home.run(
        ['run', '-', '--output', home.output, '--set', controller],
        {},
        SCENARIO,
      );
      expect(code, stdout + stderr).to.equal(1);
      const { invariants } = await home.report();
      const verdict = invariants.find((one) => one.code === breaks);
      expect(verdict?.status, stdout).to.equal('broken');
      const finding = verdict?.findings.find(({ message }) => expected?.message.test(message));
      expect(finding, JSON.stringify(verdict?.findings, null, 2)).to.be.an('object');
      for (const [i, pattern] of (expected?.objects ?? []).entries())
        expect(finding?.objects[i]).to.match(pattern);
      expect(stdout).to.include(breaks);
    });

  it('is not known by another name', async () => {
    const { code, stderr } = await home.run([
      ...['run', '10-nodes', '--output', home.output],
      ...['--set', 'operator.controller={reference: {mutant: lazy}}'],
    ]);
    expect(code).to.equal(2);
    expect(stderr).to.match(/mutant: lazy.*reference\.mutant: expected one of "duplicate-block"/);
  });
});
