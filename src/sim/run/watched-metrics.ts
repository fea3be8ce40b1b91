import { join } from 'node:path';
import type { ControllerUnderTest } from '../controllers/controller.ts';
import { metricsPlace } from '../controllers/metrics-place.ts';
import { CONTROLLER_LOG } from '../controllers/start-controller.ts';
import { MetricsWatch } from '../observe/metrics-watch.ts';
import type { Session } from './session.ts';

/** Asks the controller for its own metrics from now on, where it has any. */
export async function watchMetrics(
  { host, recorder, request, directory, undo }: Session,
  controller: ControllerUnderTest,
): Promise<MetricsWatch | undefined> {
  const place = metricsPlace(host, controller, {
    metrics: request.loaded.scenario.operator.metrics,
    logFile: join(directory.logs, CONTROLLER_LOG),
  });
  if (!place) return undefined;
  const watch = new MetricsWatch({ clock: host.clock, recorder, place });
  undo.push('ask for metrics no more', () => watch.stop());
  await watch.start();
  return watch;
}
