import { indexesOf, nodeName } from '../base/node-names.ts';
import type { Fact, Moment } from '../model/facts.ts';
import type { HistoryEntryOf } from '../model/history.ts';
import type { PlannedAction } from '../model/plan.ts';
import { podOwner } from '../model/pod-names.ts';
import type { FactBook, Touched } from './fact-book.ts';
import { NodeSources } from './node-sources.ts';

/** Who shall hold addresses, as facts: from the moment at which a step begins to ask until it begins to give back. */
export class AskFold {
  readonly #sources: NodeSources;

  constructor(facts: FactBook) {
    this.#sources = new NodeSources(facts);
  }

  begin(action: PlannedAction, at: Moment): readonly Touched[] {
    switch (action.kind) {
      case 'allocate':
      case 'deallocate':
      case 'release-evicted':
        return action.work.flatMap(({ nodes, pods }) =>
          [...indexesOf(nodes)].flatMap((node) =>
            [...indexesOf(pods)].map((pod) =>
              this.#tell(nodeName(node), podOwner(node, pod), action.kind === 'allocate', at),
            ),
          ),
        );
      default:
        return [];
    }
  }

  /** Where not everybody can be served, who was refused goes without. */
  refused(
    { verb, status, node, owner }: HistoryEntryOf<'allocation'>,
    at: Moment,
  ): readonly Touched[] {
    const isRefused = verb === 'allocate' && (status === 'empty' || status === 'failed');
    return isRefused ? [this.#tell(node, owner, false, at)] : [];
  }

  /** The node is gone, and its pods with it. */
  forget(node: string, at: Moment): readonly Touched[] {
    return this.#sources.forget(node, at);
  }

  #tell(node: string, owner: string, isAsked: boolean, at: Moment): Touched {
    const facts: readonly Fact[] = isAsked ? [{ kind: 'ask', node, owner }] : [];
    return this.#sources.tell(node, `asks/${node}/${owner}`, facts, at);
  }
}
