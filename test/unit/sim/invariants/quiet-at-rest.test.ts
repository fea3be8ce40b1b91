import { expect } from 'chai';
import { quietAtRest } from '../../../../src/sim/invariants/quiet-at-rest.ts';
import type { Verdict } from '../../../../src/sim/model/verdict.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { networkFor } from '../../../helpers/planned-scenario.ts';
import { pod, rows, tables, twoNodes, twoServed } from '../../../helpers/two-nodes.ts';

const check = (history: HistoryBuilder): Verdict => quietAtRest.check(history.result());
const HELD = { status: 'held', checked: 1 };
const BLOCKS = {
  a: { node: 'sim-1', cidr: '10.0.0.0/24' },
  b: { node: 'sim-2', cidr: '10.0.1.0/24' },
};

describe('INV013, quiet at rest', () => {
  it('takes writes of the cluster itself for no unrest: pods and the state of nodes', () => {
    const history = twoNodes().at(300).serve(1).serve(2).at(900).node(1, { ready: 'Unknown' });
    expect(check(pod(history, 1).at(2400).finish())).to.deep.equal(HELD);
  });

  it('takes writes between two steps for no unrest', () => {
    const history = rows(tables().at(400), BLOCKS).at(2400).finish();
    expect(check(rows(history.at(3000), BLOCKS))).to.deep.equal(HELD);
  });

  it('looks at no step in which the controller exited unasked, or was started again', () => {
    for (const event of ['exited', 'started'] as const) {
      const crashed = rows(tables().at(400).controller(event, { pid: 1 }), BLOCKS);
      rows(crashed.at(500), BLOCKS);
      expect(check(crashed.at(3000).finish())).to.include({ status: 'not-applicable' });
    }
    const asked = rows(tables().at(400).controller('exited', { pid: 1, asked: true }), BLOCKS);
    expect(check(asked.at(3000).finish())).to.deep.equal(HELD);
    const later = asked.at(4000).controller('exited', { pid: 1, asked: false });
    expect(check(later)).to.deep.equal(HELD);
  });

  it('looks at no step that missed its goal', () => {
    const history = rows(tables().at(400), BLOCKS);
    rows(history.at(500), BLOCKS);
    expect(check(history.at(600).finish())).to.include({ status: 'not-applicable' });
  });

  it('names some of many objects', () => {
    const history = rows(tables().at(400), BLOCKS);
    for (let i = 1; i <= 7; i++)
      history.object('tables', { name: `t${i}` }, { fields: { network: 'net' } });
    const verdict = check(history.at(2400).finish());
    expect(verdict)
      .to.have.nested.property('findings[0].message')
      .that.matches(/^7 writes at rest after scale-2, .*: tables\/t1, .* and 2 more$/);
  });

  it('takes a node that joins a full network for no unrest of the controller', () => {
    const history = twoServed({
      networks: [networkFor(2)],
      overflow: 'expected',
      steps: [{ scale: { to: 2 } }, { scale: { to: 3 } }],
    });
    history.at(3000).begin('scale-3').act().at(3100).node(3).at(6000).finish();
    expect(check(history)).to.deep.equal({ status: 'held', checked: 2 });
  });

  it('catches a block that is given to no purpose, while enough nodes are served', () => {
    const history = twoServed({
      networks: [networkFor(2)],
      overflow: 'expected',
      steps: [{ scale: { to: 2 } }, { scale: { to: 3 } }],
    });
    history.at(3000).begin('scale-3').act().node(3).at(3500).serve(3, '10.244.1.0/24');
    expect(check(history.at(6000).finish())).to.have.nested.property(
      'findings[0].message',
      '1 write at rest after scale-3, first at 3.500 s: nodes/sim-3',
    );
  });
});
