import * as z from 'zod';
import type { JsonObject } from '../../base/json.ts';
import type { Fact } from '../../model/facts.ts';
import type { ObservedObject, ObservedResource, Projection } from '../../model/operator-profile.ts';
import { addRow } from '../../model/table-rows.ts';
import { NODE_SLICE_POOL } from './operator-kinds.ts';

const slice = z.object({ sliceRange: z.string(), nodeName: z.string() });
const poolFields = z.object({ range: z.string(), sliceSize: z.string() });
const rawPool = z.object({
  spec: poolFields,
  status: z.object({ allocations: z.array(slice).nullish() }).nullish(),
});

/** A row is a slice, free or not: what changes is its node. */
function project(raw: unknown): Projection {
  const { spec, status } = rawPool.parse(raw);
  const rows: Record<string, JsonObject> = {};
  for (const { sliceRange, nodeName } of status?.allocations ?? [])
    addRow(rows, sliceRange, { sliceRange, nodeName });
  return { fields: spec, rows };
}

/** A free slice has an empty name for its node. */
function blockOfRow(row: JsonObject, object: ObservedObject): readonly Fact[] {
  const { sliceRange, nodeName } = slice.parse(row);
  if (nodeName === '') return [];
  return [
    {
      kind: 'block',
      network: object.name,
      node: nodeName,
      interface: '',
      cidr: sliceRange,
      parent: poolFields.parse(object.fields).range,
    },
  ];
}

export const NODE_SLICE_POOLS: ObservedResource = {
  id: 'nodeslicepools',
  kind: NODE_SLICE_POOL,
  project,
  facts: () => [],
  rowFacts: (_, row, object) => blockOfRow(row, object),
  unrest: 'any-write',
};
