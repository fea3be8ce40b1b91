import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCli } from './cli.ts';
import { realHost } from './host/real-host.ts';

/** The folder of package.json, above `dist/` as well as above `src/sim/`. */
function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) directory = dirname(directory);
  return directory;
}

process.exitCode = await runCli(realHost(packageRoot()), process.argv.slice(2));
// A run that has ended has nothing left to wait for; sockets that linger must not keep the process.
await new Promise<void>((resolve) =>
  process.stdout.write('', () => {
    resolve();
  }),
);
process.exit();
