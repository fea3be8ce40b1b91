import type { ExitCode } from '../base/exit-codes.ts';
import { count } from '../base/text.ts';
import type { Host } from '../host/host.ts';
import { deadRuns } from '../host/run-record.ts';
import { terminalSummary } from '../report/terminal.ts';
import { runScenario } from '../run/run-scenario.ts';
import type { RunRequest } from '../run/session.ts';
import { printError } from './print-error.ts';

/** Runs and tells the result. The exit code is the report's. */
export async function runAndPrint(host: Host, request: RunRequest): Promise<ExitCode> {
  await warnOfDeadRuns(host);
  const { report, place, errors, leftovers, kubeconfig } = await runScenario(host, request);
  const written = place === undefined ? undefined : { report: place };
  for (const line of terminalSummary(report, written)) host.terminal.out(line);
  for (const error of errors) printError(host.terminal, error);
  for (const leftover of leftovers) host.terminal.err(leftover);
  if (leftovers.length > 0) host.terminal.err('`sim clean` tries again to remove what is left');
  if (kubeconfig !== undefined) {
    host.terminal.out(`the cluster was kept; to reach it: export KUBECONFIG=${kubeconfig}`);
    host.terminal.out('to remove it: sim clean');
  }
  return report.exitCode;
}

async function warnOfDeadRuns(host: Host): Promise<void> {
  const dead = (await deadRuns(host)).filter(({ kept }) => !kept);
  if (dead.length === 0) return;
  const ids = dead.map(({ id }) => id).join(', ');
  host.terminal.err(
    `warning: ${count(dead.length, 'run')} ended without tidying up (${ids}); \`sim clean\` removes what is left`,
  );
}
