import { reasonOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Context } from './context.ts';
import { findOnPath } from './executable.ts';
import { GO_SETTINGS, goQueryEnvironment, type GoSettings } from './go-environment.ts';
import { isGoAtLeast } from './go-version.ts';

const TIMEOUT_MS = 30_000;

/** The Go toolchain of this machine. */
export interface Go {
  readonly path: string;
  /** `go1.26.8` */
  readonly version: string;
  readonly settings: GoSettings;
}

/** Why something cannot be used, and what to do about it. */
export interface Obstacle {
  readonly reason: string;
  readonly remedy: string;
}

/** The first `go` on PATH, with what it says about itself, or why it will not do. Changes nothing. */
export async function findGo({
  host,
  pins,
  signal,
}: Pick<Context, 'host' | 'pins' | 'signal'>): Promise<Go | Obstacle> {
  const remedy = `install Go ${pins.goVersion} or newer (https://go.dev/dl/) and put it on PATH`;
  const path = await findOnPath(host, 'go');
  if (path === undefined) return { reason: 'there is no `go` on PATH', remedy };
  try {
    const result = await host.commands.run(path, ['env', '-json', 'GOVERSION', ...GO_SETTINGS], {
      timeoutMs: TIMEOUT_MS,
      env: goQueryEnvironment(host.env),
      cwd: '/', // away from any go.mod that asks for another Go
      signal,
    });
    const go = parseGo(path, result.stdout);
    if (isGoAtLeast(go.version, pins.goVersion)) return go;
    const reason = `${path} is ${go.version || 'of an unknown version'}; it must be ${pins.goVersion} or newer`;
    return { reason, remedy };
  } catch (error) {
    signal?.throwIfAborted();
    return { reason: `${path} does not work: ${reasonOf(error)}`, remedy };
  }
}

export const isObstacle = (found: Go | Obstacle): found is Obstacle => 'reason' in found;

/** Settings that are empty are left out: for Go that is the same as not being set. */
function parseGo(path: string, json: string): Go {
  const answer: unknown = JSON.parse(json);
  const text = (name: string): string => {
    const value = isRecord(answer) ? answer[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const pairs = GO_SETTINGS.map((name) => [name, text(name)] as const);
  return {
    path,
    version: text('GOVERSION'),
    settings: Object.fromEntries(pairs.filter(([, value]) => value !== '')),
  };
}
