import { indexesOfSet, type NodeSet } from '../base/node-names.ts';
import type { PodObjects, PodsOfNodes } from '../model/plan.ts';

interface HeldPods {
  readonly from: number;
  readonly to: number;
  readonly podObjects: PodObjects;
}

/** Pods to ask or to give back for, and whether there are objects of them. */
export interface PodWork {
  readonly podObjects: PodObjects;
  readonly work: readonly PodsOfNodes[];
}

/** Which pods hold addresses at a point of the plan. Those of a node are numbered from 1, the oldest first. */
export class PodBook {
  readonly #held = new Map<number, readonly HeldPods[]>();

  /** Each of the nodes gets so many more. */
  add(nodes: NodeSet, count: number, podObjects: PodObjects): PodWork {
    const pods = indexesOfSet(nodes).map((node) => {
      const held = this.#held.get(node) ?? [];
      const from = (held.at(-1)?.to ?? 0) + 1;
      const added = { from, to: from + count - 1, podObjects };
      this.#held.set(node, [...held, added]);
      return { node, ...added };
    });
    return { podObjects, work: grouped(pods) };
  }

  /** Each of the nodes loses so many, or all: those with objects apart from those without. */
  take(nodes: NodeSet, count = Infinity): readonly PodWork[] {
    const taken = indexesOfSet(nodes).flatMap((node) => this.#takeFrom(node, count));
    return worksOf(taken);
  }

  /** Those of the nodes that have objects, which somebody else takes away. */
  takeObjects(nodes: NodeSet): readonly PodWork[] {
    const taken = indexesOfSet(nodes).flatMap((node) => {
      const held = this.#held.get(node) ?? [];
      this.#keep(
        node,
        held.filter(({ podObjects }) => podObjects === 'none'),
      );
      return held
        .filter(({ podObjects }) => podObjects !== 'none')
        .map((pods) => ({ node, ...pods }));
    });
    return worksOf(taken);
  }

  /** The nodes are no more, and their pods with them. */
  forget(nodes: Iterable<number>): void {
    for (const node of nodes) this.#held.delete(node);
  }

  /** Pods on the node that has the most. */
  most(): number {
    return Math.max(0, ...[...this.#held.values()].map(sizeOf));
  }

  nodes(): readonly number[] {
    return [...this.#held.keys()];
  }

  #takeFrom(node: number, count: number): readonly PodsOfNode[] {
    let left = count;
    const taken: PodsOfNode[] = [];
    const kept: HeldPods[] = [];
    for (const { from, to, podObjects } of this.#held.get(node) ?? []) {
      const here = Math.min(left, to - from + 1);
      left -= here;
      if (here > 0) taken.push({ node, from, to: from + here - 1, podObjects });
      if (from + here <= to) kept.push({ from: from + here, to, podObjects });
    }
    this.#keep(node, kept);
    return taken;
  }

  #keep(node: number, pods: readonly HeldPods[]): void {
    if (pods.length > 0) this.#held.set(node, pods);
    else this.#held.delete(node);
  }
}

type PodsOfNode = HeldPods & { readonly node: number };

const sizeOf = (held: readonly HeldPods[]): number =>
  held.reduce((sum, { from, to }) => sum + to - from + 1, 0);

const worksOf = (pods: readonly PodsOfNode[]): readonly PodWork[] =>
  [...new Set(pods.map(({ podObjects }) => podObjects))].map((podObjects) => ({
    podObjects,
    work: grouped(pods.filter((one) => one.podObjects === podObjects)),
  }));

/** Neighbours with pods of the same numbers as one range. */
function grouped(pods: readonly PodsOfNode[]): readonly PodsOfNodes[] {
  const groups: { nodes: { from: number; to: number }; pods: { from: number; to: number } }[] = [];
  for (const { node, from, to } of pods) {
    const last = groups.at(-1);
    if (last?.nodes.to === node - 1 && last.pods.from === from && last.pods.to === to)
      last.nodes.to = node;
    else groups.push({ nodes: { from: node, to: node }, pods: { from, to } });
  }
  return groups;
}
