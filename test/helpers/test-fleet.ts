import type { DaemonMutations } from '../../src/stubs/daemon/mutants.ts';
import { KubePools, NO_POOLS, type Pools } from '../../src/stubs/daemon/pools.ts';
import {
  callRecord,
  type CallRecord,
  type HostInterface,
} from '../../src/stubs/daemon/contract.ts';
import { CallLog } from '../../src/stubs/fleet/call-log.ts';
import { Fleet } from '../../src/stubs/fleet/fleet.ts';
import type { FleetNode } from '../../src/stubs/fleet/contract.ts';
import { monotonicClock } from '../../src/stubs/monotonic-clock.ts';
import { accessFromFile } from '../../src/sim/kube/access.ts';
import { KubeClient } from '../../src/sim/kube/client.ts';
import { Transport } from '../../src/sim/kube/transport.ts';
import { temporaryDirectory, writeKubeconfig } from './kubeconfig.ts';

const between = (from: number, to: number): number =>
  from + Math.floor(Math.random() * (to - from));

/** Loopback addresses and a port that other tests, and other runs of the tests, hardly use at the same time. */
export class Loopback {
  readonly port = between(20_000, 30_000);
  readonly #prefix = `127.${between(200, 250)}`;
  readonly #third = between(0, 200);

  address(index: number): string {
    return `${this.#prefix}.${this.#third + (index >> 8)}.${index & 255}`;
  }

  node(index: number, interfaces: readonly HostInterface[] = [nic('eth1', index)]): FleetNode {
    return { name: `sim-${index}`, address: this.address(index), interfaces: [...interfaces] };
  }

  url(index: number): string {
    return `http://${this.address(index)}:${this.port}`;
  }
}

export const nic = (interfaceName: string, index: number): HostInterface => ({
  interfaceName,
  netAddress: `10.${interfaceName.replace(/\D/g, '')}.0.0/16`,
  hostIP: `10.${interfaceName.replace(/\D/g, '')}.0.${index & 255}`,
  vendor: '1af4',
  product: '1000',
  pciAddress: '0000:00:04.0',
});

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A fleet inside the test's own process, with real sockets. */
export class TestFleet {
  readonly loopback = new Loopback();
  readonly log: CallLog;
  readonly fleet: Fleet;
  readonly #closing: (() => Promise<void>)[] = [];

  private constructor(pools: Pools, log: CallLog, mutations?: DaemonMutations) {
    const { port } = this.loopback;
    this.log = log;
    this.fleet = new Fleet({ port, pools, mutations, log, clock: monotonicClock });
  }

  static withoutCluster(log = new CallLog()): TestFleet {
    return new TestFleet(NO_POOLS, log);
  }

  /** Whose daemons find their pools at the URL. */
  static async withCluster(url: string, mutations?: DaemonMutations): Promise<TestFleet> {
    const directory = await temporaryDirectory();
    const access = await accessFromFile(await writeKubeconfig(directory.path, { server: url }));
    const transport = new Transport(access, { userAgent: 'test', timeoutMs: 5000 });
    const kube = new KubeClient(transport, {
      clock: monotonicClock,
      userAgent: 'test',
      retryBudgetMs: 300,
    });
    const test = new TestFleet(new KubePools(kube), new CallLog(), mutations);
    test.#closing.push(
      () => kube.close(),
      () => directory.remove(),
    );
    return test;
  }

  /** Puts daemons sim-1 … sim-N there. */
  async put(count: number): Promise<void> {
    const nodes = Array.from({ length: count }, (_, i) => this.loopback.node(i + 1));
    const { failed } = await this.fleet.put(nodes);
    if (failed.length > 0) throw new Error(failed[0]?.problem);
  }

  /** Calls the daemon of a node. A body that is no string is sent as JSON. */
  async call(index: number, path: string, body?: unknown, method?: string): Promise<Reply> {
    const response = await fetch(`${this.loopback.url(index)}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { 'content-type': 'application/json; charset=utf-8', connection: 'close' },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const { status, headers } = response;
    return { status, headers, body: isJson ? (JSON.parse(text) as unknown) : text };
  }

  /** The nth call record, as soon as that call is over. */
  async record(seq: number): Promise<CallRecord> {
    for await (const line of this.log.read(seq, 1)) return callRecord.parse(JSON.parse(line));
    throw new Error('the log was closed');
  }

  /** The records of all calls that are over. */
  async records(): Promise<readonly CallRecord[]> {
    const all: CallRecord[] = [];
    for (let seq = 1; seq <= this.log.last; seq++) all.push(await this.record(seq));
    return all;
  }

  async close(): Promise<void> {
    await this.fleet.close();
    for (const close of this.#closing) await close();
  }
}
