import type { Host } from '../host/host.ts';
import { reasonOf } from '../base/errors.ts';
import { table } from '../report/format.ts';
import { RUNTIMES } from '../runtimes/select.ts';
import { CLUSTER_PROGRAMS, inspectToolchain, type ProgramStatus } from '../toolchain/toolchain.ts';
import { machineLimits } from './machine-limits.ts';

export interface Examination {
  readonly lines: readonly string[];
  /** Whether a run can work here. */
  readonly isWell: boolean;
}

/** Looks at everything that a run needs, without changing anything. */
export async function examine(host: Host): Promise<Examination> {
  const programs = await inspectToolchain(host, [...CLUSTER_PROGRAMS, 'nodeslicecontroller']);
  const limits = await machineLimits(host);
  const runtimes = await probeRuntimes(host);
  return {
    lines: [
      'programs',
      ...table(programs.map((program) => [`  ${program.name}`, ...programCells(program)])),
      ...programs.flatMap(programAdvice),
      '',
      'machine',
      ...table(limits.map(({ name, value }) => [`  ${name}`, value])),
      ...limits.flatMap(({ name, problem }) =>
        problem === undefined ? [] : [`  ! ${name}: ${problem}`],
      ),
      '',
      'cluster runtimes',
      ...runtimes.map(({ line }) => `  ${line}`),
    ],
    isWell:
      programs.every(
        ({ name, state }) => state !== 'unavailable' || !CLUSTER_PROGRAMS.includes(name),
      ) && runtimes.some(({ works }) => works),
  };
}

function programCells(status: ProgramStatus): readonly string[] {
  switch (status.state) {
    case 'ready':
      return [status.program.version, status.program.origin, status.program.path];
    case 'obtainable':
      return [status.pinned, 'not here yet', status.ways.join(', else ')];
    case 'unavailable':
      return [status.pinned, 'not to be had', ''];
  }
}

function programAdvice(status: ProgramStatus): readonly string[] {
  switch (status.state) {
    case 'ready':
      return [];
    case 'obtainable':
      return status.notes.map((note) => `  ${note}`);
    case 'unavailable':
      return [
        ...status.reasons.map((reason) => `  ! ${reason}`),
        ...status.remedies.map((remedy) => `    ${remedy}`),
      ];
  }
}

function probeRuntimes(
  host: Host,
): Promise<readonly { readonly line: string; readonly works: boolean }[]> {
  return Promise.all(
    RUNTIMES.map(async (runtime) => {
      try {
        const found = await runtime.probe(host);
        return found
          ? { line: `${runtime.name}: ${found.detail}`, works: true }
          : { line: `${runtime.name}: does not apply to this machine`, works: false };
      } catch (error) {
        return { line: `${runtime.name}: ${reasonOf(error)}`, works: false };
      }
    }),
  );
}
