import type { Host } from '../host/host.ts';

type Env = Host['env'];

/** Settings of Go that say where modules come from and where caches are, but not what comes out of a build. */
export const GO_SETTINGS = [
  'GOAUTH',
  'GOCACHE',
  'GOINSECURE',
  'GOMODCACHE',
  'GONOPROXY',
  'GONOSUMDB',
  'GOPATH',
  'GOPRIVATE',
  'GOPROXY',
  'GOSUMDB',
  'GOVCS',
] as const;

export type GoSettings = Readonly<Partial<Record<(typeof GO_SETTINGS)[number], string>>>;

/** What Go, and the git it may call for modules, need of the caller's environment to reach disk and network. */
const KEPT: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'NETRC',
  'SSH_AUTH_SOCK',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'GONOSUMCHECK',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
]);
const KEPT_PREFIXES = ['XDG_', 'SSL_CERT_'];

/** Never the caller's workspace, and never another Go than the one that was looked at. */
const FIXED = { GOWORK: 'off', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' };

/** For `go env`: it also reads the file that `go env -w` writes, which may hold the proxy of the company. */
export function goQueryEnvironment(env: Env): Env {
  const asked: readonly string[] = [...GO_SETTINGS, 'GOENV'];
  return { ...pick(env, (name) => isKept(name) || asked.includes(name)), ...FIXED };
}

/**
 * For builds: the same whatever the caller's shell and `go env -w` say (GOFLAGS, GOOS, GOEXPERIMENT and the like).
 * The settings are those that `go env` answered. Go's own temporary files go to `workDirectory`, which we remove.
 */
export function goBuildEnvironment(env: Env, settings: GoSettings, workDirectory: string): Env {
  return {
    ...pick(env, isKept),
    ...settings,
    ...FIXED,
    GOENV: 'off',
    GOTMPDIR: workDirectory,
  };
}

const isKept = (name: string): boolean =>
  KEPT.has(name) || KEPT_PREFIXES.some((prefix) => name.startsWith(prefix));

const pick = (env: Env, wanted: (name: string) => boolean): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => wanted(name)));
