import type { Clock } from '../base/clock.ts';
import { reasonOf, SimError } from '../base/errors.ts';
import { runMs, type RunMs } from '../base/units.ts';
import { ApiError, isNotFound } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { ClusterFold } from '../ledger/cluster-fold.ts';
import type { Observation } from '../model/history.ts';
import type { ObservedResource, ResourceKind, WatchedCluster } from '../model/operator-profile.ts';
import { ResourceWatch, type WatchSink } from './resource-watch.ts';

/** Follows the operator's kinds in a cluster, and keeps how they stand now. Reads only. */
export class ClusterWatch implements WatchSink {
  readonly fold: ClusterFold;
  readonly #clock: Clock;
  readonly #resources: WatchedCluster['resources'];
  readonly #watches: readonly ResourceWatch[];
  readonly #began: number;
  readonly #note: (text: string) => void;
  readonly #listed = new Set<string>();
  readonly #troubled = new Set<string>();
  #failure: SimError | undefined;
  #seq = 0;

  /** `note` is told what a reader of the figures should know, a line at a time. */
  constructor(
    kube: KubeClient,
    clock: Clock,
    watched: WatchedCluster,
    note: (text: string) => void,
  ) {
    this.fold = new ClusterFold(watched);
    this.#clock = clock;
    this.#note = note;
    this.#began = clock.now();
    this.#resources = watched.resources;
    this.#watches = watched.resources.map(
      (resource) => new ResourceWatch(kube, clock, resource, this),
    );
  }

  /** Resolves when all objects that there are have been listed. Throws SIM_API where that cannot be. */
  async start(): Promise<void> {
    for (const [i, watch] of this.#watches.entries()) {
      const resource = this.#resources[i] ?? this.#resources[0];
      try {
        await watch.start();
      } catch (error) {
        throw this.#problem(resource, error, 'list');
      }
    }
  }

  stop(): void {
    for (const watch of this.#watches) watch.stop();
  }

  /** Whether the figures are those of now. */
  get isCurrent(): boolean {
    return this.#troubled.size === 0;
  }

  /** Why it makes no sense to go on: SIM_API when a resource may be listed but not watched. */
  get failure(): SimError | undefined {
    return this.#failure;
  }

  /** Since the watch began. */
  now(): RunMs {
    return this.toRunMs(this.#clock.now());
  }

  toRunMs(at: number): RunMs {
    return runMs(at - this.#began);
  }

  record(observation: Observation, arrivedAt?: number): void {
    const atMs = arrivedAt === undefined ? this.now() : this.toRunMs(arrivedAt);
    switch (observation.kind) {
      case 'object':
        for (const { network, counter, from, to } of this.fold.apply({
          ...observation,
          seq: this.#seq++,
          atMs,
        }))
          this.#note(`${network}: ${counter} fell from ${from} to ${to}`);
        return;
      case 'gap':
        this.#note(`${observation.resource}: ${observation.reason}`);
        return;
      case 'listed':
        this.#noteListed(observation.resource);
        return;
      case 'resume':
        this.#noteRecovery(observation.resource);
        return;
      default:
        throw new RangeError(`a watch does not observe ${observation.kind}`);
    }
  }

  noteTrouble(id: string, error: unknown): void {
    const resource = this.#resources.find((one) => one.id === id);
    if (resource && isForbidden(error)) {
      this.#failure ??= this.#problem(resource, error, 'watch');
      return;
    }
    if (this.#troubled.size === 0)
      this.#note(`the figures may be out of date: cannot watch ${id}: ${reasonOf(error)}`);
    this.#troubled.add(id);
  }

  #noteListed(resource: string): void {
    if (this.#listed.has(resource)) this.#note(`${resource}: listed anew`);
    this.#listed.add(resource);
    this.#noteRecovery(resource);
  }

  #noteRecovery(resource: string): void {
    const wasLast = this.#troubled.delete(resource) && this.#troubled.size === 0;
    if (wasLast) this.#note('the figures are up to date again');
  }

  #problem({ kind }: ObservedResource, error: unknown, verb: string): SimError {
    const name = resourceName(kind);
    if (isNotFound(error) && kind.group !== '')
      return new SimError('SIM_API', `the cluster has no ${name} of version ${kind.version}`, {
        cause: error,
        hint: 'is the operator installed? --profile names another one',
      });
    if (isForbidden(error)) {
      const needed = this.#resources.map((one) => resourceName(one.kind)).join(', ');
      return new SimError('SIM_API', `not allowed to ${verb} ${name}`, {
        cause: error,
        details: [error.message],
        hint: `sim watch needs list and watch on ${needed}`,
      });
    }
    const what =
      error instanceof ApiError ? `cannot ${verb} ${name}` : 'the cluster does not answer';
    return new SimError('SIM_API', `${what}: ${reasonOf(error)}`, { cause: error });
  }
}

const isForbidden = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 403;

const resourceName = ({ plural, group }: ResourceKind): string =>
  group === '' ? plural : `${plural}.${group}`;
