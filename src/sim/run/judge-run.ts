import { INVARIANTS } from '../invariants/index.ts';
import { allocationReports } from '../judge/allocations.ts';
import { controllerMetricsReport } from '../judge/controller-metrics.ts';
import { judge } from '../judge/judge.ts';
import { milestoneReport } from '../judge/statistics.ts';
import { usageReport } from '../judge/usage.ts';
import type { OperatorProfile } from '../model/operator-profile.ts';
import type { RecordedRun } from '../model/recorded-run.ts';
import type { RunReport } from '../model/run-report.ts';
import { buildReport } from '../report/run-report.ts';

/** From a recording to its report. The live run and `sim judge` both end here. */
export function reportOf(run: RecordedRun, profile: OperatorProfile): RunReport {
  const names = { milestones: profile.milestoneNames, counters: profile.counterNames };
  return buildReport(run, {
    ...judge(run, INVARIANTS, names),
    usage: usageReport(run),
    milestone: milestoneReport,
    allocations: (step) => allocationReports(step, run),
    controllerMetrics: (step) => controllerMetricsReport(step, run),
  });
}
