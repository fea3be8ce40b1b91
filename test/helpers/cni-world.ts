import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import {
  cniPlan,
  cniResult,
  type CniPlan,
  type CniResult,
  type PlannedPod,
} from '../../src/stubs/cni/contract.ts';
import type { DaemonFault } from '../../src/stubs/fleet/contract.ts';
import { FakeApiServer } from './fake-apiserver.ts';
import { FakeIpPools, type PoolSettings } from './fake-ip-pools.ts';
import { temporaryDirectory, writeKubeconfig } from './kubeconfig.ts';
import { bundleStub } from './stub-program.ts';
import { nic, TestFleet } from './test-fleet.ts';

const NICS = ['eth1', 'eth2'];
const PODS = '/api/v1/namespaces/ns/pods';

/** A CNI stub that has been started. */
export interface CniProcess {
  readonly child: ChildProcess;
  /** Those that have come until now. */
  readonly results: readonly CniResult[];
  readonly ended: Promise<CniEnd>;
}

export interface CniEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly results: readonly CniResult[];
  readonly stderr: string;
}

/** The daemons sim-1 and sim-2 with two NICs each, a server that has their pools, and one that has the pods. */
export class CniWorld {
  readonly pools: FakeIpPools;
  readonly daemons: TestFleet;
  readonly server: FakeApiServer;
  readonly kubeconfig: string;
  readonly program: readonly string[];
  readonly #children: ChildProcess[] = [];
  readonly #remove: () => Promise<void>;

  private constructor(
    parts: Pick<CniWorld, 'pools' | 'daemons' | 'server' | 'kubeconfig'>,
    program: readonly string[],
    remove: () => Promise<void>,
  ) {
    ({
      pools: this.pools,
      daemons: this.daemons,
      server: this.server,
      kubeconfig: this.kubeconfig,
    } = parts);
    this.program = program;
    this.#remove = remove;
  }

  static async start(program: readonly string[]): Promise<CniWorld> {
    const pools = await FakeIpPools.start();
    const server = await FakeApiServer.start();
    const daemons = await TestFleet.withCluster(pools.url);
    await daemons.fleet.put(
      [1, 2].map((i) =>
        daemons.loopback.node(
          i,
          NICS.map((name) => nic(name, i)),
        ),
      ),
    );
    const directory = await temporaryDirectory();
    const kubeconfig = await writeKubeconfig(directory.path, { server: server.url });
    return new CniWorld({ pools, daemons, server, kubeconfig }, program, () => directory.remove());
  }

  /** A /26 for each NIC of a node, with what a test says of the one of a NIC. Answers their names. */
  pool(node: number, of: Readonly<Record<string, Partial<PoolSettings>>> = {}): readonly string[] {
    return NICS.map((name, i) =>
      this.pools.put({
        host: `sim-${node}`,
        nic: name,
        podCIDR: `192.168.${node + 64 * i}.0/26`,
        ...of[name],
      }),
    );
  }

  pod(node: number, name: string, more: Partial<PlannedPod> = {}): PlannedPod {
    return {
      node: `sim-${node}`,
      address: `${this.daemons.loopback.address(node)}:${this.daemons.loopback.port}`,
      namespace: 'ns',
      pod: name,
      networks: [{ name: 'net', masterNets: [] }],
      ...more,
    };
  }

  /** All at once, one try for each call, no Pod objects. */
  plan(pods: readonly PlannedPod[], more: Partial<CniPlan> = {}): CniPlan {
    return cniPlan.parse({
      verb: 'allocate',
      seed: 1,
      arrival: { kind: 'at-once', concurrency: 8 },
      attempts: 1,
      pauseMs: 1,
      timeoutMs: 5000,
      podObjects: null,
      pods,
      ...more,
    });
  }

  fault(node: number, fault: DaemonFault | undefined): Promise<unknown> {
    return this.daemons.fleet.setFault([`sim-${node}`], fault);
  }

  /** Starts the program with a text on its standard input. */
  start(
    input: CniPlan | string,
    args: readonly string[] = ['--kubeconfig', this.kubeconfig],
  ): CniProcess {
    const child = spawn(process.execPath, [...this.program, ...args]);
    this.#children.push(child);
    child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
    const results: CniResult[] = [];
    createInterface(child.stdout).on('line', (line) => {
      results.push(cniResult.parse(JSON.parse(line)));
    });
    return { child, results, ended: endOf(child, results) };
  }

  run(...args: Parameters<CniWorld['start']>): Promise<CniEnd> {
    return this.start(...args).ended;
  }

  /** The path of a pod's object. */
  object(name: string): string {
    return `${PODS}/${name}`;
  }

  async stop(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await this.daemons.close();
    await this.server.stop();
    await this.pools.stop();
    await this.#remove();
  }
}

/** The one result that there is. */
export function only({ results, stderr }: CniEnd): CniResult {
  const [result, ...more] = results;
  if (!result || more.length > 0) throw new Error(`${results.length} results\n${stderr}`);
  return result;
}

async function endOf(child: ChildProcess, results: readonly CniResult[]): Promise<CniEnd> {
  const closed = new Promise<Pick<CniEnd, 'code' | 'signal'>>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal });
    });
  });
  const stderr = await text(child.stderr!);
  return { ...(await closed), results, stderr };
}

/** Bundles the program once for the tests of a `describe`. Answers how each of them gets a world of its own. */
export function cniWorlds(): () => Promise<CniWorld> {
  let bundle: Awaited<ReturnType<typeof bundleStub>>;
  let world: CniWorld | undefined;
  before(async () => {
    bundle = await bundleStub('cni');
  });
  after(() => bundle.remove());
  afterEach(() => world?.stop());
  return async () => (world = await CniWorld.start(bundle.program));
}
