import { seededRandom } from '../../sim/base/seeded-random.ts';
import { textDigest } from '../../sim/base/set-digest.ts';
import type { DaemonFault } from '../fleet/contract.ts';

type Latency = Extract<DaemonFault, { kind: 'latency' }>;

const USUAL_SEED = 1;
/** An exponential delay has no end of its own. */
const LONGEST = 10;

/** By how much the mean is stretched, for an even number from 0 up to 1. */
const SPREADS: Readonly<Record<Latency['spread'], (random: number) => number>> = {
  fixed: () => 1,
  uniform: (random) => 2 * random,
  exponential: (random) => Math.min(LONGEST, -Math.log(1 - random)),
};

/** The delays of one call after the other, in milliseconds: the same for the same seed and name, others for others. */
export function delays(
  { delayMs, spread, seed = USUAL_SEED }: Latency,
  name: string,
): () => number {
  const random = seededRandom(textDigest(`${seed}|${name}`));
  return () => delayMs * SPREADS[spread](random());
}
