import type { JsonObject } from '../base/json.ts';

/** Adds a row under its key. A second one that means the same is counted up, so that it does not hide the first. */
export function addRow(rows: Record<string, JsonObject>, key: string, row: JsonObject): void {
  let free = key;
  for (let n = 2; free in rows; n++) free = `${key} ${n}`;
  rows[free] = row;
}
