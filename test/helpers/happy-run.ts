import { indexesOf } from '../../src/sim/base/node-names.ts';
import type { PlannedAction } from '../../src/sim/model/plan.ts';
import type { JsonObject } from '../../src/sim/base/json.ts';
import { HistoryBuilder } from './history-builder.ts';

/** How long a node waits for its block, for each number of its name. */
const SERVED_AFTER_MS = 100;

/** A whole run of a scenario for node-ipam in which all goes well: every step converges, and the run is complete. */
export function happyRun(source: JsonObject): HistoryBuilder {
  const history = HistoryBuilder.of(source).ready();
  for (const { name, settleMs, actions } of history.planned.plan.steps) {
    history.at(history.now + 1000).begin(name);
    for (const action of actions) play(history, action);
    history
      .at(history.now + settleMs)
      .canary()
      .usage(100)
      .finish()
      .api(name, 10);
  }
  return history.snapshot('pods').snapshot('nodes').end();
}

function play(history: HistoryBuilder, action: PlannedAction): void {
  history.canary().beginAction();
  switch (action.kind) {
    case 'create-node':
      history.node(action.node).endAction();
      history.at(history.now + SERVED_AFTER_MS).serve(action.node);
      return;
    case 'delete-node':
      history.removeNode(action.node).endAction();
      return;
    case 'delete-pods':
      for (const index of indexesOf(action.nodes)) {
        const pod = { name: `pod-${index}`, namespace: 'default' };
        if (history.fold.store.get(`pods/default/pod-${index}`)) history.remove('pods', pod);
      }
      history.endAction();
      return;
    case 'hold':
      history.at(history.now + action.forMs).endAction();
      return;
    case 'restart-controller':
      history
        .controller('stopping', { pid: 100, asked: true, how: action.signal })
        .controller('exited', { pid: 100, asked: true, how: action.signal })
        .at(history.now + 500)
        .controller('ready', { pid: 101 })
        .endAction();
      return;
    case 'await':
      history.endAction();
      return;
    default:
      throw new Error(`a happy run has no ${action.kind}`);
  }
}
