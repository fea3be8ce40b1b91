import { expect } from 'chai';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { judged } from '../../../helpers/judged.ts';
import { reread } from '../../../helpers/reread.ts';
import { judge } from '../../../../src/sim/judge/judge.ts';
import { INVARIANTS } from '../../../../src/sim/invariants/index.ts';
import { twoNodes, twoServed } from '../../../helpers/two-nodes.ts';

/** What can be wrong with a run, in the order in which it counts. */
interface Grounds {
  readonly always?: boolean;
  readonly invalid?: boolean;
  readonly failed?: boolean;
}

/** A run that is good but for the grounds that are asked for; it has no end yet. */
function runWith({ always, invalid, failed }: Grounds): HistoryBuilder {
  const history = twoNodes({ expect: [failed === true ? 'all(cidr) < 1ms' : 'all(cidr) < 5s'] });
  history.canary().at(300).serve(1).at(400);
  if (always === true) history.serve(2, '10.244.0.0/24').node(2, { podCIDRs: [] });
  history.serve(2);
  if (invalid === true)
    history.record({ kind: 'stall', fromMs: 300, toMs: 400, what: 'the API server stalled' });
  return history.at(2400).finish();
}

const REASON = {
  always: /^INV002: on pods, 10\.244\.0\.0\/24 of sim-1 and .* overlap/,
  invalid: /^scale-2: the API server stalled/,
  failed: /^threshold all\(cidr\) < 1ms in scale-2: got 400ms, limit 1ms$/,
};

describe('the verdict of a run', () => {
  const completed = (history: HistoryBuilder): HistoryBuilder => history.snapshot().end();

  it('is a pass, without reasons, when everything held', () => {
    expect(judged(completed(runWith({})))).to.include({ verdict: 'pass', exitCode: 0 });
    expect(judged(completed(runWith({}))).reasons).to.be.empty;
  });

  const rows: readonly (readonly [Grounds, string, number, readonly RegExp[]])[] = [
    [{ failed: true }, 'fail', 1, [REASON.failed]],
    [{ invalid: true }, 'invalid', 4, [REASON.invalid]],
    [{ invalid: true, failed: true }, 'invalid', 4, [REASON.invalid, REASON.failed]],
  ];
  for (const [grounds, verdict, exitCode, reasons] of rows)
    it(`is ${verdict} with ${Object.keys(grounds).join(' and ')}`, () => {
      const judgement = judged(completed(runWith(grounds)));
      expect(judgement).to.include({ verdict, exitCode });
      expect(judgement.reasons).to.have.length(reasons.length);
      reasons.forEach((reason, i) => expect(judgement.reasons[i]).to.match(reason));
    });

  const always: readonly Grounds[] = [{}, { invalid: true }, { failed: true }];
  for (const grounds of [...always, { invalid: true, failed: true }])
    it(`is fail for what must always hold, also with ${Object.keys(grounds).join(' and ') || 'nothing else'}`, () => {
      const judgement = judged(completed(runWith({ ...grounds, always: true })));
      expect(judgement).to.include({ verdict: 'fail', exitCode: 1 });
      expect(judgement.reasons[0]).to.match(REASON.always);
    });

  const ends: readonly (readonly [
    string,
    (history: HistoryBuilder) => HistoryBuilder,
    string,
    number,
    string,
  ])[] = [
    [
      'without an end',
      (history) => history,
      'error',
      3,
      'the recording has no end: sim itself was killed',
    ],
    [
      'that lost its cluster',
      (history) => history.end('error', 'SIM_CLUSTER_LOST'),
      'error',
      3,
      'SIM_CLUSTER_LOST: no message',
    ],
    [
      'of which the recording could not be written',
      (history) => history.end('error', 'SIM_RECORDING_WRITE'),
      'error',
      3,
      'SIM_RECORDING_WRITE: no message',
    ],
    [
      'that was used badly',
      (history) => history.end('error', 'SIM_UNSUPPORTED'),
      'error',
      2,
      'SIM_UNSUPPORTED: no message',
    ],
    [
      'with a bug of sim',
      (history) => history.end('error', 'SIM_BUG'),
      'error',
      70,
      'SIM_BUG: no message',
    ],
    [
      'with an error that nobody knows',
      (history) => history.end('error', 'EWHAT'),
      'error',
      70,
      'EWHAT: no message',
    ],
    [
      'interrupted by SIGINT',
      (history) => history.end('interrupted', 'SIGINT'),
      'interrupted',
      130,
      'interrupted by SIGINT',
    ],
    [
      'interrupted by SIGHUP',
      (history) => history.end('interrupted', 'SIGHUP'),
      'interrupted',
      130,
      'interrupted by SIGHUP',
    ],
    [
      'ended by SIGTERM',
      (history) => history.end('interrupted', 'SIGTERM'),
      'interrupted',
      143,
      'interrupted by SIGTERM',
    ],
  ];
  for (const [title, end, verdict, exitCode, reason] of ends)
    describe(`of a run ${title}`, () => {
      for (const grounds of [{}, ...(['always', 'invalid', 'failed'] as const)]) {
        const given = typeof grounds === 'string' ? { [grounds]: true } : grounds;
        it(`is ${verdict}, exit code ${exitCode}, whatever else: ${typeof grounds === 'string' ? grounds : 'nothing'}`, () => {
          const judgement = judged(end(runWith(given)));
          expect(judgement).to.include({ verdict, exitCode });
          expect(judgement.reasons[0]).to.equal(reason);
        });
      }
    });
});

describe('judge', () => {
  const statusOf = (history: HistoryBuilder, code: string) =>
    judged(history).invariants.find((report) => report.code === code);

  it('reports on every invariant', () => {
    const { invariants } = judged(twoServed());
    expect(invariants.map(({ code }) => code)).to.deep.equal(INVARIANTS.map(({ code }) => code));
  });

  it('takes nothing for held in a recording with a gap', () => {
    expect(statusOf(twoServed(), 'INV002')).to.deep.include({ status: 'held', checked: 2 });
    expect(statusOf(twoServed().gap(2000), 'INV002')).to.deep.include({
      status: 'not-applicable',
      reason: 'nothing wrong was seen, but the recording has a gap',
      checked: 0,
    });
  });

  it('takes nothing for held in a recording of which entries are missing', () => {
    expect(statusOf(twoServed().lost().canary(), 'INV002')).to.deep.include({
      status: 'not-applicable',
      reason: 'nothing wrong was seen, but the recording has a gap',
    });
    const judgement = judged(twoServed().canary().lost().snapshot().end());
    expect(judgement).to.include({ verdict: 'invalid', exitCode: 4 });
  });

  it('still takes what was seen to be broken for broken in a recording with a gap', () => {
    const history = runWith({ always: true }).at(2500).gap(2450).snapshot().end();
    expect(statusOf(history, 'INV002')).to.include({ status: 'broken' });
    expect(judged(history)).to.include({ verdict: 'fail', exitCode: 1 });
  });

  it('takes a recording that is not complete for invalid, and not for a failure', () => {
    const history = twoServed()
      .canary()
      .snapshot('nodes', (objects) => objects.slice(1))
      .end();
    const judgement = judged(history);
    expect(judgement).to.include({ verdict: 'invalid', exitCode: 4 });
    expect(judgement.reasons).to.deep.equal([
      'INV000: nodes/sim-1 is gone but its end was never seen',
    ]);
  });

  it('fails for an invariant that must hold only at settled points, unless the run is invalid', () => {
    const withTwo = (): HistoryBuilder =>
      twoNodes().canary().serve(1).serve(2, '10.244.1.0/24', '10.244.2.0/24').at(2400).finish();
    expect(judged(withTwo().snapshot().end())).to.include({ verdict: 'fail', exitCode: 1 });
    const stalled = withTwo().record({ kind: 'stall', fromMs: 300, toMs: 400, what: 'late' });
    expect(judged(stalled.snapshot().end())).to.include({ verdict: 'invalid', exitCode: 4 });
  });

  it('fails for a step that missed its goal, and for each that was skipped then', () => {
    const history = twoNodes({ steps: [{ scale: { to: 2 } }, { scale: { to: 0 } }] }).canary();
    history.serve(1).at(120_000).finish().skip('scale-0', 'scale-2 missed its goal');
    const { reasons, exitCode } = judged(history.snapshot().end());
    expect(exitCode).to.equal(1);
    expect(reasons.slice(1)).to.deep.equal([
      'scale-2: not within 2m00s: cidr holds for 1 of 2 nodes, not for sim-2',
      'scale-0: scale-2 missed its goal',
    ]);
  });

  it('leaves the thresholds of a skipped step to the reason why that was skipped', () => {
    const steps = [{ scale: { to: 2 } }, { scale: { to: 0 } }];
    const history = twoNodes({ steps, expect: ['all(gone) < 5s'] }).canary();
    history.serve(1).at(120_000).finish().skip('scale-0', 'scale-2 missed its goal');
    const { reasons, thresholds } = judged(history.snapshot().end());
    expect(reasons.filter((reason) => reason.startsWith('threshold'))).to.deep.equal([]);
    expect(reasons.at(-1)).to.equal('scale-0: scale-2 missed its goal');
    expect(thresholds[0]).to.include({ step: 'scale-0', status: 'broken' });
  });

  it('gives the one reason of a run that ended early, and not what follows from that alone', () => {
    const steps = [{ scale: { to: 2 } }, { scale: { to: 0 } }];
    const early = twoNodes({ steps, expect: ['all(cidr) < 5s', 'all(gone) < 5s'] });
    const judgement = judged(early.canary().end('interrupted', 'SIGINT'));
    expect(judgement.reasons).to.deep.equal(['interrupted by SIGINT']);
    expect(judgement.thresholds.map(({ status }) => status)).to.deep.equal(['broken', 'broken']);
  });

  it('still gives what had gone wrong before a run ended early', () => {
    const history = runWith({ always: true, failed: true }).end('error', 'SIM_CLUSTER_LOST');
    const [first, ...others] = judged(history).reasons;
    expect(first).to.equal('SIM_CLUSTER_LOST: no message');
    expect(others.join()).to.match(/INV002: .*threshold all\(cidr\) < 1ms in scale-2: got/);
  });

  it('counts the further findings of one invariant', () => {
    const history = twoServed().node(1, { podCIDRs: [] }).node(2, { podCIDRs: [] }).at(9000);
    expect(judged(history.snapshot().end()).reasons[0]).to.match(/^INV007: .* \(and 1 more\)$/);
  });

  it('concludes the same from the lines of the recording', () => {
    const history = runWith({ always: true, invalid: true, failed: true }).gap(2300).snapshot();
    const again = judge(reread(history.end()), INVARIANTS, { milestones: ['cidr'], counters: [] });
    expect(again).to.deep.equal(judged(history));
  });
});
