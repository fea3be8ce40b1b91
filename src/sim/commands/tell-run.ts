import { SimError } from '../base/errors.ts';
import { askControl } from '../host/control-socket.ts';
import type { Host } from '../host/host.ts';
import { controlSocketOfRun } from '../run/find-run.ts';
import { liveAction } from '../scenario/step-shapes.ts';

/** Has a run in progress do something. Answers its words. Throws SIM_USAGE when it cannot be, or is not, understood. */
export async function tellRun(host: Host, run: string, wanted: object): Promise<string> {
  const written: unknown = JSON.parse(JSON.stringify(wanted)); // without what was not given
  const parsed = liveAction.safeParse(written);
  if (!parsed.success) {
    const details = parsed.error.issues.flatMap((issue) =>
      issue.code === 'invalid_union'
        ? issue.errors.flat().filter(({ path }) => path.length > 1)
        : [issue],
    );
    const [first] = details;
    const what = first ? `--${first.path.slice(1).join('.')} ${first.message}` : 'not understood';
    throw new SimError('SIM_USAGE', what);
  }
  return askControl(await controlSocketOfRun(host, run), written);
}
