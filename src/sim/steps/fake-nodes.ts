import { nodeName } from '../base/node-names.ts';
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { Host } from '../host/host.ts';
import { nodeAddress } from '../model/node-address.ts';
import { loadTemplate, type Template } from '../templates/render.ts';

export interface FakeNodeSettings {
  readonly runId: string;
  /** The run's /16, `127.B.0.0/16`. */
  readonly network: string;
  readonly capacity: { readonly cpu: string; readonly memory: string; readonly pods: number };
  readonly labels: Readonly<Record<string, string>>;
  /** Whether nodes are Ready from the start, or become so by kwok. */
  readonly ready: 'at-create' | 'by-kwok';
}

interface NodeContext {
  readonly name: string;
  readonly run: string;
  readonly address: string;
  readonly cpu: string;
  readonly memory: string;
  readonly pods: string;
  readonly now: string;
}

interface NodeObject extends JsonObject {
  readonly metadata: JsonObject & { readonly labels: JsonObject };
  readonly status: JsonObject;
}

/** Makes the objects of fake nodes, complete in one call: an address set later would come too late for their pods. */
export class FakeNodes {
  readonly #template: Template<NodeContext>;
  readonly #settings: FakeNodeSettings;
  readonly #clock: Clock;

  private constructor(template: Template<NodeContext>, settings: FakeNodeSettings, clock: Clock) {
    this.#template = template;
    this.#settings = settings;
    this.#clock = clock;
  }

  static async load(host: Host, settings: FakeNodeSettings): Promise<FakeNodes> {
    return new FakeNodes(await loadTemplate(host, 'fake-node.yaml'), settings, host.clock);
  }

  object(index: number): JsonObject {
    const { runId, network, capacity, labels, ready } = this.#settings;
    const node = this.#template({
      name: nodeName(index),
      run: runId,
      address: nodeAddress(network, index),
      cpu: capacity.cpu,
      memory: capacity.memory,
      pods: String(capacity.pods),
      now: `${new Date(this.#clock.wallMs()).toISOString().slice(0, 19)}Z`,
    }) as unknown as NodeObject;
    const { conditions, ...status } = node.status;
    return {
      ...node,
      metadata: { ...node.metadata, labels: { ...labels, ...node.metadata.labels } },
      status: ready === 'at-create' ? { ...status, conditions: conditions ?? [] } : status,
    };
  }
}
