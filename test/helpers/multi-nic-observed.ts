import type { Fact } from '../../src/sim/model/facts.ts';
import type {
  ObservedObject,
  ObservedResource,
  Projection,
} from '../../src/sim/model/operator-profile.ts';
import { MULTI_NIC_RESOURCES } from '../../src/sim/operators/multi-nic/resources.ts';
import { MULTI_NIC_KINDS } from './multi-nic-model.ts';
import { draft, type Draft } from './multi-nic-objects.ts';

function resourceOf(plural: string): ObservedResource {
  const resource = MULTI_NIC_RESOURCES.find(({ id }) => id === plural);
  if (!resource) throw new Error(`${plural} is not watched`);
  return resource;
}

/** A full object of a kind as the reference has it, with changes. */
function rawOf(plural: string, change?: (object: Draft) => void): Draft {
  const kind = MULTI_NIC_KINDS.find(({ of }) => of.plural === plural);
  if (!kind) throw new Error(`the reference has no ${plural}`);
  return draft(kind.of, 'net-a', change);
}

/** What is kept of a full object of a kind. */
export const projected = (plural: string, change?: (object: Draft) => void): Projection =>
  resourceOf(plural).project(rawOf(plural, change));

/** All that an object and its rows say. */
export function factsOf(plural: string, change?: (object: Draft) => void): readonly Fact[] {
  const resource = resourceOf(plural);
  const { fields, rows = {} } = projected(plural, change);
  const object: ObservedObject = { name: 'net-a', namespace: '', uid: 'u', fields };
  return [
    ...resource.facts(object),
    ...Object.entries(rows).flatMap(([key, row]) => resource.rowFacts?.(key, row, object) ?? []),
  ];
}
