import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseHistoryLine, type HistoryEntryOf } from '../../src/sim/model/history.ts';
import type { RunReport } from '../../src/sim/model/run-report.ts';
import { SimHome, type Ended } from '../helpers/sim-process.ts';

/** Sixteen slices. The restart comes while nodes are being added. */
const SCENARIO = `
name: slices
operator: { profile: whereabouts }
networks: [{ name: macvlan, range: 10.128.0.0/20, nodeSliceSize: 24 }]
settle: 1s
steps:
  - scale: { to: 10, during: [{ at: 5, restart: { what: controller, signal: SIGKILL } }] }
  - scale: { to: 0 }
`;

describe('the node-slice controller of whereabouts', function () {
  this.timeout(180_000);
  let home: SimHome;
  let ended: Ended;
  let report: RunReport;
  /** The node of each slice at the end of the two steps. */
  const pools: Readonly<Record<string, string>>[] = [];

  before(async () => {
    home = await SimHome.make();
    ended = await home.run(['run', '-', '--output', home.output], {}, SCENARIO);
    report = await home.report();
    const slices: Record<string, string> = {};
    for (const line of (await readFile(join(home.output, 'history.jsonl'), 'utf8')).split('\n')) {
      const entry = line === '' ? undefined : parseHistoryLine(line);
      if (!entry || !('known' in entry)) continue;
      const { known } = entry;
      if (known.kind === 'object' && known.resource === 'nodeslicepools') {
        Object.assign(slices, nodesOf(known));
        for (const slice of known.unset ?? []) Reflect.deleteProperty(slices, slice);
      }
      if (known.kind === 'step' && known.phase === 'end') pools.push({ ...slices });
    }
  });
  after(() => home.remove());

  const invariant = (code: string) => report.invariants.find((one) => one.code === code);

  it('is taken from the toolchain when the scenario names no other, and is said to be', () => {
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    expect(report.controller).to.deep.include({
      kind: 'toolchain',
      reference: false,
      identity: 'system:serviceaccount:whereabouts:sim-controller',
    });
    expect(report.versions['nodeslicecontroller']).to.equal('v0.9.2 (pinned)');
  });

  it('gives ten nodes a slice each, through a restart', () => {
    const nodes = Object.values(pools[0] ?? {}).filter((node) => node !== '');
    const names = Array.from({ length: 10 }, (_, i) => `sim-${i + 1}`);
    expect(Object.keys(pools[0] ?? {})).to.have.length(16);
    expect(nodes.toSorted()).to.deep.equal(names.toSorted());
    const [up] = report.steps;
    expect(up?.milestones['slice']).to.deep.include({ count: 10, missing: [] });
    expect(up?.recoveryMs).to.be.a('number').greaterThan(0);
  });

  it('has all slices free again when the nodes are gone', () => {
    expect(Object.values(pools[1] ?? {})).to.deep.equal(Array.from({ length: 16 }, () => ''));
    expect(report.steps[1]?.milestones['gone']).to.deep.include({ count: 10, missing: [] });
  });

  it('is judged by what it gave', () => {
    const looked = ['INV002', 'INV003', 'INV004', 'INV006', 'INV007', 'INV011'];
    for (const code of looked)
      expect(invariant(code), code).to.deep.include({ status: 'held', checked: 10 });
    expect(invariant('INV013')).to.deep.include({ status: 'held', checked: 2 });
    expect(invariant('INV014')).to.deep.include({ status: 'held', checked: 1 });
    for (const code of ['INV000', 'INV012']) expect(invariant(code)?.status, code).to.equal('held');
  });

  it('is not even started for more nodes than there are slices', async () => {
    const more = ['--set', 'steps[0].scale.to=17'];
    const refused = await home.run(['plan', '-', ...more], {}, SCENARIO);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.match(/^SIM_CAPACITY /m);
    expect(refused.stderr).to.include('17 slices needed').and.to.include('2^4 = 16 slices');
    const planned = await home.run(
      ['plan', '-', ...more, '--set', 'overflow=expected'],
      {},
      SCENARIO,
    );
    expect(planned.code, planned.stderr).to.equal(0);
    expect(planned.stdout).to.include('but only slice for 16 of them, as many as fit');
  });
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const nodesOf = ({ set = {} }: HistoryEntryOf<'object'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.values(set).map((row) => [text(row['sliceRange']), text(row['nodeName'])]),
  );
