import { join } from 'node:path';
import { expect } from 'chai';
import type { RunReport } from '../../src/sim/model/run-report.ts';
import { MUTANTS } from '../../src/stubs/controller/mutants.ts';
import { DAEMON_MUTANTS } from '../../src/stubs/daemon/mutants.ts';
import { Ahead } from '../helpers/ahead.ts';
import { MUTANT_SCENARIOS } from '../helpers/mutant-scenarios.ts';
import { SimHome, type Ended } from '../helpers/sim-process.ts';

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
  'excluded-block': {
    message: /^192\.168\.0\.0\/26 of sim-4 on sample lies in the excluded range 192\.168\.0\.0\/26/,
    objects: [/^cidrs\/sample/],
  },
  'second-block': {
    message: /^sim-4 has 2 blocks \(.*\/26, .*\/26\) on sample eth\d instead of 1 after scale-6/,
    objects: [/^nodes\/sim-4$/, /^cidrs\/sample/, /^cidrs\/sample/],
  },
  'node-forgotten': {
    message: /1 node without a block on sample .*: sim-4/,
    objects: [/^nodes\/sim-4$/],
  },
  'starved-node-never-served': {
    message:
      /^[234] nodes without a block on sample while \d+ blocks are free, at the end of scale-4/,
    objects: [/^nodes\/sim-/, /^nodes\/sim-/],
  },
  'block-moves': {
    message: /^sim-\d lost .*\/26 on sample at .* and got .*\/26 instead/,
    objects: [/^cidrs\/sample/, /^nodes\/sim-[123]$/],
  },
  'reshuffle-on-restart': {
    message: /^sim-\d lost .*\/26 on sample at .* and got .*\/26 instead/,
    objects: [/^cidrs\/sample/],
  },
  'pool-missing': {
    message: /\/26 of sim-4 has no pool after scale-6/,
    objects: [/^cidrs\/sample/],
  },
  'pool-of-another-host': {
    message: /disagree: node is sim-4 in the block of sim-4 and sim-1 in the pool/,
    objects: [/^cidrs\/sample/, /^ippools\/sample-/],
  },
  'pool-of-another-interface': {
    message: /disagree: interface is eth\d in the block of sim-4 and eth\d in the pool/,
    objects: [/^cidrs\/sample/, /^ippools\/sample-/],
  },
  'pool-left-behind': {
    message: /^ippools\/sample-.* still speaks of sim-4 \(pool\) 3\d\.\d+ s after/,
    objects: [/^ippools\/sample-/],
  },
  'row-left-behind': {
    message: /^cidrs\/sample.* still speaks of sim-4 \(block\) 3\d\.\d+ s after/,
    objects: [/^cidrs\/sample/],
  },
  'host-interface-left-behind': {
    message: /^hostinterfaces\/sim-4.* still speaks of sim-4 \(interface\) 3\d\.\d+ s after/,
    objects: [/^hostinterfaces\/sim-4/],
  },
  'route-missing': {
    message: /^the daemon of sim-1 was told 12 routes on sample, instead of 15/,
    objects: [/^nodes\/sim-1$/, /^networks\/sample$/],
  },
  'route-via-wrong-address': {
    message: /^the daemon of sim-1 was told 15 routes on sample, but not those of its peers/,
    objects: [/^nodes\/sim-1$/, /^networks\/sample$/],
  },
  'stale-routes': {
    message: /^the daemon of sim-1 was told 15 routes on sample, instead of 6, after shrink/,
    objects: [/^nodes\/sim-1$/, /^networks\/sample$/],
  },
  'crash-at-a-node': {
    message: /^the controller exited unasked at \d/,
    objects: [/^process \d+$/],
  },
  'rows-dropped-on-daemon-restart': {
    message: /^sim-\d lost .*\/26 on sample at /,
    objects: [/^cidrs\/sample/, /^nodes\/sim-/],
  },
  'drops-row-when-tainted': {
    message: /^sim-4 lost .*\/26 on sample at /,
    objects: [/^cidrs\/sample/, /^nodes\/sim-4$/],
  },
  'wrong-error-taken-for-gone': {
    message: /^sim-4 lost .*\/26 on sample at /,
    objects: [/^cidrs\/sample/, /^nodes\/sim-4$/],
  },
  'crash-on-taint': {
    message: /^the controller exited unasked at \d/,
    objects: [/^process \d+$/],
  },
  'address-twice': {
    message: /sim-4-pod-\d/,
    objects: [/^ippools\/sample-/],
  },
  'row-left-after-release': {
    message:
      /of sim-system\/sim-4-pod-1 on sim-4 .* is in a pool but was not granted, or was given back/,
    objects: [/^ippools\/sample-/],
  },
  'released-by-another': {
    message: /sim-4-pod-\d on sim-4 .*is in no pool|sim-4-pod-\d .* is in a pool but/,
    objects: [],
  },
  'reply-not-in-pool': {
    message: /was granted to sim-system\/sim-4-pod-\d on sim-4 .* but is in no pool/,
    objects: [/^daemons\/sim-4/],
  },
  'unasked-row': {
    message: /sim-4-pod-\d-unasked on sim-4 .* is in a pool but was not granted/,
    objects: [/^ippools\/sample-/],
  },
  'duplicate-row': {
    message: /of sim-system\/sim-4-pod-\d on sim-4 .* is in a pool 2 times/,
    objects: [/^ippools\/sample-/],
  },
  'address-outside-pool': {
    message: /sim-4-pod-\d on sim-4 .* is outside its pool/,
    objects: [/^ippools\/sample-/],
  },
  'wrong-index': {
    message: /sim-4-pod-\d on sim-4 .* has the number \d+/,
    objects: [/^ippools\/sample-/],
  },
  'excluded-address': {
    message: /sim-4-pod-\d on sim-4 .* is in the excluded range/,
    objects: [/^ippools\/sample-/],
  },
  restless: {
    message: /^\d+ writes? at rest after scale-\d, .*: multinicnetworks\/sample/,
    objects: [/^multinicnetworks\/sample$/],
  },
};

interface Case {
  readonly scenario: string;
  /** What makes it a mutant; none is the honest one. */
  readonly set: string | undefined;
  readonly name: string;
}

const HONEST: readonly Case[] = Object.keys(MUTANT_SCENARIOS).map((scenario) => ({
  scenario,
  set: undefined,
  name: `honest-${scenario}`,
}));
const SHOWN = [
  ...MUTANTS.map((mutant) => ({
    ...mutant,
    set: `operator.controller={reference: {mutant: ${mutant.name}}}`,
  })),
  ...DAEMON_MUTANTS.map((mutant) => ({ ...mutant, set: `operator.daemonMutant=${mutant.name}` })),
];

type Outcome = Ended & { readonly report: RunReport };

/** In one home: runs in different ones do not know of each other's ports. */
async function run(home: SimHome, { scenario, set, name }: Case): Promise<Outcome> {
  const output = join(home.path, name);
  const more = set === undefined ? [] : ['--set', set];
  const ended = await home.run(
    ['run', '-', '--output', output, ...more],
    {},
    MUTANT_SCENARIOS[scenario],
  );
  return { ...ended, report: await home.report(output) };
}

describe('a controller or a daemon that breaks one guarantee', function () {
  this.timeout(300_000);
  let home: SimHome;
  const runs = new Ahead<Case, Outcome>([...HONEST, ...SHOWN], (one) => run(home, one));
  before(async () => {
    home = await SimHome.make();
  });
  after(async () => {
    await runs.rest();
    await home.remove();
  });

  for (const honest of HONEST)
    it(`is told from the honest one, which passes ${honest.scenario}`, async () => {
      const { code, stdout, stderr } = await runs.result(honest);
      expect(code, stdout + stderr).to.equal(0);
    });

  for (const mutant of SHOWN) {
    const { name, what, breaks } = mutant;
    it(`is caught by ${breaks}: "${name}" ${what}`, async () => {
      const { code, stdout, stderr, report } = await runs.result(mutant);
      expect(code, stdout + stderr).to.equal(1);
      if (breaks === 'convergence') {
        expect(report.steps.map(({ status }) => status)).to.include('failed');
        return;
      }
      expect(stdout).to.include(breaks);
      const thresholds = report.thresholds.filter(({ expr }) => expr === breaks);
      if (thresholds.length > 0) {
        expect(thresholds.map(({ status }) => status)).to.include('broken');
        return;
      }
      const verdict = report.invariants.find((one) => one.code === breaks);
      expect(verdict?.status, stdout).to.equal('broken');
      const expected = FINDINGS[name];
      const finding = verdict?.findings.find(({ message }) => expected?.message.test(message));
      expect(finding, JSON.stringify(verdict?.findings, null, 2)).to.be.an('object');
      for (const [n, pattern] of (expected?.objects ?? []).entries())
        expect(finding?.objects[n]).to.match(pattern);
    });
  }

  it('is not known by another name', async () => {
    const { code, stderr } = await home.run([
      ...['run', '10-nodes', '--output', home.output],
      ...['--set', 'operator.controller={reference: {mutant: lazy}}'],
    ]);
    expect(code).to.equal(2);
    expect(stderr).to.match(/mutant: lazy.*reference\.mutant: expected one of "duplicate-block"/);
  });
});
