import { join } from 'node:path';
import type { Host } from '../host/host.ts';

/** The version of sim itself, from its package.json. */
export async function simVersion(host: Pick<Host, 'files' | 'packageRoot'>): Promise<string> {
  const text = await host.files.readText(join(host.packageRoot, 'package.json'));
  return (JSON.parse(text) as { readonly version: string }).version;
}

export const userAgent = (version: string): string => `cni-sim/${version}`;
