import { realProcesses, type ProcessIdentity } from '../../src/sim/host/processes.ts';

/** Every process that carries the mark of the run. */
export const processesOf = (runId: string): Promise<readonly ProcessIdentity[]> =>
  realProcesses.findByEnvironment('SIM_RUN_ID', runId);
