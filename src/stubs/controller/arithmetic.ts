/**
 * IPv4 arithmetic of the controller alone. The judge has another one, on purpose: two programs that share a function
 * share its bugs, and would agree on a wrong answer.
 */
export interface Range {
  readonly base: number;
  readonly prefix: number;
}

export function parseRange(cidr: string): Range {
  const [address = '', length = '32'] = cidr.split('/');
  const base = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const prefix = Number(length);
  return { base: base - (base % sizeOf(prefix)), prefix };
}

export const formatRange = ({ base, prefix }: Range): string => `${formatAddress(base)}/${prefix}`;

const formatAddress = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');

const sizeOf = (prefix: number): number => 2 ** (32 - prefix);

/** The n-th block of a prefix inside a range. */
export function blockAt(range: Range, prefix: number, n: number): Range {
  return { base: range.base + n * sizeOf(prefix), prefix };
}

/** Whether the whole block lies in the other range. */
export const isCovered = (block: Range, by: Range): boolean =>
  by.prefix <= block.prefix && block.base - (block.base % sizeOf(by.prefix)) === by.base;

/** Whether a block holds the whole of a smaller range. */
export const holds = (block: Range, smaller: Range): boolean => isCovered(smaller, block);
