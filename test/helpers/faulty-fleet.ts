import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { DaemonFault } from '../../src/stubs/fleet/contract.ts';
import { ControlApi } from './control-api.ts';
import { FakeIpPools } from './fake-ip-pools.ts';
import { TestFleet } from './test-fleet.ts';

type Answer = Awaited<ReturnType<ControlApi['send']>>;

/** The daemons sim-1 and sim-2, what makes them fail, and a server that has their pools. */
export class FaultyFleet {
  readonly cluster: FakeIpPools;
  readonly test: TestFleet;
  readonly api: ControlApi;

  private constructor(cluster: FakeIpPools, test: TestFleet, api: ControlApi) {
    this.cluster = cluster;
    this.test = test;
    this.api = api;
  }

  static async start(): Promise<FaultyFleet> {
    const cluster = await FakeIpPools.start();
    const test = await TestFleet.withCluster(cluster.url);
    await test.put(2);
    return new FaultyFleet(cluster, test, await ControlApi.start(test));
  }

  /** Of sim-1, unless others are named. */
  fault(fault: DaemonFault | null, ...names: readonly string[]): Promise<Answer> {
    return this.api.send('PUT', '/faults', { names: names.length > 0 ? names : ['sim-1'], fault });
  }

  heal(): Promise<Answer> {
    return this.fault(null);
  }

  /** What sim-1 answers. */
  async statusOf(path: string, body?: unknown): Promise<number> {
    return (await this.test.call(1, path, body)).status;
  }

  /** The system's word for why sim-1 did not answer. */
  trouble(): Promise<unknown> {
    return this.test.call(1, '/interface').then(
      ({ status }) => `answered with ${status}`,
      (error: unknown) => (error as { cause?: { code?: unknown } }).cause?.code,
    );
  }

  async dial(index: number): Promise<Socket> {
    const socket = connect(this.test.loopback.port, this.test.loopback.address(index));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.test.close();
    await this.cluster.stop();
  }
}
