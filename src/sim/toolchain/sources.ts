import type { ProgramName } from './program.ts';

/** What the publisher of a program offers for one version and architecture. */
export interface Release {
  readonly url: string;
  /** The publisher's checksum file of the same release. */
  readonly checksumUrl: string;
  /** The program's path inside the archive; without one, the file is the program. */
  readonly member?: string;
}

/** Where a program comes from. */
export interface ProgramSource {
  /** The Go module whose version in `toolchain/go.mod` is the program's version. */
  readonly module: string;
  readonly package: string;
  /** The name that `go build` gives to the file. */
  readonly builtAs: string;
  /** Makes the program say its version and exit. */
  readonly versionFlag: string | undefined;
  /** Undefined when the publisher has no checksum file that we could verify: such a release is not downloaded. */
  readonly release: ((version: string, arch: string) => Release) | undefined;
}

const kubernetes = (name: string): ProgramSource => ({
  module: 'k8s.io/kubernetes',
  package: `k8s.io/kubernetes/cmd/${name}`,
  builtAs: name,
  versionFlag: '--version',
  release: (version, arch) => {
    const url = `https://dl.k8s.io/release/${version}/bin/linux/${arch}/${name}`;
    return { url, checksumUrl: `${url}.sha256` };
  },
});

const kwok = (name: string): ProgramSource => ({
  module: 'sigs.k8s.io/kwok',
  package: `sigs.k8s.io/kwok/cmd/${name}`,
  builtAs: name,
  versionFlag: '--version',
  release: undefined,
});

/** One row for each program. */
export const SOURCES: Readonly<Record<ProgramName, ProgramSource>> = {
  etcd: {
    module: 'go.etcd.io/etcd/server/v3',
    package: 'go.etcd.io/etcd/server/v3',
    builtAs: 'server',
    versionFlag: '--version',
    release: (version, arch) => {
      const base = `https://github.com/etcd-io/etcd/releases/download/${version}`;
      const folder = `etcd-${version}-linux-${arch}`;
      return {
        url: `${base}/${folder}.tar.gz`,
        checksumUrl: `${base}/SHA256SUMS`,
        member: `${folder}/etcd`,
      };
    },
  },
  'kube-apiserver': kubernetes('kube-apiserver'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  kwok: kwok('kwok'),
  kwokctl: kwok('kwokctl'),
  nodeslicecontroller: {
    module: 'github.com/k8snetworkplumbingwg/whereabouts',
    package: 'github.com/k8snetworkplumbingwg/whereabouts/cmd/nodeslicecontroller',
    builtAs: 'nodeslicecontroller',
    versionFlag: undefined,
    release: undefined,
  },
};

export const PROGRAM_NAMES = Object.keys(SOURCES) as readonly ProgramName[];
