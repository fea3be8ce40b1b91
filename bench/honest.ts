// Is the honest controller ever accused? Every scenario of scenarios/ci again and again, and then each recording judged
// anew. An invalid run accuses nobody: it is counted apart.
//   node --import tsx/esm bench/honest.ts [ROUNDS=10] [AT_A_TIME=1] [SCENARIO …]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pMap from 'p-map';
import type { RunReport } from '../src/sim/model/run-report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'dist', 'main.js');
const [rounds = '10', atATime = '1', ...only] = process.argv.slice(2);
const folder = join(root, 'scenarios', 'ci');
const scenarios = (await readdir(folder))
  .map((file) => basename(file, '.yaml'))
  .filter((name) => only.length === 0 || only.includes(name));
const directory = await mkdtemp(join(tmpdir(), 'sim-honest-'));

async function sim(args: readonly string[]): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout };
}

const brokenIn = ({ invariants }: RunReport): readonly string[] =>
  invariants.flatMap(({ code, status, findings }) =>
    status === 'broken' ? [`${code}: ${findings[0]?.message ?? ''}`] : [],
  );

async function runOnce(name: string, round: number): Promise<string> {
  const output = join(directory, `${name}-${round}`);
  const file = join(folder, `${name}.yaml`);
  await sim(['run', file, '--quiet', '--output', output]);
  const report = JSON.parse(await readFile(join(output, 'report.json'), 'utf8')) as RunReport;
  const again = JSON.parse((await sim(['judge', output, '--json'])).stdout) as RunReport;
  const accusations = [...brokenIn(report), ...brokenIn(again).map((text) => `judge: ${text}`)];
  for (const text of accusations) console.log(`${name}, round ${round}: ${text} (${output})`);
  if (again.verdict !== report.verdict)
    console.log(`${name}, round ${round}: judged ${again.verdict} after ${report.verdict}`);
  if (report.verdict === 'pass') await rm(output, { recursive: true, force: true });
  else console.log(`${name}, round ${round}: ${report.verdict}: ${report.reasons.join('; ')}`);
  return accusations.length > 0 ? 'accused' : report.verdict;
}

const counts = new Map<string, number>();
for (let round = 1; round <= Number(rounds); round++)
  await pMap(
    scenarios,
    async (name) => {
      const how = await runOnce(name, round);
      counts.set(how, (counts.get(how) ?? 0) + 1);
    },
    { concurrency: Number(atATime) },
  );
const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
console.log(
  `${total} runs of ${scenarios.length} scenarios: ${[...counts].map(([how, count]) => `${count} ${how}`).join(', ')}`,
);
process.exitCode = (counts.get('accused') ?? 0) > 0 ? 1 : 0;
