import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** A directory for the files of one test. Mocha calls `remove` after it. */
export async function temporaryDirectory(): Promise<{
  readonly path: string;
  remove(): Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), 'sim-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

let written = 0;

/** Writes a kubeconfig with one context and answers its path. Keys are those of the file format. */
export async function writeKubeconfig(
  directory: string,
  cluster: Readonly<Record<string, unknown>>,
  user?: Readonly<Record<string, unknown>>,
): Promise<string> {
  const path = join(directory, `kubeconfig-${++written}.yaml`);
  const context = { cluster: 'fake', ...(user ? { user: 'tester' } : {}) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'fake', cluster }],
    users: user ? [{ name: 'tester', user }] : [],
    contexts: [{ name: 'fake', context }],
    'current-context': 'fake',
  };
  await writeFile(path, stringify(config), { mode: 0o600 });
  return path;
}
