import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import type { Fault } from '../../../../src/sim/model/fault.ts';
import type { Disturbance } from '../../../../src/sim/model/recorded-run.ts';
import type { MultiNicHistory } from '../../../helpers/multi-nic-history.ts';
import { multiNicServed } from '../../../helpers/multi-nic-history.ts';
import { rowsOf } from '../../../helpers/multi-nic-raw.ts';

const HANG: Fault = { kind: 'hang' };
const RESTART = { restart: { what: 'daemons', probe: false, within: '30s' } };

/** Two nodes, and then a step that has begun at 3000. */
const during = (name: string, ...steps: readonly JsonObject[]): MultiNicHistory =>
  multiNicServed({ steps: [{ scale: { to: 2 } }, ...steps] })
    .at(3000)
    .begin(name);
const only = (history: MultiNicHistory): Disturbance => {
  const { disturbances } = history.result();
  expect(disturbances).to.have.length(1);
  return disturbances[0] ?? expect.fail('there is none');
};
/** sim-2 loses its blocks, and has them again. */
const lose = (history: MultiNicHistory, atMs: number) => history.at(atMs).cidr(...rowsOf(1));
const regain = (history: MultiNicHistory, atMs: number) => history.at(atMs).cidr(...rowsOf(1, 2));

describe('a restart, as a disturbance', () => {
  const restarted = (): MultiNicHistory =>
    during('restart-daemons', RESTART).at(3100).beginAction().at(4000).endAction();

  it('lasts as long as its action, and all is well at once where nothing was lost', () => {
    expect(only(restarted().at(6000).finish())).to.deep.equal({
      what: 'restart of daemons',
      nodes: [{ from: 1, to: 2 }],
      beginMs: 3100,
      endMs: 4000,
      endStep: 'restart-daemons',
      wholeMs: 4000,
      stalls: [],
    });
  });

  it('is recovered from when everything holds again, for good', () => {
    const history = lose(restarted(), 4200);
    expect(only(history).wholeMs).to.be.undefined;
    regain(history, 5000);
    expect(only(history).wholeMs).to.equal(5000);
    lose(history, 5300);
    expect(only(history).wholeMs).to.be.undefined;
    expect(only(regain(history, 5900).at(7900).finish()).wholeMs).to.equal(5900);
  });

  it('was never recovered from when the step ends with something amiss', () => {
    const history = lose(restarted(), 4200).at(33_000).finish();
    expect(only(history).wholeMs).to.be.undefined;
    expect(only(regain(history, 40_000)).wholeMs).to.be.undefined;
  });

  it('is not blamed for what happens after its step', () => {
    const history = restarted().at(6000).finish();
    expect(only(lose(history, 9000)).wholeMs).to.equal(4000);
  });

  it('says what was restarted, and by which signal', () => {
    const what = (body: JsonObject, name: string): string => {
      const step = { restart: { probe: false, ...body } };
      return only(during(name, step).act()).what;
    };
    expect(what({ what: 'controller', signal: 'SIGKILL' }, 'restart-controller')).to.equal(
      'restart of the controller with SIGKILL',
    );
    expect(what({ what: 'kwok' }, 'restart-kwok')).to.equal(
      'restart of kwok-controller with SIGTERM',
    );
  });

  it('is one of several, each with its own recovery', () => {
    const steps = { restart: { ...RESTART.restart, times: 2 } };
    const history = during('restart-daemons', steps).act(1);
    regain(lose(history, 3500), 4000);
    history.at(5000).act(1);
    regain(lose(history, 5200), 6000).at(8000).finish();
    expect(
      history.result().disturbances.map(({ endMs, wholeMs }) => [endMs, wholeMs]),
    ).to.deep.equal([
      [3000, 4000],
      [5000, 6000],
    ]);
  });
});

describe('a fault, as a disturbance', () => {
  const FAULT = { fault: { nodes: '1-2', what: 'hang' } };
  const HEAL = { heal: { within: '30s' } };
  /** Both nodes hang from 3000 on; the step that heals them has begun at 5000. */
  const healing = (): MultiNicHistory =>
    during('fault-hang', FAULT, HEAL)
      .beginAction()
      .fault('1-2', HANG)
      .endAction()
      .finish()
      .at(5000)
      .begin('heal')
      .beginAction();

  it('lasts until it is healed', () => {
    expect(only(healing())).to.include({ what: 'hang', beginMs: 3000, endMs: undefined });
    const history = healing().at(5500).heal('1-2', HANG).endAction().at(8000).finish();
    expect(only(history)).to.include({ endMs: 5500, endStep: 'heal', wholeMs: 5500 });
  });

  it('lasts until the last of its nodes is healed', () => {
    const history = healing().at(5500).heal('1', HANG);
    expect(only(history).endMs).to.be.undefined;
    expect(only(history.at(6000).heal('2', HANG)).endMs).to.equal(6000);
  });

  it('does not end by the healing of another kind', () => {
    const history = healing().heal('1-2', { kind: 'missing-nic', interface: 'eth1' });
    expect(only(history).endMs).to.be.undefined;
  });

  it('tells how long its nodes got nowhere, the longest first', () => {
    const history = healing();
    lose(history, 5200);
    history.at(5600).cidr();
    history.at(6200).heal('1-2', HANG).endAction();
    regain(history, 7000).at(9000).finish();
    expect(only(history)).to.deep.include({
      wholeMs: 7000,
      stalls: [
        { node: 'sim-2', ms: 1800 },
        { node: 'sim-1', ms: 1400 },
      ],
    });
  });

  it('counts no stall of a node that is not there', () => {
    const history = during('fault-hang', FAULT).beginAction().fault('2-3', HANG);
    history.at(4000).gone(2).at(9000);
    expect(only(history).stalls).to.be.empty;
  });

  it('takes the longest of several stalls of a node', () => {
    const history = healing();
    regain(lose(history, 5100), 5200);
    regain(lose(history, 5300), 5900);
    expect(only(history.heal('1-2', HANG).endAction()).stalls).to.deep.equal([
      { node: 'sim-2', ms: 600 },
    ]);
  });

  it('ends at once where it is momentary', () => {
    const drop: Fault = { kind: 'drop' };
    const history = during('fault-drop', { fault: { nodes: 1, what: 'drop' } });
    history.beginAction().fault('1', drop).heal('1', drop).endAction().at(6000).finish();
    expect(only(history)).to.include({ what: 'drop', endMs: 3000, wholeMs: 3000 });
  });
});
