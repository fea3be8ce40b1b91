// The same scenario again and again: does the verdict ever change? Further arguments go to `sim run`.
//   node --import tsx/esm bench/repeat.ts 20 2-nodes --set settle=1s
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [rounds = '20', ...args] = process.argv.slice(2);
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const codes: (number | null)[] = [];
for (let i = 0; i < Number(rounds); i++) {
  const output = await mkdtemp(join(tmpdir(), 'sim-repeat-'));
  const child = spawn(process.execPath, [main, 'run', ...args, '--quiet', '--output', output], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  codes.push(code);
  if (code === 0) await rm(output, { recursive: true, force: true });
  else console.log(`round ${i + 1}: exit code ${String(code)}, see ${output}`);
}
const passed = codes.filter((code) => code === 0).length;
console.log(`${passed} of ${codes.length} rounds passed`);
process.exitCode = passed === codes.length ? 0 : 1;
