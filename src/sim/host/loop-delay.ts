import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How late the event loop is: what it does meanwhile, events wait for. */
export interface LoopDelay {
  /** The worst delay since the last call. */
  takeWorstMs(): number;
  stop(): void;
}

const RESOLUTION_MS = 10;

/** Node's histogram holds the whole interval between two of its ticks, so its own resolution is taken off. */
export function startLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return {
    takeWorstMs() {
      const worst = histogram.max / 1e6 - RESOLUTION_MS;
      histogram.reset();
      return Math.max(0, worst);
    },
    stop() {
      histogram.disable();
    },
  };
}
