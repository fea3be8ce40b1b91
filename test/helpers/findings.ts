import type { Invariant } from '../../src/sim/invariants/invariant.ts';
import type { HistoryBuilder } from './history-builder.ts';

/** What an invariant finds in a recording, in words. */
export function messagesOf(invariant: Invariant, history: HistoryBuilder): readonly string[] {
  const verdict = invariant.check(history.result());
  return verdict.status === 'broken' ? verdict.findings.map(({ message }) => message) : [];
}

/** How many things it looked at in a recording that keeps it. Throws when it does not, or does not apply. */
export function heldBy(invariant: Invariant, history: HistoryBuilder): number {
  const verdict = invariant.check(history.result());
  if (verdict.status !== 'held') throw new Error(`${invariant.code}: ${JSON.stringify(verdict)}`);
  return verdict.checked;
}
