import { indexesOfSet, nodeName } from '../base/node-names.ts';
import { faultKey, isMomentary } from '../model/fault.ts';
import type { FaultFact, Moment } from '../model/facts.ts';
import type { HistoryEntryOf } from '../model/history.ts';
import type { FactBook, Touched } from './fact-book.ts';

/** What is wrong with nodes on purpose, as facts. They belong to a node's name, and outlive its bearers. */
export class FaultFold {
  readonly #facts: FactBook;

  constructor(facts: FactBook) {
    this.#facts = facts;
  }

  apply({ phase, nodes, fault }: HistoryEntryOf<'fault'>, at: Moment): readonly Touched[] {
    if (isMomentary(fault)) return [];
    return indexesOfSet(nodes).map((index) => {
      const node = nodeName(index);
      const fact: FaultFact = {
        kind: 'fault',
        node,
        fault: fault.kind,
        interface: 'interface' in fault ? fault.interface : undefined,
      };
      const source = `faults/${node}/${faultKey(fault)}`;
      return this.#facts.tell(source, phase === 'begin' ? [fact] : [], at);
    });
  }
}
