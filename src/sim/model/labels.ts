/** On everything that a run creates in a cluster: the run's id. `sim clean` sweeps by it. */
export const RUN_LABEL = 'sim/run';

/** In the environment of every process that a run starts, and of their children. */
export const RUN_VARIABLE = 'SIM_RUN_ID';

/** The namespace for sim's own objects, such as the canary. */
export const SIM_NAMESPACE = 'sim-system';
