/** A program that a run may need. */
export type ProgramName =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kwok'
  | 'kwokctl'
  | 'nodeslicecontroller';

/** The programs of the kwokctl runtime. */
export const CLUSTER_PROGRAMS: readonly ProgramName[] = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'kwokctl',
];

/** How a program came to this machine. */
export type ProgramOrigin = 'explicit' | 'system' | 'build' | 'download';

/** A program that is on this machine and runs. */
export interface Program {
  readonly name: ProgramName;
  /** Absolute. */
  readonly path: string;
  readonly origin: ProgramOrigin;
  /** `v1.36.1`, as the program itself says; `v0.9.2 (pinned)` or `unknown` for one that cannot say. */
  readonly version: string;
}
