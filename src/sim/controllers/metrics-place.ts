import type { Host } from '../host/host.ts';
import type { ProcessIdentity } from '../host/processes.ts';
import type { ControllerMetricsSpec } from '../model/controller-spec.ts';
import type { ControllerDescription } from './controller.ts';

/** Where the metrics of a controller are now; undefined while it is down on purpose, or has not said it yet. */
export type MetricsPlace = () => Promise<string | undefined>;

/** What is to be known of the controller. */
interface Asked {
  readonly description: Pick<ControllerDescription, 'reference'>;
  process(): Pick<ProcessIdentity, 'pid'> | undefined;
}

interface PlaceNeeds {
  readonly metrics: ControllerMetricsSpec | undefined;
  /** Where the reference controller says it. */
  readonly logFile: string;
}

/** Undefined where the controller is not to be asked for metrics, or where nobody has said at what address. */
export function metricsPlace(
  host: Pick<Host, 'files'>,
  controller: Asked,
  { metrics, logFile }: PlaceNeeds,
): MetricsPlace | undefined {
  if (metrics === false) return undefined;
  if (metrics) return () => Promise.resolve(controller.process() && metrics.url);
  return controller.description.reference ? loggedPlace(host, controller, logFile) : undefined;
}

/** Every process of it takes another port, and says which in its log; it is the same log for all of them. */
function loggedPlace(
  { files }: Pick<Host, 'files'>,
  controller: Asked,
  logFile: string,
): MetricsPlace {
  let known: { readonly pid: number; readonly url: string } | undefined;
  return async () => {
    const pid = controller.process()?.pid;
    if (pid === undefined) return undefined;
    if (known?.pid === pid) return known.url;
    const log = (await files.readTextIfAny(logFile)) ?? '';
    const url = new RegExp(` metrics of process ${pid}: (\\S+)$`, 'm').exec(log)?.[1];
    known = url === undefined ? undefined : { pid, url };
    return url;
  };
}
