import { join } from 'node:path';
import { expect } from 'chai';
import type { RunReport } from '../../src/sim/model/run-report.ts';
import { MUTANTS } from '../../src/stubs/controller/mutants.ts';
import { Ahead } from '../helpers/ahead.ts';
import { SimHome, type Ended } from '../helpers/sim-process.ts';

const HEAD = `
operator: { profile: multi-nic, controller: reference }
settle: 3s
seed: 2
`;

/** Small versions of shipped scenarios, by their names. Goals are missed on purpose: the run must go on to show more. */
const SCENARIOS: Readonly<Record<string, string>> = {
  'step-scale': `
name: step-scale
${HEAD}
networks:
  - name: sample
    subnet: 192.168.0.0/16
    hostBlock: 8
    interfaceBlock: 2
    excludeCIDRs: [192.168.0.0/26]
steps:
  - scale: { to: 3, within: 12s, onMiss: continue }
  - scale: { to: 6, within: 12s, onMiss: continue }
  - scale: { name: shrink, to: 3, within: 32s, onMiss: continue }
expect:
  - regressions(processed) == 0
`,
  exhaustion: `
name: exhaustion
${HEAD}
networks:
  - { name: sample, subnet: 192.168.0.0/16, hostBlock: 2, interfaceBlock: 2 }
overflow: expected
steps:
  - scale: { to: 6, within: 12s, onMiss: continue }
  - scale: { to: 2, within: 12s, onMiss: continue }
  - scale: { to: 4, within: 12s, onMiss: continue }
`,
  resilience: `
name: resilience
${HEAD}
networks:
  - { name: sample, subnet: 192.168.0.0/16, hostBlock: 8, interfaceBlock: 2 }
steps:
  - scale: { to: 5, within: 12s, onMiss: continue }
  - restart: { what: controller, probe: false, within: 12s, onMiss: continue }
`,
};

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
  restless: {
    message: /^\d+ writes? at rest after scale-\d, .*: multinicnetworks\/sample/,
    objects: [/^multinicnetworks\/sample$/],
  },
};

interface Case {
  readonly scenario: string;
  /** Undefined: the honest controller. */
  readonly mutant: string | undefined;
}

const HONEST: readonly Case[] = Object.keys(SCENARIOS).map((scenario) => ({
  scenario,
  mutant: undefined,
}));
/** Mutants whose harm shows in one of the scenarios above. */
const SHOWN = MUTANTS.filter(({ scenario }) => SCENARIOS[scenario] !== undefined);
const BROKEN = SHOWN.map(({ name, scenario }): Case => ({ scenario, mutant: name }));

type Outcome = Ended & { readonly report: RunReport };

/** In one home: runs in different ones do not know of each other's ports. */
async function run(home: SimHome, { scenario, mutant }: Case): Promise<Outcome> {
  const output = join(home.path, mutant ?? `honest-${scenario}`);
  const controller = `operator.controller={reference: {mutant: ${mutant ?? ''}}}`;
  const more = mutant === undefined ? [] : ['--set', controller];
  const ended = await home.run(['run', '-', '--output', output, ...more], {}, SCENARIOS[scenario]);
  return { ...ended, report: await home.report(output) };
}

describe('a controller that breaks one guarantee', function () {
  this.timeout(300_000);
  let home: SimHome;
  const runs = new Ahead([...HONEST, ...BROKEN], (one) => run(home, one));
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

  for (const [i, { name, what, breaks }] of SHOWN.entries())
    it(`is caught by ${breaks}: "${name}" ${what}`, async () => {
      const { code, stdout, stderr, report } = await runs.result(BROKEN[i]!);
      expect(code, stdout + stderr).to.equal(1);
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

  it('is not known by another name', async () => {
    const { code, stderr } = await home.run([
      ...['run', '10-nodes', '--output', home.output],
      ...['--set', 'operator.controller={reference: {mutant: lazy}}'],
    ]);
    expect(code).to.equal(2);
    expect(stderr).to.match(/mutant: lazy.*reference\.mutant: expected one of "duplicate-block"/);
  });
});
