import { INVARIANTS } from '../../src/sim/invariants/index.ts';
import { judge, type Judgement } from '../../src/sim/judge/judge.ts';
import type { MetricNames } from '../../src/sim/model/metric.ts';
import type { HistoryBuilder } from './history-builder.ts';

export const metricNamesOf = ({ planned: { profile } }: HistoryBuilder): MetricNames => ({
  milestones: profile.milestoneNames,
  counters: profile.counterNames,
});

/** What sim concludes from a recording. */
export const judged = (history: HistoryBuilder): Judgement =>
  judge(history.result(), INVARIANTS, metricNamesOf(history));
