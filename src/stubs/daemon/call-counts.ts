const MOST_PATHS = 50;

/** How many calls there were, by path and status. */
export class CallCounts {
  readonly #counts = new Map<string, number>();

  add(path: string, status: number): void {
    const exact = `${status} ${path}`;
    // Callers that make up paths must not fill the memory.
    const isKnown = this.#counts.has(exact) || this.#counts.size < MOST_PATHS;
    const key = isKnown ? exact : `${status} other`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  rows(): readonly { readonly path: string; readonly status: string; readonly count: number }[] {
    return [...this.#counts].map(([key, count]) => {
      const space = key.indexOf(' ');
      return { path: key.slice(space + 1), status: key.slice(0, space), count };
    });
  }
}
