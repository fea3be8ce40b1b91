/** Lets one piece of work run at a time, in the order in which they came. Work that fails lets the next one in, too. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined); // the caller of that work hears of it
    return result;
  }
}
