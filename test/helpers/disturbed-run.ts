import type { JsonObject } from '../../src/sim/base/json.ts';
import type { Fault } from '../../src/sim/model/fault.ts';
import { podOwner } from '../../src/sim/model/pod-names.ts';
import { type MultiNicHistory, multiNicServed } from './multi-nic-history.ts';
import { addressOf, rowsOf } from './multi-nic-raw.ts';

const HANG: Fault = { kind: 'hang' };
const PARTIAL = [{ interface: 'eth0', ip: addressOf(2, 0, 1) }];

/**
 * A multi-nic run of two nodes: each gets a pod, and sim-2's only an address on one NIC at first; then the daemon of
 * sim-2 hangs, loses its blocks for 800 ms, and all is whole again 500 ms after it was healed.
 */
export function disturbedRun(changes: JsonObject = {}): MultiNicHistory {
  const history = multiNicServed({
    steps: [
      { scale: { to: 2 } },
      { allocate: { within: '30s' } },
      { fault: { nodes: 2, what: 'hang' } },
      { heal: { within: '30s' } },
      { restart: { what: 'daemons', probe: false } },
    ],
    ...changes,
  });
  allocate(history.at(3000).begin('allocate').beginAction());
  history.at(7000).canary().finish().at(8000).begin('fault-hang').beginAction().fault('2', HANG);
  history.endAction().finish().at(9000).begin('heal').beginAction();
  history.at(9200).cidr(...rowsOf(1));
  history.at(9500).heal('2', HANG).endAction();
  history.at(10_000).cidr(...rowsOf(1, 2));
  history.at(12_000).canary().finish().at(13_000).begin('restart-daemons').beginAction();
  history.at(13_500).endAction().at(15_500).canary().finish();
  for (const { id } of history.planned.model.resources) history.snapshot(id);
  return history.snapshot('nodes').end();
}

function allocate(history: MultiNicHistory): void {
  for (const node of [1, 2]) {
    const owner = podOwner(node, 1);
    const asked = history.at(3000 + 400 * node);
    if (node === 1) asked.allocation(1, owner, { latencyMs: 20 });
    else
      asked.allocation(2, owner, {
        status: 'partial',
        granted: PARTIAL,
        latencyMs: 120,
        retries: 2,
        problem: 'no address on eth1',
      });
    history
      .granted(node, owner, { 0: addressOf(node, 0, 1), 1: addressOf(node, 1, 1) })
      .leased(node, 0, { 1: owner })
      .leased(node, 1, { 1: owner });
  }
  history.endAction();
}
