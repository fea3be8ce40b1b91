import type { Host } from '../host/host.ts';
import { cacheOf, type Cache } from './cache.ts';
import type { DownloadTimeouts } from './download.ts';
import { readPins, type Pins } from './pins.ts';
import type { ProgramName } from './program.ts';
import { readMirror, readMode, type Mode } from './settings.ts';

export interface ToolchainOptions {
  readonly programs: readonly ProgramName[];
  /** Paths of the user's own programs; they win over the variables `SIM_<PROGRAM>`. */
  readonly explicit?: Partial<Record<ProgramName, string>> | undefined;
  /** Ends downloads and builds, and leaves nothing half-made. */
  readonly signal?: AbortSignal | undefined;
  /** Called with a line for people, at most every few seconds while something goes on. */
  readonly onProgress?: ((line: string) => void) | undefined;
  readonly timeouts?: Partial<DownloadTimeouts> | undefined;
}

/** What every part of the toolchain needs to know about one call. */
export interface Context {
  readonly host: Host;
  readonly pins: Pins;
  readonly cache: Cache;
  readonly mode: Mode;
  readonly mirror: string | undefined;
  readonly explicit: Partial<Record<ProgramName, string>>;
  readonly signal: AbortSignal | undefined;
  readonly progress: (line: string) => void;
  readonly timeouts: Partial<DownloadTimeouts>;
}

export async function contextOf(
  host: Host,
  options: Omit<ToolchainOptions, 'programs'>,
): Promise<Context> {
  const mode = readMode(host.env);
  const mirror = readMirror(host.env);
  const pins = await readPins(host);
  return {
    host,
    pins,
    cache: cacheOf(host, pins.setHash),
    mode,
    mirror,
    explicit: options.explicit ?? {},
    signal: options.signal,
    progress: options.onProgress ?? (() => undefined),
    timeouts: options.timeouts ?? {},
  };
}
