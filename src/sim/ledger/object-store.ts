import { sameJson, type JsonObject } from '../base/json.ts';
import type { HistoryEntryOf } from '../model/history.ts';
import type { ObservedObject, Projection } from '../model/operator-profile.ts';

type ObjectEntry = HistoryEntryOf<'object'>;

export interface StoredObject extends ObservedObject {
  readonly rows: ReadonlyMap<string, JsonObject>;
}

/** What an entry did to an object. */
export interface ObjectChange {
  readonly resource: string;
  /** `nodes/sim-7`, `pods/kube-system/a`. */
  readonly key: string;
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
  readonly fieldsChanged: boolean;
  /** Keys of the rows that came, went or changed. */
  readonly changedRows: readonly string[];
}

/** What a new projection changes, in the form of the recording; undefined when it changes nothing. */
export type ProjectionDelta = Pick<ObjectEntry, 'fields' | 'set' | 'unset'>;

export const objectKey = (
  resource: string,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name: string },
): string =>
  namespace === undefined || namespace === ''
    ? `${resource}/${name}`
    : `${resource}/${namespace}/${name}`;

/** The objects as the recording describes them at a point: the sum of all changes so far. */
export class ObjectStore {
  readonly #objects = new Map<string, StoredObject>();

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  ofResource(resource: string): readonly StoredObject[] {
    const prefix = `${resource}/`;
    return [...this.#objects].flatMap(([key, object]) => (key.startsWith(prefix) ? [object] : []));
  }

  delta(key: string, projection: Projection): ProjectionDelta | undefined {
    const known = this.#objects.get(key);
    const rows = projection.rows ?? {};
    const set = Object.entries(rows).filter(
      ([row, value]) => !sameJson(known?.rows.get(row), value),
    );
    const unset = [...(known?.rows.keys() ?? [])].filter((row) => !Object.hasOwn(rows, row));
    const fields =
      known && sameJson(known.fields, projection.fields) ? undefined : projection.fields;
    if (known && !fields && set.length === 0 && unset.length === 0) return undefined;
    return {
      ...(fields ? { fields } : {}),
      ...(set.length > 0 ? { set: Object.fromEntries(set) } : {}),
      ...(unset.length > 0 ? { unset } : {}),
    };
  }

  apply(entry: ObjectEntry): ObjectChange {
    const key = objectKey(entry.resource, entry);
    const before = this.#objects.get(key);
    if (entry.op === 'deleted') {
      this.#objects.delete(key);
      const changedRows = [...(before?.rows.keys() ?? [])];
      return {
        resource: entry.resource,
        key,
        before,
        after: undefined,
        fieldsChanged: true,
        changedRows,
      };
    }
    const rows = changedRowsOf(before, entry);
    const after: StoredObject = {
      name: entry.name,
      namespace: entry.namespace ?? '',
      uid: entry.uid,
      fields: entry.fields ?? before?.fields ?? {},
      rows,
    };
    this.#objects.set(key, after);
    return {
      resource: entry.resource,
      key,
      before,
      after,
      fieldsChanged: entry.fields !== undefined || !before,
      changedRows: [...Object.keys(entry.set ?? {}), ...(entry.unset ?? [])],
    };
  }
}

/** The stored rows are changed in place: a table of thousands of rows changes a few at a time. */
function changedRowsOf(
  before: StoredObject | undefined,
  entry: ObjectEntry,
): Map<string, JsonObject> {
  const rows =
    (before?.rows as Map<string, JsonObject> | undefined) ?? new Map<string, JsonObject>();
  for (const row of entry.unset ?? []) rows.delete(row);
  for (const [row, value] of Object.entries(entry.set ?? {})) rows.set(row, value);
  return rows;
}
