import { delimiter, resolve } from 'node:path';
import { asSimError, SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import type { ControllerSpec } from '../model/controller-spec.ts';
import { whyNotExecutable } from '../toolchain/executable.ts';
import { ensureToolchain, type Program, type ToolchainOptions } from '../toolchain/toolchain.ts';

type Command = Extract<ControllerSpec, { kind: 'command' }>;

const IN_TOOLCHAIN = 'nodeslicecontroller';

/** Whether a command names the program of the toolchain, in place of a file. */
export const isOfToolchain = (command: string): boolean => command === `{${IN_TOOLCHAIN}}`;

/** The program of the toolchain that can be a controller, made where it is not here yet. */
export async function controllerOfToolchain(
  host: Host,
  { signal, onProgress }: Pick<ToolchainOptions, 'signal' | 'onProgress'>,
): Promise<Program> {
  const found = await ensureToolchain(host, { programs: [IN_TOOLCHAIN], signal, onProgress });
  const program = found.get(IN_TOOLCHAIN);
  if (!program) throw new SimError('SIM_BUG', `the toolchain did not answer for ${IN_TOOLCHAIN}`);
  return program;
}

/** Obtains what the controller needs of the toolchain, so that it does not come after a cluster was started in vain. */
export async function obtainController(
  host: Host,
  spec: ControllerSpec,
  options: Pick<ToolchainOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  const needsToolchain =
    spec.kind === 'toolchain' || (spec.kind === 'command' && isOfToolchain(spec.command));
  if (needsToolchain) await controllerOfToolchain(host, options);
}

/**
 * Looks whether a program of the user's is there and may be executed, and whether its working directory is there.
 * Starts nothing. Throws SIM_CONTROLLER_START.
 */
export async function checkController(
  host: Pick<Host, 'files' | 'env' | 'cwd'>,
  spec: ControllerSpec,
): Promise<void> {
  if (spec.kind !== 'command') return;
  const directory = resolve(host.cwd, spec.workingDirectory ?? '.');
  await checkDirectory(host, directory);
  if (isOfToolchain(spec.command)) return;
  await (spec.command.includes('/') ? checkPath(host, spec) : checkName(host, spec, directory));
}

async function checkDirectory({ files }: Pick<Host, 'files'>, directory: string): Promise<void> {
  const found = await files.stat(directory).catch((error: unknown) => {
    throw asSimError(error, 'SIM_CONTROLLER_START', `cannot look at ${directory}`);
  });
  if (found?.isDirectory === true) return;
  throw new SimError(
    'SIM_CONTROLLER_START',
    `the working directory of the controller, ${directory}, ${found ? 'is no directory' : 'does not exist'}`,
    { hint: 'operator.controller.workingDirectory is taken from where sim was started' },
  );
}

async function checkPath(host: Pick<Host, 'files' | 'cwd'>, { command }: Command): Promise<void> {
  const path = resolve(host.cwd, command);
  const why = await whyNotExecutable(host, path);
  if (why === undefined) return;
  throw new SimError('SIM_CONTROLLER_START', `the controller program ${command} ${why}`, {
    hint: `a path is taken from where sim was started: ${path}`,
  });
}

async function checkName(
  host: Pick<Host, 'files' | 'env' | 'cwd'>,
  { command, env }: Command,
  directory: string,
): Promise<void> {
  const searched = env['PATH'] ?? host.env['PATH'];
  if (searched === undefined || searched.includes('{')) return; // only the start knows where it will be looked for
  const isProgram = async (path: string): Promise<boolean> =>
    (await whyNotExecutable(host, path)) === undefined;
  for (const entry of searched.split(delimiter))
    if (await isProgram(resolve(directory, entry, command))) return;
  const isHere = await isProgram(resolve(host.cwd, command));
  throw new SimError('SIM_CONTROLLER_START', `there is no controller program ${command} on PATH`, {
    hint: isHere ? `did you mean ./${command}?` : 'one that is not on PATH is named by its path',
  });
}
