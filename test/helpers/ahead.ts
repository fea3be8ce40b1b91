/**
 * Works on the items of a list in their order, as they are asked for, and on the next one at the same time: for work
 * that waits more than it computes.
 */
export class Ahead<T, R> {
  readonly #items: readonly T[];
  readonly #work: (item: T) => Promise<R>;
  readonly #begun = new Map<number, Promise<R>>();

  constructor(items: readonly T[], work: (item: T) => Promise<R>) {
    this.#items = items;
    this.#work = work;
  }

  /** Rejects when the work on that item does. */
  async result(item: T): Promise<R> {
    const index = this.#items.indexOf(item);
    const result = this.#begin(index);
    if (index + 1 < this.#items.length) void this.#begin(index + 1);
    return result;
  }

  /** Resolves when nothing is under way. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#begun.values());
  }

  #begin(index: number): Promise<R> {
    const begun = this.#begun.get(index);
    if (begun) return begun;
    const item = this.#items[index];
    if (item === undefined) throw new RangeError('no such item');
    const result = this.#work(item);
    result.catch(() => undefined); // for who asks for it
    this.#begun.set(index, result);
    return result;
  }
}
