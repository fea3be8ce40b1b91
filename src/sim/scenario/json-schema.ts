import * as z from 'zod';
import { isRecord } from '../base/json.ts';
import { PROFILES } from '../operators/profiles.ts';
import type { OperatorProfile } from '../model/operator-profile.ts';
import { scenarioSchema } from './schema.ts';

/** The scenario for one operator as a JSON schema, in the form in which a person writes it. */
export const profileJsonSchema = (profile: OperatorProfile): Record<string, unknown> =>
  z.toJSONSchema(scenarioSchema(profile), { target: 'draft-7', io: 'input' });

/** The schema for editors: which branch applies is decided by `operator.profile`. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const branches = PROFILES.map((profile) => ({
    if: {
      properties: { operator: { properties: { profile: { const: profile.name } } } },
    },
    then: withoutSchemaKey(profileJsonSchema(profile)),
  }));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Scenario of sim',
    type: 'object',
    required: ['name', 'operator', 'networks', 'steps'],
    properties: {
      operator: {
        type: 'object',
        required: ['profile'],
        properties: { profile: { enum: PROFILES.map(({ name }) => name) } },
      },
    },
    allOf: branches,
  };
}

function withoutSchemaKey(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}

/** The keys that a scenario may have at a path, for suggestions. */
export function knownKeysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  const [key, ...rest] = path;
  if (!isRecord(schema)) return [];
  if (Array.isArray(schema['anyOf']))
    return schema['anyOf'].flatMap((option) => knownKeysAt(option, path));
  if (key === undefined)
    return isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  const child =
    typeof key === 'number'
      ? schema['items']
      : isRecord(schema['properties'])
        ? schema['properties'][String(key)]
        : undefined;
  return knownKeysAt(child, rest);
}
