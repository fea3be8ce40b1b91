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
