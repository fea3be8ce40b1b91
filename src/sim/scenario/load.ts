import type * as z from 'zod';
import { isRecord, type JsonObject } from '../base/json.ts';
import { nearest } from '../base/text.ts';
import type { OperatorProfile } from '../model/operator-profile.ts';
import { PROFILES, profileNamed } from '../operators/profiles.ts';
import { readDocument, type SourceDocument } from './document.ts';
import { knownKeysAt, profileJsonSchema } from './json-schema.ts';
import type { Override } from './overrides.ts';
import type { Problem } from './problem.ts';
import { RULES } from './rules.ts';
import { normalise, scenarioSchema, type Scenario } from './schema.ts';

export interface LoadedScenario {
  readonly scenario: Scenario;
  readonly profile: OperatorProfile;
  /** The scenario as written, after overrides: what a recording keeps, and reads again. */
  readonly source: JsonObject;
  /** Places problems that later stages find, such as a range that is too small. */
  readonly document: SourceDocument;
}

export type LoadResult =
  | { readonly ok: true; readonly loaded: LoadedScenario }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads a scenario. Answers with every problem at once, each with its place. */
export function loadScenario(
  file: string,
  text: string,
  overrides: readonly Override[] = [],
): LoadResult {
  const document = readDocument(file, text, overrides);
  if (document.problems.length > 0) return failed(document.problems);
  return loadDocument(document);
}

/** Reads a scenario that a recording kept. */
export function loadRecordedScenario(file: string, source: unknown): LoadResult {
  return loadDocument(readDocument(file, JSON.stringify(source)));
}

function loadDocument(document: SourceDocument): LoadResult {
  if (!isRecord(document.value))
    return failed([document.problemAt([], 'expected a scenario: name, operator, networks, steps')]);
  const profile = profileOf(document, document.value);
  if ('message' in profile) return failed([profile]);
  const parsed = scenarioSchema(profile).safeParse(document.value);
  if (!parsed.success) {
    const shape = parsed.error.issues.flatMap((issue) => toProblems(issue, document, profile));
    return failed([...shape, ...rulesOnTheRest(document, profile, parsed.error.issues)]);
  }
  const scenario = normalise(parsed.data);
  const broken = RULES.flatMap((rule) => rule.check(scenario, profile));
  if (broken.length > 0)
    return failed(broken.map(({ path, message }) => document.problemAt(path, message)));
  return {
    ok: true,
    loaded: { scenario, profile, source: document.value as JsonObject, document },
  };
}

const failed = (problems: readonly Problem[]): LoadResult => ({
  ok: false,
  problems: problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  ),
});

function profileOf(
  document: SourceDocument,
  value: Record<string, unknown>,
): OperatorProfile | Problem {
  const operator = value['operator'];
  const name = isRecord(operator) ? operator['profile'] : undefined;
  const known = PROFILES.map((profile) => profile.name);
  const expected = `expected one of ${known.join(', ')}`;
  if (typeof name !== 'string')
    return document.problemAt(
      isRecord(operator) ? ['operator', 'profile'] : ['operator'],
      `which operator is under test? ${expected} as operator.profile`,
    );
  return (
    profileNamed(name) ??
    document.problemAt(['operator', 'profile'], `unknown profile "${name}", ${expected}`)
  );
}

function toProblems(
  issue: z.core.$ZodIssue,
  document: SourceDocument,
  profile: OperatorProfile,
): readonly Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeysAt(profileJsonSchema(profile), issue.path);
    return issue.keys.map((key) => {
      const meant = nearest(key, known);
      const hint =
        meant !== undefined
          ? `, did you mean "${meant}"?`
          : known.length > 0
            ? `, expected one of ${known.join(', ')}`
            : '';
      return document.problemAt([...issue.path, key], `unknown key "${key}"${hint}`, true);
    });
  }
  if (issue.code === 'invalid_union')
    return meantBranch(issue).flatMap((inner) =>
      toProblems({ ...inner, path: [...issue.path, ...inner.path] }, document, profile),
    );
  return [document.problemAt(issue.path, describe(issue))];
}

/** Of several shapes that all fail, the one that was meant: wrong only inside, or at least of the right type. */
function meantBranch(issue: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] {
  const isWrongInside = (branch: readonly z.core.$ZodIssue[]): boolean =>
    branch.every(({ path }) => path.length > 0);
  const isOfRightType = ([first]: readonly z.core.$ZodIssue[]): boolean =>
    first !== undefined && (first.path.length > 0 || !/^invalid_(type|value)$/.test(first.code));
  return (
    issue.errors.find(isWrongInside) ?? issue.errors.find(isOfRightType) ?? issue.errors[0] ?? []
  );
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return `is missing, expected ${article(issue.expected)}`;
  return issue.message.replace(/^Invalid (input|option): /, '');
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/**
 * So that a wrong range or unit here does not hide a wrong step name there, the rules run on what is left without
 * the broken values, as long as that still has all the steps.
 */
function rulesOnTheRest(
  document: SourceDocument,
  profile: OperatorProfile,
  issues: readonly z.core.$ZodIssue[],
): readonly Problem[] {
  const rest = structuredClone(document.value) as Record<string, unknown>;
  for (const issue of issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    for (const key of keys) removeAt(rest, key === undefined ? issue.path : [...issue.path, key]);
    // A step without its broken name would go by another one, which thresholds do not know.
    if (issue.path[0] === 'steps' && issue.path.at(-1) === 'name') return [];
  }
  const steps = scenarioSchema(profile).shape.steps.safeParse(rest['steps']);
  if (!steps.success) return [];
  const { element } = scenarioSchema(profile).shape.expect.unwrap();
  const expect = (Array.isArray(rest['expect']) ? rest['expect'] : []).map((written) => {
    const parsed = element.safeParse(written);
    return parsed.success ? parsed.data : { expr: '', abortAfterMs: undefined };
  });
  // A network that has lost its broken name would be one that thresholds cannot name.
  const whole = !issues.some(({ path }) => path[0] === 'networks');
  const networks = whole && Array.isArray(rest['networks']) ? rest['networks'] : [];
  return RULES.flatMap((rule) =>
    rule
      .check({ steps: steps.data, expect, networks }, profile)
      .map(({ path, message }) => document.problemAt(path, message)),
  );
}

function removeAt(value: unknown, path: readonly PropertyKey[]): void {
  let parent = value;
  for (const key of path.slice(0, -1))
    parent = typeof parent === 'object' && parent !== null ? Reflect.get(parent, key) : undefined;
  const last = path.at(-1);
  if (isRecord(parent) && last !== undefined) Reflect.deleteProperty(parent, last);
}
