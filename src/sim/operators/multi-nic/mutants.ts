/** The broken variants of the reference controller. It has the same list, with what each of them does. */
export const MULTI_NIC_MUTANTS = [
  'duplicate-block',
  'block-outside-parent',
  'node-forgotten',
  'pool-left-behind',
  'pool-of-another-host',
  'reshuffle-on-restart',
  'route-missing',
  'restless',
] as const;
