/** Counts the work of one loop as client-go counts a queue: what waits for its turn, and how it went. */
export class QueueCounts {
  #depth = 0;
  #adds = 0;
  #succeeded = 0;
  #failed = 0;

  /** Items whose turn has not come. */
  get depth(): number {
    return this.#depth;
  }

  get adds(): number {
    return this.#adds;
  }

  get succeeded(): number {
    return this.#succeeded;
  }

  /** Each of them is done again later. */
  get failed(): number {
    return this.#failed;
  }

  /** One more item waits. */
  add(): void {
    this.#depth += 1;
    this.#adds += 1;
  }

  /** All the items of a pass wait, and nothing else: what the pass before had left is among them. */
  holding<T>(items: readonly T[]): readonly T[] {
    this.#depth = items.length;
    this.#adds += items.length;
    return items;
  }

  /** An item's turn has come. Rejects as the work does. */
  async handle<T>(work: () => Promise<T>): Promise<T> {
    this.#depth -= 1;
    try {
      const answer = await work();
      this.#succeeded += 1;
      return answer;
    } catch (error) {
      this.#failed += 1;
      throw error;
    }
  }
}
