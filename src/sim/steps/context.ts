import type { Clock } from '../base/clock.ts';
import type { ControllerUnderTest } from '../controllers/controller.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Observation } from '../model/history.ts';
import type { GoalObserver } from '../model/observer.ts';
import type { Daemons } from './daemons.ts';
import type { FakeNodes } from './fake-nodes.ts';

/** What steps act with. */
export interface StepContext {
  readonly clock: Clock;
  readonly kube: KubeClient;
  readonly fakeNodes: FakeNodes;
  /** Undefined for operators that dial nobody. */
  readonly daemons: Daemons | undefined;
  readonly controller: ControllerUnderTest;
  readonly observer: GoalObserver;
  /** Writes to the recording. */
  readonly record: (observation: Observation) => void;
  /** Waits until the recording so far is on the disk. */
  readonly sync: () => Promise<void>;
  readonly signal: AbortSignal;
}
