import { askControl } from '../host/control-socket.ts';
import type { Host } from '../host/host.ts';
import { controlSocketOfRun } from '../run/find-run.ts';
import { readLiveAction } from '../scenario/read-live-action.ts';

/** Has a run in progress do something. Answers its words. Throws SIM_USAGE when it cannot be, or is not, understood. */
export async function tellRun(host: Host, run: string, wanted: object): Promise<string> {
  const written: unknown = JSON.parse(JSON.stringify(wanted)); // without what was not given
  readLiveAction(written);
  return askControl(await controlSocketOfRun(host, run), written);
}
