import type { Clock } from '../base/clock.ts';
import { reasonOf } from '../base/errors.ts';
import { within } from '../base/wait.ts';

/** What was done and must be undone, last first. Each is queued before it is done. */
export class UndoStack {
  readonly #clock: Clock;
  readonly #entries: { readonly title: string; readonly work: () => Promise<void> }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  push(title: string, work: () => Promise<void>): void {
    this.#entries.push({ title, work });
  }

  /**
   * Undoes everything. What fails does not keep the rest from being undone; answers what went wrong. The budget is
   * the tear-down's own: that the run was out of time is no reason to leave things behind.
   */
  async unwind(budgetMs: number): Promise<readonly string[]> {
    const deadline = this.#clock.now() + budgetMs;
    const problems: string[] = [];
    for (let entry = this.#entries.pop(); entry; entry = this.#entries.pop()) {
      const { title, work } = entry;
      const left = Math.max(500, deadline - this.#clock.now());
      try {
        await within(this.#clock, left, title, work());
      } catch (error) {
        problems.push(`could not ${title}: ${reasonOf(error)}`);
      }
    }
    return problems;
  }
}
