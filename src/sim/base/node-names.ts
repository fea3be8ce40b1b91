/** Fake nodes are `sim-1` … `sim-N`. The name says the index; addresses follow from it. */
const PREFIX = 'sim-';
const PATTERN = /^sim-([1-9]\d*)$/;

export const nodeName = (index: number): string => `${PREFIX}${index}`;

/** The index in a fake node's name; undefined for any other name. */
export function nodeIndex(name: string): number | undefined {
  const match = PATTERN.exec(name);
  return match ? Number(match[1]) : undefined;
}

/** An inclusive range of node indexes; empty when `to` is less than `from`. */
export interface NodeRange {
  readonly from: number;
  readonly to: number;
}

export const rangeSize = (range: NodeRange): number => Math.max(0, range.to - range.from + 1);

export function* indexesOf(range: NodeRange): Generator<number> {
  for (let i = range.from; i <= range.to; i++) yield i;
}

export const inRange = (range: NodeRange, index: number): boolean =>
  index >= range.from && index <= range.to;

/** `sim-1…sim-200`, `sim-7`, `no nodes`. */
export function formatRange(range: NodeRange): string {
  const size = rangeSize(range);
  if (size === 0) return 'no nodes';
  return size === 1 ? nodeName(range.from) : `${nodeName(range.from)}…${nodeName(range.to)}`;
}

/** Nodes by their indexes: ranges in ascending order that have nothing in common. */
export type NodeSet = readonly NodeRange[];

const PART_OF_SET = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/;

/** `3`, `1-10`, `1-4,7` → the ranges; undefined when the text is no set of nodes. */
export function parseNodeSet(text: string): NodeSet | undefined {
  const ranges: NodeRange[] = [];
  for (const part of text.split(',')) {
    const match = PART_OF_SET.exec(part.trim());
    const from = Number(match?.[1]);
    const to = Number(match?.[2] ?? from);
    if (!match || to < from) return undefined;
    ranges.push({ from, to });
  }
  ranges.sort((a, b) => a.from - b.from);
  return ranges.some((range, i) => i > 0 && range.from <= (ranges[i - 1]?.to ?? 0))
    ? undefined
    : ranges;
}

export const inSet = (set: NodeSet, index: number): boolean =>
  set.some((range) => inRange(range, index));

export const indexesOfSet = (set: NodeSet): readonly number[] =>
  set.flatMap((range) => [...indexesOf(range)]);

export const highestOf = (set: NodeSet): number => set.at(-1)?.to ?? 0;

/** `sim-1…sim-4, sim-7`; `no nodes`. */
export const formatSet = (set: NodeSet): string =>
  set.length === 0 ? 'no nodes' : set.map(formatRange).join(', ');

/** The shortest set of the indexes. */
export function setOf(indexes: Iterable<number>): NodeSet {
  const ranges: { from: number; to: number }[] = [];
  for (const index of [...new Set(indexes)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.to === index - 1) last.to = index;
    else ranges.push({ from: index, to: index });
  }
  return ranges;
}
