/**
 * A broken variant of a stub: it breaks one guarantee, the same every time under the same seed, so that the judge can
 * be seen to notice. `M` are the hooks at which a variant can differ from the honest one.
 */
export interface Mutant<M> {
  readonly name: string;
  /** What it does wrong, in a sentence. */
  readonly what: string;
  /** What notices it: an invariant, a threshold, or `convergence` where a step does not reach its goal. */
  readonly breaks: string;
  /** The shipped scenario of which a small version catches it. */
  readonly scenario: string;
  readonly make: (seed: number) => Partial<M>;
}

/** The host that mutants use when they need one that is not the victim. */
export const FIRST_HOST = 'sim-1';

/** Whether a host is that of the seed: one of the first few, so that small scenarios have it too. */
export const isVictim =
  (seed: number) =>
  (host: string): boolean =>
    host === victimOf(seed);

export const victimOf = (seed: number): string => `sim-${2 + (seed % 3)}`;

/** The hooks of the honest stub, or of the broken one of that name. Undefined when there is none. */
export function mutationNamed<M>(
  mutants: readonly Mutant<M>[],
  honest: M,
  name: string | undefined,
  seed: number,
): M | undefined {
  if (name === undefined) return honest;
  const mutant = mutants.find((candidate) => candidate.name === name);
  return mutant && { ...honest, ...mutant.make(seed) };
}
