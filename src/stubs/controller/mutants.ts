import { mutationNamed, type Mutant } from '../mutant.ts';
import { BLOCK_MUTANTS } from './block-mutants.ts';
import { HONEST, type Mutation } from './mutation.ts';
import { OBJECT_MUTANTS } from './object-mutants.ts';
import { PROCESS_MUTANTS } from './process-mutants.ts';
import { ROUTE_MUTANTS } from './route-mutants.ts';

/** Broken controllers, each by one guarantee, the same every time under the same seed. */
export const MUTANTS: readonly Mutant<Mutation>[] = [
  ...BLOCK_MUTANTS,
  ...OBJECT_MUTANTS,
  ...ROUTE_MUTANTS,
  ...PROCESS_MUTANTS,
];

/** The honest controller, or the named broken one. Undefined when there is none of that name. */
export const mutationOf = (name: string | undefined, seed: number): Mutation | undefined =>
  mutationNamed(MUTANTS, HONEST, name, seed);
