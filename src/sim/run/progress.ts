import pc from 'picocolors';
import type { Clock } from '../base/clock.ts';
import { formatDuration } from '../base/duration.ts';
import { formatRange } from '../base/node-names.ts';
import { some } from '../base/text.ts';
import type { Terminal } from '../host/terminal.ts';
import type { RunFold } from '../ledger/run-fold.ts';
import type { Goal, Plan } from '../model/plan.ts';

const REDRAW_EVERY_MS = 250;
const PLAIN_EVERY_MS = 5000;
const BAR_WIDTH = 30;

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
  follow(fold: RunFold, plan: Plan): void {
    if (this.#quiet) return;
    this.#stop = this.#terminal.isLive
      ? this.#clock.every(REDRAW_EVERY_MS, () => {
          this.#draw(liveView(fold, plan));
        })
      : this.#clock.every(PLAIN_EVERY_MS, () => {
          const line = plainLine(fold);
          if (line !== undefined) this.say(line);
        });
  }

  stop(): void {
    this.#stop();
    this.#erase();
  }

  #draw(lines: readonly string[]): void {
    const width = Math.max(20, this.#terminal.columns() - 1);
    const cut = lines.map((line) => line.slice(0, width));
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

function plainLine(fold: RunFold): string | undefined {
  const step = fold.currentStep;
  const progress = step?.progress();
  if (!step || !progress) return undefined;
  if (step.awaiting) return `${step.name}: waiting for ${waitingFor(step.awaiting)}`;
  const parts = progress.milestones
    .filter(({ of }) => of > 0)
    .map(({ name, held, of }) => `${name} ${held}/${of}`);
  const left = progress.leftovers > 0 ? [`${progress.leftovers} not gone yet`] : [];
  const settling = step.isQuiet ? ['settling'] : [];
  return `${step.name}: ${[...parts, ...left, ...progress.countersOff, ...settling].join(', ')}`;
}

const waitingFor = ({ milestones, nodes }: Goal): string =>
  `${milestones.join(', ')} of ${formatRange(nodes)}`;

function liveView(fold: RunFold, plan: Plan): readonly string[] {
  const step = fold.currentStep;
  const progress = step?.progress();
  if (!step || !progress) return [];
  const number = plan.steps.findIndex(({ name }) => name === step.name) + 1;
  return [
    pc.bold(`step ${number} of ${plan.steps.length}: ${step.name}`),
    ...progress.milestones
      .filter(({ of }) => of > 0)
      .map(({ name, held, of }) => {
        const full = Math.round((BAR_WIDTH * held) / of);
        const bar = '█'.repeat(Math.min(BAR_WIDTH, full)).padEnd(BAR_WIDTH, '·');
        const waiting = held < of ? `  waiting: ${some(step.missing(name), 3)}` : '';
        return `  ${name.padEnd(10)} ${bar} ${held}/${of}${waiting}`;
      }),
    ...(step.awaiting ? [`  waiting for ${waitingFor(step.awaiting)}`] : []),
    ...(progress.leftovers > 0 && !step.awaiting
      ? [`  ${progress.leftovers} removed nodes not gone yet`]
      : []),
    ...progress.countersOff.map((counter) => `  ${counter}`),
    ...(step.isQuiet ? ['  settling'] : []),
  ];
}
