import { SimError } from '../base/errors.ts';
import type { Pins } from './pins.ts';
import type { ProgramName, ProgramOrigin } from './program.ts';
import { explicitVariable } from './settings.ts';

/** Why one way to one program is closed. */
export interface Refusal {
  readonly program: ProgramName;
  readonly way: ProgramOrigin;
  readonly reason: string;
  /** More lines, for example the end of a build's output. */
  readonly details?: readonly string[];
  /** What the reader can do about it. */
  readonly remedy?: string;
}

/** One error with every reason and every remedy. Reasons that several programs share are told once. */
export function noWayLeft(pins: Pins, refusals: readonly Refusal[]): SimError {
  const names = unique(refusals.map(({ program }) => program));
  const wanted = names.map((name) => `${name} ${pins.versions[name]}`);
  const own = names.map(ownProgram);
  const remedies = unique([
    ...refusals.flatMap(({ remedy }) => remedy ?? []),
    `or name ${names.length === 1 ? 'a program' : 'programs'} of your own: ${own.join(' ')}`,
    'or set SIM_TOOLCHAIN=system to take every program from PATH; their versions are then yours to choose',
  ]);
  return new SimError('SIM_TOOLCHAIN', `there is no way to get ${wanted.join(', ')}`, {
    details: [...reasonLines(refusals), 'what you can do:', ...remedies.map(indent)],
    hint: '`sim doctor` shows where each program would come from',
  });
}

/** In which order ways are tried, and so are told. */
const ORDER: readonly ProgramOrigin[] = ['explicit', 'system', 'download', 'build'];

/** `etcd, kwok: build: no Go …`, then the details of it. */
export function reasonLines(refusals: readonly Refusal[]): readonly string[] {
  const groups = new Map<string, { names: string[]; details: readonly string[] }>();
  const inOrder = refusals.toSorted((a, b) => ORDER.indexOf(a.way) - ORDER.indexOf(b.way));
  for (const { program, way, reason, details } of inOrder) {
    const key = `${way}: ${reason}`;
    const group = groups.get(key) ?? { names: [], details: details ?? [] };
    group.names.push(program);
    groups.set(key, group);
  }
  return [...groups].flatMap(([key, { names, details }]) => [
    `${names.join(', ')}: ${key}`,
    ...details.map(indent),
  ]);
}

/** How to name a program of one's own. */
export const ownProgram = (name: ProgramName): string =>
  `${explicitVariable(name)}=/path/to/${name}`;

const indent = (line: string): string => `  ${line}`;
const unique = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];
