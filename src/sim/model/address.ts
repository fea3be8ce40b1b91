import { parseIp, stringifyIp } from 'ip-bigint';
import IPCIDR from 'ip-cidr';

/** A range of addresses given as a CIDR. The judge's arithmetic: the stubs and controllers have their own. */
export interface Block {
  /** In canonical form: no host bits, IPv6 compressed as Kubernetes writes it. */
  readonly cidr: string;
  readonly version: 4 | 6;
  readonly prefix: number;
  readonly first: bigint;
  readonly last: bigint;
}

const BITS = { 4: 32, 6: 128 } as const;
const known = new Map<string, Block | undefined>();

/** The block of a CIDR; undefined when the text is not one. Results are kept: the same few thousand recur. */
export function parseBlock(cidr: string): Block | undefined {
  if (!known.has(cidr)) {
    if (known.size > 200_000) known.clear();
    known.set(cidr, readBlock(cidr));
  }
  return known.get(cidr);
}

/** The block of a CIDR that a schema has checked. Throws RangeError when the text is not one after all. */
export function blockOf(cidr: string): Block {
  const block = parseBlock(cidr);
  if (!block) throw new RangeError(`not a CIDR: ${cidr}`);
  return block;
}

function readBlock(cidr: string): Block | undefined {
  if (!IPCIDR.isValidCIDR(cidr)) return undefined;
  const [address = '', length = ''] = cidr.split('/');
  const { number, version } = parseIp(address);
  const prefix = Number(length);
  const hostBits = BigInt(BITS[version] - prefix);
  const first = (number >> hostBits) << hostBits;
  return {
    cidr: `${stringifyIp({ number: first, version })}/${prefix}`,
    version: version,
    prefix,
    first,
    last: first + (1n << hostBits) - 1n,
  };
}

export const blockSize = (block: Block): bigint => block.last - block.first + 1n;

export const overlaps = (a: Block, b: Block): boolean =>
  a.version === b.version && a.first <= b.last && b.first <= a.last;

export const isInside = (inner: Block, outer: Block): boolean =>
  inner.version === outer.version && inner.first >= outer.first && inner.last <= outer.last;

/** How many blocks with a prefix fit into another block; 0 when the prefix is shorter than the block's own. */
export const subnetCount = (block: Block, prefix: number): number =>
  prefix < block.prefix ? 0 : 2 ** (prefix - block.prefix);

/** An address by its number in the block. Throws RangeError when the block does not reach that far. */
export function addressAt(block: Block, index: bigint): string {
  if (index < 0n || index > block.last - block.first)
    throw new RangeError(`${block.cidr} has no address number ${index}`);
  return stringifyIp({ number: block.first + index, version: block.version });
}
