import type { Clock } from '../base/clock.ts';
import type { ControllerUnderTest } from '../controllers/controller.ts';
import type { KubeClient } from '../kube/client.ts';
import type { ManifestObject } from '../kube/manifest-file.ts';
import type { Observation } from '../model/history.ts';
import type { GoalObserver } from '../model/observer.ts';
import type { ClusterHandle } from '../runtimes/runtime.ts';
import type { CniRunner } from './cni-runner.ts';
import type { DaemonPods } from './daemon-pods.ts';
import type { Daemons } from './daemons.ts';
import type { FakeNodes } from './fake-nodes.ts';

/** What the steps of a run act with. */
export interface RunContext {
  readonly runId: string;
  readonly seed: number;
  readonly clock: Clock;
  readonly kube: KubeClient;
  readonly cluster: Pick<ClusterHandle, 'restartComponent'>;
  readonly fakeNodes: FakeNodes;
  /** Undefined, as the next two, for operators that dial nobody. */
  readonly daemons: Daemons | undefined;
  readonly daemonPods: DaemonPods | undefined;
  readonly cni: CniRunner | undefined;
  /** By their paths, as the scenario names them. */
  readonly manifests: ReadonlyMap<string, readonly ManifestObject[]>;
  readonly controller: ControllerUnderTest;
  readonly observer: GoalObserver;
  /** Writes to the recording; with a time of the monotonic clock when it happened earlier. */
  readonly record: (observation: Observation, happenedAtMs?: number) => void;
  /** Waits until the recording so far is on the disk. */
  readonly sync: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** What the actions of one step act with. */
export interface StepContext extends RunContext {
  /** Its name. */
  readonly step: string;
}
