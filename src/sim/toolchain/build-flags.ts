import type { ProgramName } from './program.ts';

/**
 * The flags of `go build`. Built from modules, programs do not know their version: it is stamped in.
 * They are part of the set's hash, so a change of them makes new programs.
 */
export function buildFlags(versions: Readonly<Record<ProgramName, string>>): readonly string[] {
  const kubernetes = versions['kube-apiserver'];
  const [major = '', minor = ''] = kubernetes.replace(/^v/, '').split('.');
  const stamps = {
    'k8s.io/component-base/version.gitVersion': kubernetes,
    'k8s.io/component-base/version.gitMajor': major,
    'k8s.io/component-base/version.gitMinor': minor,
    'sigs.k8s.io/kwok/pkg/consts.Version': versions.kwok,
  };
  const ldflags = Object.entries(stamps).map(([name, value]) => `-X ${name}=${value}`);
  return ['-trimpath', '-buildvcs=false', '-ldflags', ['-s', '-w', ...ldflags].join(' ')];
}
