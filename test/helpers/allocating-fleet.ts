import { expect } from 'chai';
import { addressReply, type AddressRequest } from '../../src/stubs/daemon/contract.ts';
import type { DaemonMutations } from '../../src/stubs/daemon/mutants.ts';
import { FakeIpPools, type PoolSettings, type Row } from './fake-ip-pools.ts';
import { TestFleet, type Reply } from './test-fleet.ts';

export const row = (pod: string, index: number): Row => ({
  pod,
  namespace: 'ns',
  index,
  address: `192.168.0.${index}`,
});

/** The daemons sim-1 and sim-2, and a server that has their pools. */
export class AllocatingFleet {
  readonly cluster: FakeIpPools;
  readonly test: TestFleet;

  private constructor(cluster: FakeIpPools, test: TestFleet) {
    this.cluster = cluster;
    this.test = test;
  }

  static async start(mutations?: DaemonMutations): Promise<AllocatingFleet> {
    const cluster = await FakeIpPools.start();
    const test = await TestFleet.withCluster(cluster.url, mutations);
    await test.put(2);
    return new AllocatingFleet(cluster, test);
  }

  /** A /26 for an interface of sim-1, named after the third byte of its addresses. */
  pool(nic: string, third = 0, more: Partial<PoolSettings> = {}): string {
    return this.cluster.put({ host: 'sim-1', nic, podCIDR: `192.168.${third}.0/26`, ...more });
  }

  ask(path: string, pod: string, more: Partial<AddressRequest> = {}, node = 1): Promise<Reply> {
    const request = { pod, namespace: 'ns', host: '', def: 'net', masters: ['eth1'], ...more };
    return this.test.call(node, path, request);
  }

  /** The addresses in the reply, by interface; null when it is null. */
  async addresses(...args: Parameters<AllocatingFleet['ask']>): Promise<unknown> {
    const { status, body } = await this.ask(...args);
    expect(status).to.equal(200);
    const reply = addressReply.parse(body);
    return reply && Object.fromEntries(reply.map((one) => [one.interface, one.ip]));
  }

  async stop(): Promise<void> {
    await this.test.close();
    await this.cluster.stop();
  }
}
