/** The runtimes that a scenario and the command line may name. */
export const RUNTIME_NAMES = ['kwokctl'] as const;
export type RuntimeName = (typeof RUNTIME_NAMES)[number];
