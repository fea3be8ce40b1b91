import { formatDuration } from '../base/duration.ts';
import { formatRange } from '../base/node-names.ts';
import { RecentRate } from '../base/recent-rate.ts';
import { count, some } from '../base/text.ts';
import type { RunMs } from '../base/units.ts';
import type { StepFold } from '../ledger/step-fold.ts';
import type { Progress } from '../ledger/step-tracker.ts';
import type { Goal, Plan } from '../model/plan.ts';

const BAR_WIDTH = 24;
const RATE_OVER_MS = 3000;

/** How a step stands, in one line for a log; undefined between steps. */
export function plainLine(step: StepFold | undefined): string | undefined {
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

/** How a step stands, on a terminal: progress, rate and the nodes that are still missing, for every milestone. */
export class LiveView {
  readonly #plan: Plan;
  /** Of the nodes that hold a milestone, by step and milestone. */
  readonly #rate = new RecentRate(RATE_OVER_MS);

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  lines(step: StepFold | undefined, now: RunMs): readonly string[] {
    const progress = step?.progress();
    if (!step || !progress) return [];
    return [
      this.#title(step, now),
      ...progress.milestones
        .filter(({ of }) => of > 0)
        .map((milestone) => this.#bar(step, milestone, now)),
      ...(progress.leftovers > 0 && !step.awaiting
        ? [`  ${count(progress.leftovers, 'removed node')} not gone yet`]
        : []),
      ...counterLines(progress),
      ...(step.awaiting ? [`  waiting for ${waitingFor(step.awaiting)}`] : []),
      ...settlingLine(step, now),
    ];
  }

  #title({ name, zeroMs }: StepFold, now: RunMs): string {
    const { steps } = this.#plan;
    const index = steps.findIndex((step) => step.name === name);
    const withinMs = steps[index]?.withinMs ?? 0;
    const since = zeroMs === undefined ? '' : `, ${formatDuration(now - zeroMs)}`;
    const limit = withinMs > 0 && since !== '' ? ` of ${formatDuration(withinMs)}` : '';
    return `step ${index + 1} of ${steps.length}: ${name}${since}${limit}`;
  }

  #bar(step: StepFold, { name, held, of }: Progress['milestones'][number], now: RunMs): string {
    const full = Math.min(BAR_WIDTH, Math.round((BAR_WIDTH * held) / of));
    const bar = '█'.repeat(full).padEnd(BAR_WIDTH, '·');
    const rate = this.#rate.perSecond(`${step.name} ${name}`, held, now);
    const waiting =
      held < of ? `  ${rate.toFixed(0)}/s  waiting: ${some(step.missing(name), 3)}` : '';
    return `  ${name.padEnd(10)} ${bar} ${held}/${of}${waiting}`;
  }
}

function settlingLine(step: StepFold, now: RunMs): readonly string[] {
  if (!step.isQuiet) return [];
  const state = step.state(now);
  const left = state.kind === 'settling' ? `, ${formatDuration(state.untilMs - now)} left` : '';
  return [`  settling${left}`];
}

/** A line per network: `multi-nic-sample: total 20, available 20, processed 13`. */
function counterLines({ counters }: Progress): readonly string[] {
  const networks = [...new Set(counters.map(({ network }) => network))];
  return networks.map((network) => {
    const values = counters
      .filter((one) => one.network === network)
      .map(({ counter, value }) => `${counter} ${value}`);
    return `  ${network}: ${values.join(', ')}`;
  });
}

const waitingFor = ({ milestones, nodes }: Goal): string =>
  `${milestones.join(', ')} of ${formatRange(nodes)}`;
