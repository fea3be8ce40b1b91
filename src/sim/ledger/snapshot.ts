import { sameJson } from '../base/json.ts';
import type { HistoryEntryOf } from '../model/history.ts';
import { objectKey, type ObjectStore } from './object-store.ts';

/** What differs between the folded state of a kind and the list that was taken at the very end. */
export function compareSnapshot(
  snapshot: HistoryEntryOf<'snapshot'>,
  store: ObjectStore,
): readonly string[] {
  const { resource } = snapshot;
  const differences: string[] = [];
  const listed = new Set<string>();
  for (const object of snapshot.objects) {
    const key = objectKey(resource, object);
    listed.add(key);
    const folded = store.get(key);
    if (!folded) differences.push(`${key} exists but was never seen`);
    else if (folded.uid !== object.uid) differences.push(`${key} was replaced unseen`);
    else if (!sameJson(folded.fields, object.fields))
      differences.push(`${key} differs from what was seen last`);
    else if (!sameJson(Object.fromEntries(folded.rows), object.rows ?? {}))
      differences.push(`the rows of ${key} differ from what was seen last`);
  }
  for (const object of store.ofResource(resource)) {
    const key = objectKey(resource, object);
    if (!listed.has(key)) differences.push(`${key} is gone but its end was never seen`);
  }
  return differences;
}
