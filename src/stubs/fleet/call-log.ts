import type { UnnumberedCall } from '../daemon/call.ts';

/** The calls of a thousand nodes that converge are about ten thousand. */
const CAPACITY = 65_536;

/** The newest call records, numbered, as the lines that readers get. The oldest make room for the newest. */
export class CallLog {
  readonly #capacity: number;
  readonly #lines: string[] = [];
  #last = 0;
  #closed = false;
  /** Readers that have read everything. */
  #waiting: (() => void)[] = [];

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** The number of the newest record; 0 when there is none. */
  get last(): number {
    return this.#last;
  }

  append(call: UnnumberedCall): void {
    const seq = ++this.#last;
    this.#lines[seq % this.#capacity] = `${JSON.stringify({ seq, ...call })}\n`;
    this.#wake();
  }

  /** Nothing will be appended any more: readers end when they have read what there is. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /**
   * Lines in pieces, from a number on or from the oldest that is still there, for ever. What a reader does not ask for
   * is not kept for it.
   */
  async *read(from: number, most: number): AsyncGenerator<string> {
    let next = from;
    for (;;) {
      next = Math.max(next, this.#last - this.#capacity + 1);
      const end = Math.min(this.#last, next + most - 1);
      const piece: string[] = [];
      for (; next <= end; next++) piece.push(this.#lines[next % this.#capacity] ?? '');
      if (piece.length > 0) yield piece.join('');
      else if (this.#closed) return;
      else await this.#growth();
    }
  }

  #growth(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
