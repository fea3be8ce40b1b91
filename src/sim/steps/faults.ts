import { SimError } from '../base/errors.ts';
import type { NodeSet } from '../base/node-names.ts';
import { isMomentary, type Fault, type FaultKind } from '../model/fault.ts';
import type { Observation } from '../model/history.ts';
import type { DaemonPods } from './daemon-pods.ts';
import type { Daemons } from './daemons.ts';

/** What makes things go wrong, and well again. */
export interface FaultTools {
  /** Undefined for operators that dial nobody. */
  readonly daemons: Daemons | undefined;
  readonly daemonPods: DaemonPods | undefined;
  readonly record: (observation: Observation) => void;
}

type Source = 'step' | 'live';

/** Recorded before it is done: from then on less is expected. */
export async function beginFault(
  nodes: NodeSet,
  fault: Fault,
  source: Source,
  tools: FaultTools,
  signal: AbortSignal,
): Promise<void> {
  const { daemons, daemonPods, record } = tools;
  if (!daemons || !daemonPods) throw nobodyToFail();
  const entry = {
    kind: 'fault' as const,
    nodes: nodes.map((range) => ({ ...range })),
    fault,
    source,
  };
  record({ ...entry, phase: 'begin' });
  await daemons.addFault(nodes, fault, signal);
  if (fault.kind === 'not-ready') await daemonPods.setReady(nodes, false, signal);
  if (isMomentary(fault)) record({ ...entry, phase: 'end' });
}

/** Ends faults of a kind, or all. Recorded when it is done: from then on everything is expected again. */
export async function healFaults(
  nodes: NodeSet,
  what: FaultKind | undefined,
  source: Source,
  tools: FaultTools,
  signal: AbortSignal,
): Promise<number> {
  const { daemons, daemonPods, record } = tools;
  if (!daemons || !daemonPods) throw nobodyToFail();
  const healed = await daemons.heal(nodes, what, signal);
  for (const { fault, nodes: rid } of healed) {
    if (fault.kind === 'not-ready') await daemonPods.setReady(rid, true, signal);
    record({
      kind: 'fault',
      phase: 'end',
      nodes: rid.map((range) => ({ ...range })),
      fault,
      source,
    });
  }
  return healed.length;
}

const nobodyToFail = (): SimError =>
  new SimError('SIM_UNSUPPORTED', 'the operator has no daemons that could fail');
