import { join } from 'node:path';
import type { Clock } from '../../src/sim/base/clock.ts';
import type { MonotonicMs } from '../../src/sim/base/units.ts';
import { waitFor } from '../../src/sim/base/wait.ts';
import type { Fleet } from '../../src/sim/fleet/fleet.ts';
import { startFleet } from '../../src/sim/fleet/start-fleet.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import type { DaemonPlan } from '../../src/sim/model/operator-profile.ts';
import { Daemons } from '../../src/sim/steps/daemons.ts';
import type { HostInterface } from '../../src/stubs/daemon/contract.ts';
import { temporaryDirectory, writeKubeconfig } from './kubeconfig.ts';
import { ROOT } from './sim-process.ts';
import { bundleStub } from './stub-program.ts';
import { Loopback } from './test-fleet.ts';

const HOST = realHost(ROOT);
const NEVER = new AbortController().signal;

/** The machine's time, but for sleeps: they last until the test ends them. */
export class HeldClock implements Clock {
  /** How long each sleep was asked to last. */
  readonly sleeps: number[] = [];
  readonly #wakes: (() => void)[] = [];

  now(): MonotonicMs {
    return realClock.now();
  }

  wallMs(): number {
    return realClock.wallMs();
  }

  every(ms: number, tick: () => void): () => void {
    return realClock.every(ms, tick);
  }

  sleep(ms: number): Promise<void> {
    this.sleeps.push(ms);
    return new Promise((resolve) => this.#wakes.push(resolve));
  }

  /** Ends the nth sleep, counted from one. */
  wake(n: number): void {
    this.#wakes[n - 1]?.();
  }
}

/** The daemons as steps act on them, with NICs eth1 and eth2, in the process of a real fleet. */
export class StepDaemons {
  readonly fleet: Fleet;
  readonly plan: DaemonPlan;
  readonly #network: string;
  #clock: HeldClock;
  #daemons: Daemons;
  readonly #remove: () => Promise<void>;

  private constructor(fleet: Fleet, network: string, remove: () => Promise<void>) {
    this.fleet = fleet;
    this.#network = network;
    this.#remove = remove;
    this.plan = {
      port: fleet.port,
      pods: { namespace: 'operator', label: 'app=daemon' },
      networks: [{ name: 'net', masterNets: ['10.1.0.0/16'] }],
      nics: (node) =>
        [1, 2].map((k) => ({
          interfaceName: `eth${k}`,
          netAddress: `10.${k}.0.0/16`,
          hostIP: `10.${k}.0.${node}`,
        })),
    };
    this.#clock = new HeldClock();
    this.#daemons = this.#make();
  }

  /** Their pools are found at the URL. */
  static async start(poolsUrl = 'http://127.0.0.1:9'): Promise<StepDaemons> {
    const directory = await temporaryDirectory();
    const bundle = await bundleStub('fleet');
    const loopback = new Loopback();
    const fleet = await startFleet(HOST, {
      runId: `test-${HOST.randomId()}`,
      socketPath: join(directory.path, 'fleet.sock'),
      kubeconfigPath: await writeKubeconfig(directory.path, { server: poolsUrl }),
      port: loopback.port,
      logFile: join(directory.path, 'fleet.log'),
      signal: NEVER,
      program: bundle.program,
    });
    const [, second] = loopback.address(1).split('.');
    return new StepDaemons(fleet, `127.${second}.0.0/16`, async () => {
      await fleet.stop();
      await bundle.remove();
      await directory.remove();
    });
  }

  /** Those of the test in progress. */
  get daemons(): Daemons {
    return this.#daemons;
  }

  /** The time that they go by. */
  get clock(): HeldClock {
    return this.#clock;
  }

  /** What the daemon of a node answers: a status, or the system's word for why there is none. */
  statusOf(node: number): Promise<unknown> {
    return fetch(`http://${this.daemons.endpoint(node)}/interface`, {
      headers: { connection: 'close' },
    }).then(
      ({ status }) => status,
      (error: unknown) => (error as { cause?: { code?: unknown } }).cause?.code,
    );
  }

  /** Resolves once the daemon of a node answers so. */
  async becomes(node: number, status: unknown): Promise<void> {
    await waitFor({
      what: `sim-${node} to answer ${String(status)}`,
      clock: realClock,
      timeoutMs: 8000,
      intervalMs: 1,
      probe: async () => ((await this.statusOf(node)) === status ? true : undefined),
    });
  }

  /** As the daemon of a node tells them. */
  async nicsOf(node: number): Promise<readonly HostInterface[]> {
    return (await this.fleet.node(`sim-${node}`))?.interfaces ?? [];
  }

  /** Ends the daemons of the first few nodes, and forgets all faults. */
  async clear(): Promise<void> {
    await this.fleet.deleteNodes(Array.from({ length: 9 }, (_, i) => `sim-${i + 1}`));
    this.#clock = new HeldClock();
    this.#daemons = this.#make();
  }

  stop(): Promise<void> {
    return this.#remove();
  }

  #make(): Daemons {
    return new Daemons(this.fleet, this.plan, this.#network, this.#clock);
  }
}
