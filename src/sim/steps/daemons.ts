import { nodeName } from '../base/node-names.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { nodeAddress } from '../model/node-address.ts';
import type { DaemonPlan } from '../model/operator-profile.ts';

/** The same of every fake NIC: a virtio network card. */
const HARDWARE = { vendor: '1af4', product: '1000' };

/** The daemons of the fake nodes: each at its node's address, with its node's NICs. */
export class Daemons {
  readonly #fleet: Fleet;
  readonly #plan: DaemonPlan;
  readonly #network: string;

  constructor(fleet: Fleet, plan: DaemonPlan, network: string) {
    this.#fleet = fleet;
    this.#plan = plan;
    this.#network = network;
  }

  /** It can be dialled when this resolves. Throws SIM_ADDRESSES when somebody else has its address and port. */
  async start(node: number, signal: AbortSignal): Promise<void> {
    const interfaces = this.#plan.nics(node).map((nic, k) => ({
      ...nic,
      ...HARDWARE,
      pciAddress: `0000:00:${(k + 4).toString(16).padStart(2, '0')}.0`,
    }));
    const address = nodeAddress(this.#network, node);
    await this.#fleet.putNodes([{ name: nodeName(node), address, interfaces }], signal);
  }

  async end(node: number, signal: AbortSignal): Promise<void> {
    await this.#fleet.deleteNodes([nodeName(node)], signal);
  }
}
