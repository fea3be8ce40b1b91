interface Seen {
  readonly atMs: number;
  readonly value: number;
}

/** How fast numbers have grown of late. */
export class RecentRate {
  readonly #overMs: number;
  readonly #seen = new Map<string, readonly Seen[]>();

  constructor(overMs: number) {
    this.#overMs = overMs;
  }

  /** Notes a value, and answers by how much it has grown a second; 0 where it has not. */
  perSecond(key: string, value: number, now: number): number {
    const before = this.#seen.get(key) ?? [];
    const recent = before.filter(({ atMs }) => now - atMs <= this.#overMs);
    const first = recent[0];
    this.#seen.set(key, [...recent, { atMs: now, value }]);
    if (!first || first.atMs === now) return 0;
    return Math.max(0, (1000 * (value - first.value)) / (now - first.atMs));
  }
}
