import { join } from 'node:path';
import type { Host } from '../host/host.ts';
import type { RunReport } from '../model/run-report.ts';
import { markdownSummary } from '../report/markdown.ts';
import { cannotWrite, type RunDirectory } from './run-directory.ts';

/** Writes `report.json` and `summary.md`, and gives a lane what its page shows. Throws SIM_RECORDING_WRITE. */
export async function writeReports(
  host: Pick<Host, 'files' | 'env'>,
  directory: RunDirectory,
  report: RunReport,
): Promise<void> {
  const summary = markdownSummary(report);
  try {
    await host.files.writeText(directory.report, `${JSON.stringify(report, null, 2)}\n`);
    await host.files.writeText(directory.summary, summary);
    if (directory.artifacts !== undefined)
      await host.files.writeText(join(directory.artifacts, 'summary.md'), summary);
    await appendJobSummary(host, summary);
  } catch (error) {
    throw cannotWrite(`the report to ${directory.path}`, error);
  }
}

async function appendJobSummary(host: Pick<Host, 'files' | 'env'>, summary: string): Promise<void> {
  const path = host.env['GITHUB_STEP_SUMMARY'];
  if (host.env['GITHUB_ACTIONS'] === undefined || path === undefined || path === '') return;
  const file = await host.files.openAppend(path);
  await file.append(`${summary}\n`);
  await file.close();
}
