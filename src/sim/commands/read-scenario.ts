import { isAbsolute, join, resolve } from 'node:path';
import { SimError } from '../base/errors.ts';
import { count, nearest, some } from '../base/text.ts';
import { isRecord } from '../base/json.ts';
import type { Host } from '../host/host.ts';
import type { OperatorModel } from '../model/operator-profile.ts';
import type { Plan } from '../model/plan.ts';
import { planScenario } from '../plan/plan.ts';
import { loadScenario, type LoadedScenario } from '../scenario/load.ts';
import { readDocument } from '../scenario/document.ts';
import { setOverride, type Override } from '../scenario/overrides.ts';
import { formatProblem, type Problem } from '../scenario/problem.ts';
import { STANDARD_INPUT, type ScenarioArgs } from './scenario-options.ts';

export interface PlannedScenario {
  readonly loaded: LoadedScenario;
  readonly plan: Plan;
  readonly model: OperatorModel;
  /** As it is named in messages. */
  readonly path: string;
}

/** Reads and plans a scenario. Throws SIM_SCENARIO or SIM_CAPACITY with every problem and its place. */
export async function readScenario(host: Host, args: ScenarioArgs): Promise<PlannedScenario> {
  const { path, text } = await findScenario(host, args.scenario);
  const set = args.set.map(setOverride);
  const overrides = [
    ...set,
    ...seedOverride(args),
    ...controllerOverride(args, readDocument(path, text, set).value),
  ];
  const result = loadScenario(path, text, overrides);
  if (!result.ok) throw problemsError(path, result.problems);
  const { loaded } = result;
  const planned = planScenario(loaded.scenario, loaded.profile);
  if (!planned.ok)
    throw new SimError('SIM_CAPACITY', `${path} cannot be run: its networks are too small`, {
      details: planned.problems.map((problem) =>
        formatProblem(loaded.document.problemAt(problem.path, problem.message)),
      ),
    });
  return { loaded, plan: planned.plan, model: planned.model, path };
}

const seedOverride = ({ seed }: ScenarioArgs): readonly Override[] =>
  seed === undefined
    ? []
    : [{ assignment: `seed=${/^\d+$/.test(seed) ? seed : JSON.stringify(seed)}`, flag: '--seed' }];

/** `--controller` changes the program and its arguments; what the scenario says of readiness and environment stays. */
function controllerOverride(
  { controller, inCluster, '--': rest = [] }: ScenarioArgs,
  scenario: unknown,
): readonly Override[] {
  const flag = '--controller';
  if (controller === undefined) {
    if (rest.length === 0) return [];
    throw new SimError('SIM_USAGE', `nothing takes the arguments after --: ${rest.join(' ')}`, {
      hint: 'they belong to a controller: --controller PROGRAM -- ARGUMENTS',
    });
  }
  if (controller === 'reference') return [{ assignment: 'operator.controller=reference', flag }];
  const operator = isRecord(scenario) ? scenario['operator'] : undefined;
  const given = isRecord(operator) ? operator['controller'] : undefined;
  const kept = isRecord(given) && 'command' in given ? given : {};
  const command = {
    ...kept,
    command: controller,
    args: rest.map(String),
    ...(inCluster === undefined ? {} : { inCluster }),
  };
  return [{ assignment: `operator.controller=${JSON.stringify(command)}`, flag }];
}

const problemsError = (path: string, problems: readonly Problem[]): SimError =>
  new SimError('SIM_SCENARIO', `${path} has ${count(problems.length, 'problem')}`, {
    details: problems.map(formatProblem),
  });

/** As given, from the working directory; else one of those that come with sim, by its path or its bare name. */
async function findScenario(
  host: Host,
  given: string,
): Promise<{ readonly path: string; readonly text: string }> {
  if (given === STANDARD_INPUT) return { path: given, text: await host.readStdin() };
  const own = join(host.packageRoot, 'scenarios');
  const candidates = isAbsolute(given)
    ? [given]
    : [
        resolve(host.cwd, given),
        join(host.packageRoot, given),
        join(own, given),
        join(own, `${given}.yaml`),
      ];
  for (const path of candidates) {
    if (await isDirectory(host, path)) continue;
    const text = await host.files.readTextIfAny(path);
    if (text !== undefined) return { path: path === candidates[0] ? given : path, text };
  }
  throw await notFound(host, given, own);
}

const isDirectory = async ({ files }: Host, path: string): Promise<boolean> =>
  (await files.stat(path))?.isDirectory === true;

async function notFound(host: Host, given: string, own: string): Promise<SimError> {
  if (await isDirectory(host, resolve(host.cwd, given))) return directoryError(host, given);
  const names = (await host.files.list(own)).map((name) => name.replace(/\.yaml$/, ''));
  const meant = nearest(given.replace(/^scenarios\//, '').replace(/\.yaml$/, ''), names);
  return new SimError('SIM_SCENARIO', `there is no scenario ${given}`, {
    hint:
      meant === undefined
        ? `name a file, or one of those that come with sim: ${names.join(', ')}`
        : `did you mean scenarios/${meant}.yaml?`,
  });
}

async function directoryError(host: Host, given: string): Promise<SimError> {
  const names = await host.files.list(resolve(host.cwd, given));
  const files = names.filter((name) => /\.ya?ml$/.test(name)).map((name) => join(given, name));
  return new SimError('SIM_SCENARIO', `${given} is a directory, expected the file of a scenario`, {
    ...(files.length === 0 ? {} : { hint: `in it: ${some(files)}` }),
  });
}
