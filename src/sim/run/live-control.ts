import { formatDuration } from '../base/duration.ts';
import { formatSet, type NodeSet } from '../base/node-names.ts';
import { count } from '../base/text.ts';
import { pause } from '../base/wait.ts';
import type { Clock } from '../base/clock.ts';
import { serveControl } from '../host/control-socket.ts';
import { formatFault, isMomentary } from '../model/fault.ts';
import { readLiveAction } from '../scenario/read-live-action.ts';
import { beginFault, healFaults, type FaultTools } from '../steps/faults.ts';

/** More than there can ever be. */
const EVERY_NODE: NodeSet = [{ from: 1, to: 60_000 }];

export interface LiveControlOptions {
  readonly socketPath: string;
  readonly clock: Clock;
  readonly tools: FaultTools;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Takes faults while the run is in progress: `sim fault` and `sim heal`. Answers a function that ends it. */
export function startLiveControl(options: LiveControlOptions): Promise<() => Promise<void>> {
  const { socketPath, tools, signal, say, clock } = options;
  const heal = (nodes: NodeSet, what: Parameters<typeof healFaults>[1]): Promise<number> =>
    healFaults(nodes, what, 'live', tools, signal);
  return serveControl(socketPath, async (wanted) => {
    const parsed = readLiveAction(wanted);
    if ('heal' in parsed) {
      const { nodes = EVERY_NODE, what } = parsed.heal;
      const healed = await heal(nodes, what);
      return told(say, `healed ${count(healed, 'fault')}`);
    }
    const { nodes, fault, for: forMs } = parsed.fault;
    await beginFault(nodes, fault, 'live', tools, signal);
    if (forMs !== undefined && !isMomentary(fault))
      void pause(clock, forMs, signal)
        .then(() => heal(nodes, fault.kind))
        .catch(() => undefined); // the run is over
    const until = forMs === undefined ? '' : ` for ${formatDuration(forMs)}`;
    return told(say, `fault: ${formatFault(fault)} on ${formatSet(nodes)}${until}`);
  });
}

function told(say: (line: string) => void, line: string): string {
  say(`live: ${line}`);
  return line;
}
