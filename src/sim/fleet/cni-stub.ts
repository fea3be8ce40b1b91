import { join } from 'node:path';
import { cniResult, type CniPlan, type CniResult } from '../../stubs/cni/contract.ts';
import { SimError } from '../base/errors.ts';
import { count, lastLines } from '../base/text.ts';
import type { Host } from '../host/host.ts';
import { RUN_VARIABLE } from '../model/labels.ts';

/** Longer than any step: the step's own deadline ends it. */
const TIMEOUT_MS = 24 * 3_600_000;
/** Everybody was served, or somebody was not: both are answers. */
const ANSWERS = [0, 1];
const LOG_TAIL = 12;

export interface CniStubSettings {
  readonly runId: string;
  readonly plan: CniPlan;
  /** Of the cluster in which Pod objects are made, where the plan asks for such. */
  readonly kubeconfigPath: string;
  readonly signal: AbortSignal;
  readonly onResult: (result: CniResult) => void;
  /** What Node.js is told to run, in place of the program in `dist/`. */
  readonly program?: readonly string[];
}

type CniHost = Pick<Host, 'commands' | 'processes' | 'files' | 'env' | 'packageRoot'>;

/**
 * Asks daemons for addresses, or gives them back, and tells of each result as it comes. Throws SIM_COMMAND when the
 * program fails, or does not answer for everybody; that somebody got no address is no failure.
 */
export async function runCniStub(host: CniHost, settings: CniStubSettings): Promise<void> {
  const { plan, runId, signal, onResult } = settings;
  const program = settings.program ?? [join(host.packageRoot, 'dist', 'stubs', 'cni.js')];
  const node = await host.files.linkTarget(`/proc/${host.processes.own.pid}/exe`);
  const expected = plan.pods.reduce((sum, { networks }) => sum + networks.length, 0);
  let answered = 0;
  const { stderr } = await host.commands.run(
    node ?? 'node',
    [...program, '--kubeconfig', settings.kubeconfigPath],
    {
      env: { PATH: host.env['PATH'], [RUN_VARIABLE]: runId },
      input: JSON.stringify(plan),
      timeoutMs: TIMEOUT_MS,
      exitCodes: ANSWERS,
      signal,
      onLine: (line) => {
        if (!line.startsWith('{')) return; // a remark of the program
        onResult(cniResult.parse(JSON.parse(line)));
        answered++;
      },
    },
  );
  if (answered !== expected)
    throw new SimError(
      'SIM_COMMAND',
      `the CNI stub answered ${count(answered, 'request')} of ${expected}`,
      { details: lastLines(stderr, LOG_TAIL) },
    );
}
