import pc from 'picocolors';
import type { Clock } from '../base/clock.ts';
import { formatDuration } from '../base/duration.ts';
import type { Terminal } from '../host/terminal.ts';
import type { RunFold } from '../ledger/run-fold.ts';
import type { Plan } from '../model/plan.ts';
import type { RunMs } from '../base/units.ts';
import { LiveView, plainLine } from './live-view.ts';

const REDRAW_EVERY_MS = 250;
const PLAIN_EVERY_MS = 5000;

/** What a person sees while a run goes on: a live view on a terminal, timestamped lines elsewhere. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #began: number;
  readonly #quiet: boolean;
  #drawn = 0;
  #stop: () => void = () => undefined;

  constructor(terminal: Terminal, clock: Clock, options: { readonly quiet: boolean }) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#began = clock.now();
    this.#quiet = options.quiet;
  }

  /** A line that stays. */
  say(line: string): void {
    if (this.#quiet) return;
    this.#erase();
    this.#terminal.err(`[${formatDuration(this.#clock.now() - this.#began).padStart(6)}] ${line}`);
  }

  /** Shows how the current step stands, until `stop`. */
  follow(fold: RunFold, plan: Plan, now: () => RunMs): void {
    if (this.#quiet) return;
    const view = new LiveView(plan);
    this.#stop = this.#terminal.isLive
      ? this.#clock.every(REDRAW_EVERY_MS, () => {
          this.#draw(view.lines(fold.currentStep, now()));
        })
      : this.#clock.every(PLAIN_EVERY_MS, () => {
          const line = plainLine(fold.currentStep);
          if (line !== undefined) this.say(line);
        });
  }

  stop(): void {
    this.#stop();
    this.#erase();
  }

  #draw(lines: readonly string[]): void {
    const width = (this.#terminal.columns() || 80) - 1; // a pseudo terminal may say 0
    const cut = lines.map((line, i) => {
      const seen = line.slice(0, width);
      return i === 0 ? pc.bold(seen) : seen;
    });
    this.#terminal.raw(`${eraseLines(this.#drawn)}${cut.map((line) => `${line}\n`).join('')}`);
    this.#drawn = cut.length;
  }

  #erase(): void {
    if (this.#drawn > 0) this.#terminal.raw(eraseLines(this.#drawn));
    this.#drawn = 0;
  }
}

/** Moves up over what was drawn and clears to the end of the screen. */
const eraseLines = (lines: number): string => (lines === 0 ? '' : `\u001b[${lines}F\u001b[0J`);
