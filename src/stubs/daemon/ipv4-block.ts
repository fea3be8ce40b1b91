/**
 * The daemon's own arithmetic of IPv4 blocks. It is not shared with the judge on purpose: the two must not have the
 * same bug.
 */
export interface Ipv4Block {
  /** The first address, as a number. */
  readonly base: number;
  /** 0 to 32. */
  readonly prefix: number;
}

const ADDRESS = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** How many addresses a block has. */
export const blockSize = ({ prefix }: Ipv4Block): number => 2 ** (32 - prefix);

/** `192.168.0.64/26`, or one address without a length. Throws a RangeError, which quotes the text, for all else. */
export function parseBlock(text: string): Ipv4Block {
  const [address = '', length, ...rest] = text.split('/');
  const base = parseAddress(address);
  const prefix = length === undefined ? 32 : /^\d{1,2}$/.test(length) ? Number(length) : NaN;
  if (base === undefined || rest.length > 0 || !(prefix <= 32))
    throw new RangeError(`"${text}" is no IPv4 block`);
  return { base: base - (base % 2 ** (32 - prefix)), prefix };
}

function parseAddress(text: string): number | undefined {
  const bytes = ADDRESS.exec(text)?.slice(1).map(Number);
  if (!bytes || bytes.some((byte) => byte > 255)) return undefined;
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** The address at an index of the block, counted from its first. */
export function addressAt(block: Ipv4Block, index: number): string {
  const address = block.base + index;
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.');
}

/** Indexes of a block, both ends included. */
export interface IndexRange {
  readonly first: number;
  readonly last: number;
}

/** The indexes of `block` that `other` covers; undefined when they do not meet. */
export function overlap(block: Ipv4Block, other: Ipv4Block): IndexRange | undefined {
  const first = Math.max(0, other.base - block.base);
  const last = Math.min(blockSize(block), other.base - block.base + blockSize(other)) - 1;
  return first <= last ? { first, last } : undefined;
}
