/**
 * The digest of a set of texts, whatever their order: the sum, modulo 2^52, of one hash per text. Two sets with the
 * same number of texts and the same digest are taken for equal. Texts are hashed by FNV-1a, with two offsets for more
 * bits than one of 32 has.
 */
export interface SetDigest {
  readonly count: number;
  /** A whole number below 2^52. */
  readonly digest: number;
}

const MODULUS = 2 ** 52;
const PRIME = 0x01000193;

/** 52 bits: 32 of one hash, 20 of another. */
export function textDigest(text: string): number {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, PRIME);
    b = Math.imul(b ^ code, PRIME);
  }
  return (a >>> 0) * 2 ** 20 + (b >>> 12);
}

export const addDigests = (a: number, b: number): number => (a + b) % MODULUS;

export const subtractDigests = (a: number, b: number): number => (a - b + MODULUS) % MODULUS;

export const EMPTY_SET: SetDigest = { count: 0, digest: 0 };
