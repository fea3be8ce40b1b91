import type { Clock } from '../base/clock.ts';
import type { Terminal } from '../host/terminal.ts';
import type { RunFold } from '../ledger/run-fold.ts';
import type { Plan } from '../model/plan.ts';
import type { RunMs } from '../base/units.ts';
import { LiveView, plainLine } from './live-view.ts';
import { RedrawnLines } from './redrawn-lines.ts';
import { stampedLine } from './stamped-line.ts';

const REDRAW_EVERY_MS = 250;
const PLAIN_EVERY_MS = 5000;

/** What a person sees while a run goes on: a live view on a terminal, timestamped lines elsewhere. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #began: number;
  readonly #quiet: boolean;
  readonly #lines: RedrawnLines;
  #stop: () => void = () => undefined;

  constructor(terminal: Terminal, clock: Clock, options: { readonly quiet: boolean }) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#lines = new RedrawnLines(terminal);
    this.#began = clock.now();
    this.#quiet = options.quiet;
  }

  /** A line that stays. */
  say(line: string): void {
    if (this.#quiet) return;
    this.#lines.erase();
    this.#terminal.err(stampedLine(this.#clock.now() - this.#began, line));
  }

  /** Shows how the current step stands, until `stop`. */
  follow(fold: RunFold, plan: Plan, now: () => RunMs): void {
    if (this.#quiet) return;
    const view = new LiveView(plan);
    this.#stop = this.#terminal.isLive
      ? this.#clock.every(REDRAW_EVERY_MS, () => {
          this.#lines.draw(view.lines(fold.currentStep, now()));
        })
      : this.#clock.every(PLAIN_EVERY_MS, () => {
          const line = plainLine(fold.currentStep);
          if (line !== undefined) this.say(line);
        });
  }

  stop(): void {
    this.#stop();
    this.#lines.erase();
  }
}
