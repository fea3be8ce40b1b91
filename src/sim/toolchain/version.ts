import { reasonOf, SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';

const TIMEOUT_MS = 60_000; // long: a machine that is merely slow must not cost a new build
const VERSION = /\bv?(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)/;

type VersionHost = Pick<Host, 'commands' | 'env'>;

/** `Kubernetes v1.36.1`, `etcd Version: 3.6.16` → `v1.36.1`, `v3.6.16`; without a number, the first line. */
export function parseVersion(output: string): string | undefined {
  const number = VERSION.exec(output)?.[1];
  if (number !== undefined) return `v${number}`;
  return output
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
}

/**
 * Asks a program for its version. Throws SIM_COMMAND when it does not run, or says nothing: an empty file is run
 * by the shell without complaint.
 */
export async function askVersion(
  host: VersionHost,
  path: string,
  flag: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const version = parseVersion(await output(host, path, flag, signal));
  if (version !== undefined) return version;
  throw new SimError('SIM_COMMAND', `${path} ${flag} says nothing`);
}

/** The same for a program without a version: whether it can be run at all. */
export async function askUsage(
  host: VersionHost,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await askVersion(host, path, '-h', signal);
}

/** Without HOME: kwok and kwokctl read `~/.kwok/kwok.yaml` first and exit with 1 when it is broken. */
async function output(
  host: VersionHost,
  path: string,
  flag: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const env = { PATH: host.env['PATH'] };
  const result = await host.commands.run(path, [flag], { timeoutMs: TIMEOUT_MS, env, signal });
  return `${result.stdout}\n${result.stderr}`;
}

/** Why a program did not run, in one line. */
export function whyNotRunning(error: unknown): string {
  const last = error instanceof SimError ? error.details.at(-1) : undefined;
  return last === undefined ? reasonOf(error) : `${reasonOf(error)}: ${last}`;
}
