import { SimError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import type { ProgramName } from './program.ts';

/** How programs may be obtained: `auto` tries the download first, then the build. */
export type Mode = 'auto' | 'download' | 'build' | 'system';

const FORCED: readonly Mode[] = ['download', 'build', 'system'];

type Env = Host['env'];

/** `SIM_TOOLCHAIN`. Throws SIM_USAGE for any other word. */
export function readMode(env: Env): Mode {
  const text = env['SIM_TOOLCHAIN'] ?? '';
  if (text === '') return 'auto';
  const mode = FORCED.find((word) => word === text);
  if (mode) return mode;
  throw new SimError('SIM_USAGE', `SIM_TOOLCHAIN is "${text}"`, {
    hint: `set it to ${FORCED.join(', ')}, or leave it out to let sim choose`,
  });
}

/** `SIM_DOWNLOAD_MIRROR`, without a slash at its end. Throws SIM_USAGE when it is no http or https URL. */
export function readMirror(env: Env): string | undefined {
  const text = env['SIM_DOWNLOAD_MIRROR'] ?? '';
  if (text === '') return undefined;
  if (/^https?:\/\/[^/?#]+[^?#]*$/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new SimError('SIM_USAGE', `SIM_DOWNLOAD_MIRROR is "${text}", which is no URL of a mirror`, {
    hint: 'write it as https://mirror.example/path: files are asked for at <mirror>/<original host>/<path>',
  });
}

/** `https://dl.k8s.io/a` → `<mirror>/dl.k8s.io/a`. */
export function throughMirror(url: string, mirror: string | undefined): string {
  if (mirror === undefined) return url;
  const { host, pathname, search } = new URL(url);
  return `${mirror}/${host}${pathname}${search}`;
}

/** `kube-apiserver` → `SIM_KUBE_APISERVER`: the variable that names a program of the user's own. */
export const explicitVariable = (name: ProgramName): string =>
  `SIM_${name.toUpperCase().replaceAll('-', '_')}`;
