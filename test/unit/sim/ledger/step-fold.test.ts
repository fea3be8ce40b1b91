import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { StepRecord } from '../../../../src/sim/model/recorded-run.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { MultiNicHistory, multiNicServed } from '../../../helpers/multi-nic-history.ts';
import { rowsOf } from '../../../helpers/multi-nic-raw.ts';
import { networkFor, scenarioOf } from '../../../helpers/planned-scenario.ts';

const lastRecord = (history: HistoryBuilder): StepRecord =>
  history.result().steps.findLast(({ begin }) => begin !== undefined) ??
  expect.fail('no step has begun');

/** The convergence time, from the first action to the last quiet stretch. */
const convergedMs = ({ quietSinceMs, zeroMs }: StepRecord): number | undefined =>
  quietSinceMs === undefined || zeroMs === undefined ? undefined : quietSinceMs - zeroMs;

/** One node, created at 1000; within 30s, settled for 2s. */
const oneNode = (changes: JsonObject = {}): HistoryBuilder =>
  HistoryBuilder.of(scenarioOf({ steps: [{ scale: { to: 1, within: '30s' } }], ...changes }))
    .at(1000)
    .begin('scale-1')
    .act()
    .at(1100)
    .node(1);

describe('a scale step', () => {
  it('is pending until everything holds, settles, and has then converged', () => {
    const history = oneNode();
    expect(history.state()).to.equal('pending');
    history.at(1500).serve(1);
    expect(history.state()).to.equal('settling');
    expect(history.state(3499)).to.equal('settling');
    expect(history.state(3500)).to.equal('converged');
  });

  it('says until when it settles', () => {
    const history = oneNode().at(1500).serve(1);
    expect(history.fold.currentStep?.state(history.now)).to.deep.equal({
      kind: 'settling',
      untilMs: 3500,
    });
  });

  it('takes the start of the last quiet stretch for its convergence time', () => {
    const history = oneNode().at(1500).serve(1).at(3000).node(1, { podCIDRs: [] });
    expect(history.state()).to.equal('pending');
    history.at(4200).serve(1);
    expect(history.state(6199)).to.equal('settling');
    const record = lastRecord(history.at(6200).finish());
    expect(record.outcome).to.equal('converged');
    expect(convergedMs(record)).to.equal(3200);
  });

  it('settles from the end of its actions, when everything holds before they are answered', () => {
    const history = HistoryBuilder.of(scenarioOf({ steps: [{ scale: { to: 1 } }] }))
      .at(1000)
      .begin('scale-1')
      .beginAction()
      .at(1200)
      .node(1)
      .serve(1)
      .at(2500)
      .endAction();
    expect(history.state(4499)).to.equal('settling');
    expect(history.state(4500)).to.equal('converged');
    expect(convergedMs(lastRecord(history))).to.equal(200);
  });

  it('is in time when everything holds at the very end of its bound', () => {
    const history = oneNode().at(31_000).serve(1);
    expect(history.state()).to.equal('settling');
    expect(lastRecord(history.at(33_000).finish()).outcome).to.equal('converged');
  });

  it('has missed its goal when the bound is over', () => {
    const history = oneNode();
    expect(history.state(30_999)).to.equal('pending');
    expect(history.state(31_000)).to.equal('missed');
    expect(lastRecord(history.at(31_000).finish())).to.deep.include({
      outcome: 'failed',
      reason: 'not within 30.0s: cidr holds for 0 of 1 node, not for sim-1',
    });
  });

  it('has missed its goal when everything holds only after the bound', () => {
    const history = oneNode().at(31_001).serve(1);
    expect(history.state()).to.equal('missed');
    expect(lastRecord(history.finish()).reason).to.equal('not within 30.0s: it held, but too late');
  });

  it('has missed its goal when it falls back after the bound, while it settles', () => {
    const history = oneNode().at(30_500).serve(1).at(31_500).node(1, { podCIDRs: [] });
    expect(history.state()).to.equal('missed');
  });

  it('has not converged when it ends before it has settled', () => {
    const record = lastRecord(oneNode().at(1500).serve(1).at(3000).finish());
    expect(record.outcome).to.equal('failed');
  });

  it('names some of many nodes that are late', () => {
    const history = HistoryBuilder.of(
      scenarioOf({ steps: [{ scale: { to: 6, within: '1s' } }] }),
    ).begin('scale-6');
    history.act().node(1).serve(1).at(1000).finish();
    expect(lastRecord(history).reason).to.equal(
      'not within 1.0s: cidr holds for 1 of 6 nodes, not for sim-2, sim-3, sim-4 and 2 more',
    );
  });

  it('says of how many removed nodes something is left', () => {
    const history = HistoryBuilder.of(
      scenarioOf({ steps: [{ scale: { to: 1 } }, { scale: { to: 0, within: '1s' } }] }),
    );
    history.node(1).serve(1).begin('scale-0').act().at(1000).finish();
    expect(lastRecord(history).reason).to.equal(
      'not within 1.0s: something is left of 1 removed node',
    );
  });

  describe('on networks that are too small on purpose', () => {
    const overflow = (): HistoryBuilder =>
      HistoryBuilder.of(
        scenarioOf({
          networks: [networkFor(2)],
          overflow: 'expected',
          steps: [{ scale: { to: 3, within: '30s' } }],
        }),
      )
        .begin('scale-3')
        .act()
        .node(1)
        .node(2)
        .node(3)
        .at(500)
        .serve(3);

    it('converges when as many are served as fit, whichever they are', () => {
      const history = overflow().at(700).serve(1);
      const record = lastRecord(history.at(2700).finish());
      expect(record.outcome).to.equal('converged');
      expect(record.samples.get('cidr')?.map(({ heldMs }) => heldMs)).to.deep.equal([
        700,
        null,
        500,
      ]);
    });

    it('does not ask of a counter more than fit, nor take more than there are nodes', () => {
      const networks = [{ name: 'net', subnet: '192.168.0.0/16', hostBlock: 1, interfaceBlock: 2 }];
      const changes = { networks, overflow: 'expected', steps: [{ scale: { to: 3 } }] };
      const history = MultiNicHistory.begun(changes).at(500).served(2).discovered(3);
      expect(history.counters(3, 3, 1).state()).to.equal('pending');
      expect(history.counters(3, 3, 4).state()).to.equal('pending');
      expect(history.counters(3, 3, 2).state()).to.equal('settling');
      expect(history.counters(3, 3, 3).state()).to.equal('settling');
    });

    it('does not converge with fewer', () => {
      expect(lastRecord(overflow().at(30_000).finish()).reason).to.equal(
        'not within 30.0s: cidr holds for 1 of 2 nodes, not for sim-1, sim-2',
      );
    });
  });
});

describe('a step that does not run to its end', () => {
  const history = (): HistoryBuilder =>
    HistoryBuilder.of(scenarioOf({ steps: [{ scale: { to: 1 } }, { scale: { to: 0 } }] }));

  const rows: readonly (readonly [string, HistoryBuilder, string, string])[] = [
    [
      'was skipped',
      history().skip('scale-0', 'scale-1 missed its goal'),
      'skipped',
      'scale-1 missed its goal',
    ],
    ['was never begun', history(), 'skipped', 'the run ended before it'],
    [
      'was in progress when the recording ends',
      history().begin('scale-0').act(),
      'unfinished',
      'the recording ends within the step',
    ],
    [
      'was ended by something else',
      history().begin('scale-0').act().at(20_000).finish('interrupted by SIGINT'),
      'unfinished',
      'interrupted by SIGINT',
    ],
  ];
  for (const [title, built, outcome, reason] of rows)
    it(`is ${outcome} when it ${title}`, () => {
      expect(built.result().steps[1]).to.deep.include({ outcome, reason });
    });

  it('keeps what was measured', () => {
    const record = lastRecord(oneNode().at(1500).serve(1));
    expect(record.samples.get('cidr')?.[0]?.heldMs).to.equal(500);
    expect(record.wallMs).to.be.undefined;
  });
});

describe('a step that takes its time on purpose', () => {
  const rolling = (): MultiNicHistory =>
    multiNicServed({
      steps: [
        { scale: { to: 2 } },
        { restart: { what: 'daemons', atATime: 1, pause: '60s', probe: false, within: '10s' } },
      ],
    })
      .at(3000)
      .begin('restart-daemons');

  it('is bounded from the end of its last action', () => {
    const history = rolling()
      .act(1)
      .at(63_000)
      .act()
      .cidr(...rowsOf(1));
    expect(history.state(72_900)).to.equal('pending');
    expect(history.state(73_000)).to.equal('missed');
    history.at(72_000).cidr(...rowsOf(1, 2));
    expect(history.state(72_000)).to.equal('settling');
    expect(history.state(74_000)).to.equal('converged');
  });
});
