import type { Clock } from '../../src/sim/base/clock.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { collectionPath, KINDS } from '../../src/sim/kube/objects.ts';
import { Controller } from '../../src/stubs/controller/controller.ts';
import { mutationOf } from '../../src/stubs/controller/mutants.ts';
import { cidrShape, hostInterfaceShape, MULTI_NIC } from '../../src/stubs/controller/objects.ts';
import { eventually } from './eventually.ts';
import { LiveApiServer } from './live-apiserver.ts';
import { plainClient } from './plain-client.ts';
import { nic, TestFleet } from './test-fleet.ts';

export const NAMESPACE = 'multi-nic-cni-operator';
export const PATHS = {
  nodes: collectionPath(KINDS.node),
  pods: collectionPath(KINDS.pod, NAMESPACE),
  networks: collectionPath(MULTI_NIC.network),
  hosts: collectionPath(MULTI_NIC.hostInterface),
  cidrs: collectionPath(MULTI_NIC.cidr),
  pools: collectionPath(MULTI_NIC.pool),
} as const;

interface PoolObject {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

interface Running {
  readonly controller: Controller;
  readonly kube: KubeClient;
  readonly ended: Promise<void>;
}

/** An API server, daemons, and a reference controller between them, all in the test's own process, over real sockets. */
export class ReferenceWorld {
  readonly server: LiveApiServer;
  readonly fleet = TestFleet.withoutCluster();
  /** What the controller has logged. */
  readonly said: string[] = [];
  /** How often a controller has ended by itself. */
  crashes = 0;
  #running: Running | undefined;
  /** How many pods there have been. */
  #pods = 0;

  private constructor(server: LiveApiServer) {
    this.server = server;
  }

  static async start(): Promise<ReferenceWorld> {
    const world = new ReferenceWorld(await LiveApiServer.start());
    world.putNetwork('net');
    return world;
  }

  putNetwork(name: string, ipam: Readonly<Record<string, unknown>> = {}, more: object = {}): void {
    const settings = { hostBlock: 4, interfaceBlock: 2, vlanMode: 'l3', ...ipam };
    this.server.objects.put(PATHS.networks, name, {
      spec: { subnet: '192.168.0.0/16', ipam: JSON.stringify(settings), ...more },
    });
  }

  /** Nodes with a daemon each, whose pod is ready. */
  async addNodes(numbers: readonly number[], nics: readonly string[] = ['eth1']): Promise<void> {
    await this.addDaemons(numbers, nics);
    for (const n of numbers) {
      this.server.objects.put(PATHS.nodes, `sim-${n}`, {});
      this.putPod(n);
    }
  }

  async addDaemons(numbers: readonly number[], nics: readonly string[] = ['eth1']): Promise<void> {
    const { loopback, fleet } = this.fleet;
    const daemons = numbers.map((n) =>
      loopback.node(
        n,
        nics.map((name) => nic(name, n)),
      ),
    );
    const { failed } = await fleet.put(daemons);
    if (failed[0]) throw new Error(failed[0].problem);
  }

  putPod(n: number, { ready = true, hostIP = this.fleet.loopback.address(n) } = {}): void {
    const name = `multi-nicd-${n}`;
    const uid = this.server.objects.get(PATHS.pods, name)?.metadata.uid ?? `pod-${++this.#pods}`;
    this.server.objects.put(PATHS.pods, name, {
      metadata: { uid, labels: { app: 'multi-nicd' } },
      spec: { nodeName: `sim-${n}` },
      status: { hostIP, containerStatuses: [{ ready }] },
    });
  }

  async removeNodes(numbers: readonly number[]): Promise<void> {
    for (const n of numbers) {
      this.server.objects.remove(PATHS.nodes, `sim-${n}`);
      this.server.objects.remove(PATHS.pods, `multi-nicd-${n}`);
    }
    await this.fleet.fleet.remove(numbers.map((n) => `sim-${n}`));
  }

  async startController(
    options: {
      readonly mutant?: string;
      readonly clock?: Clock;
      readonly qps?: number;
      readonly askEveryMs?: number;
    } = {},
  ): Promise<void> {
    const { mutant, clock = realClock, qps = 0, askEveryMs = 30_000 } = options;
    const mutation = mutationOf(mutant, 0);
    if (!mutation) throw new RangeError(`no mutant ${String(mutant)}`);
    const kube = plainClient(this.server.url);
    const controller = new Controller({
      kube,
      clock,
      namespace: NAMESPACE,
      daemonPort: this.fleet.loopback.port,
      qps,
      askEveryMs,
      mutation,
      crash: () => (this.crashes += 1),
      log: (line) => this.said.push(line),
    });
    await controller.start();
    this.#running = { controller, kube, ended: controller.run() };
  }

  async stopController(): Promise<void> {
    await this.#running?.controller.stop();
    await this.#running?.ended;
    await this.#running?.kube.close();
    this.#running = undefined;
  }

  async stop(): Promise<void> {
    await this.stopController();
    await this.fleet.close();
    await this.server.stop();
  }

  /** Of the controller that runs. */
  get queues(): Controller['queues'] {
    if (!this.#running) throw new Error('no controller runs');
    return this.#running.controller.queues;
  }

  hostInterfaces(): readonly string[] {
    return this.server.objects
      .all(PATHS.hosts)
      .map((host) => hostInterfaceShape.parse(host).spec.hostName);
  }

  /** The blocks of a network by host and interface. */
  blocks(network = 'net'): Readonly<Record<string, string>> {
    const cidr = this.server.objects.get(PATHS.cidrs, network);
    const rows = cidr ? cidrShape.parse(cidr).spec.cidr.flatMap(({ hosts }) => hosts) : [];
    return Object.fromEntries(
      rows.map((row) => [`${row.hostName} ${row.interfaceName}`, row.podCIDR]),
    );
  }

  /** The same, as the pools of the network say it. */
  pools(network = 'net'): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.poolObjects(network).map(({ spec }) => [
        `${String(spec['hostName'])} ${String(spec['interfaceName'])}`,
        String(spec['podCIDR']),
      ]),
    );
  }

  poolObjects(network = 'net'): readonly PoolObject[] {
    const pools = this.server.objects.all(PATHS.pools) as unknown as readonly PoolObject[];
    return pools.filter(({ spec }) => spec['netAttachDef'] === network);
  }

  status(network = 'net'): Readonly<Record<string, unknown>> | undefined {
    const object = this.server.objects.get(PATHS.networks, network);
    return object?.['status'] as Readonly<Record<string, unknown>> | undefined;
  }

  /** How many routes of a network a daemon holds. */
  routes(n: number, network = 'net'): number | undefined {
    return this.fleet.fleet.daemon(`sim-${n}`)?.routes.table(network).count;
  }

  /** Waits until exactly these nodes have a block and a pool on each interface, and all routes. */
  async served(
    numbers: readonly number[],
    nics: readonly string[] = ['eth1'],
    network = 'net',
  ): Promise<void> {
    const wanted = numbers.flatMap((n) => nics.map((name) => `sim-${n} ${name}`)).sort();
    const isWanted = (of: Readonly<Record<string, string>>): boolean =>
      Object.keys(of).sort().join() === wanted.join();
    await eventually(`nodes ${numbers.join()} to be served on ${network}`, () => {
      const blocks = this.blocks(network);
      const pools = this.pools(network);
      const routes = nics.length * (numbers.length - 1);
      return (
        isWanted(blocks) &&
        isWanted(pools) &&
        wanted.every((key) => blocks[key] === pools[key]) &&
        numbers.every((n) => this.routes(n, network) === routes)
      );
    });
  }
}
