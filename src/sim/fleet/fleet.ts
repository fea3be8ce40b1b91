import type * as z from 'zod';
import type { HostInterface } from '../../stubs/daemon/contract.ts';
import {
  deleteNodesReply,
  dropReply,
  fleetHealth,
  nodeState,
  putFaultsReply,
  putNodesReply,
  restartReply,
  type DaemonFault,
  type FleetHealth,
  type FleetNode,
  type NodeState,
} from '../../stubs/fleet/contract.ts';
import { SimError } from '../base/errors.ts';
import { lastLines } from '../base/text.ts';
import { pause, within } from '../base/wait.ts';
import { endProcesses } from '../host/end-processes.ts';
import type { Host } from '../host/host.ts';
import type { ChildHandle, ProcessExit, ProcessIdentity } from '../host/processes.ts';
import { CallStream, type CallHandler } from './call-stream.ts';
import type { ControlClient, ControlRequest } from './control-client.ts';

/** Short: a stopped run must have its report out within two seconds. */
const POLITE_MS = 500;
const END_TIMEOUT_MS = 2000;
/** How long whoever watches the process may take to notice that it has ended. */
const NOTICE_MS = 600;
const LOG_TAIL = 12;
const CAUGHT_UP_TIMEOUT_MS = 10_000;

type FleetHost = Pick<Host, 'processes' | 'files' | 'clock'>;

interface RunningFleet {
  readonly client: ControlClient;
  readonly child: ChildHandle;
  readonly identity: ProcessIdentity;
  readonly port: number;
  readonly logFile: string;
}

/** The process that is the daemons of all fake nodes, seen from sim. See src/stubs/fleet/contract.ts. */
export class Fleet {
  /** At which every daemon answers, on its node's address. */
  readonly port: number;
  /** Resolves when the process has ended, whoever ended it. */
  readonly exited: Promise<ProcessExit>;
  readonly #host: FleetHost;
  readonly #fleet: RunningFleet;
  readonly #streams: CallStream[] = [];

  constructor(host: FleetHost, fleet: RunningFleet) {
    this.#host = host;
    this.#fleet = fleet;
    this.port = fleet.port;
    this.exited = fleet.child.exited;
  }

  process(): ProcessIdentity {
    return this.#fleet.identity;
  }

  async logTail(lines: number): Promise<readonly string[]> {
    return lastLines((await this.#host.files.readTextIfAny(this.#fleet.logFile)) ?? '', lines);
  }

  /**
   * Daemons that shall be there; those that are there already begin anew. They can be called when it resolves. Throws
   * SIM_ADDRESSES, which names the nodes, when addresses cannot be had; the other nodes are there all the same.
   */
  async putNodes(nodes: readonly FleetNode[], signal?: AbortSignal): Promise<void> {
    await this.#send(putNodesReply, { method: 'PUT', path: '/nodes', body: { nodes }, signal });
  }

  /** Daemons that shall be gone, with their connections. Names of no daemon are passed over. */
  async deleteNodes(names: readonly string[], signal?: AbortSignal): Promise<void> {
    await this.#send(deleteNodesReply, {
      method: 'DELETE',
      path: '/nodes',
      body: { names },
      signal,
    });
  }

  /** What the daemon of a node has and was told; undefined when there is none. */
  node(name: string, signal?: AbortSignal): Promise<NodeState | undefined> {
    return this.#answered(this.#fleet.client.find(nodeState, nodePath(name), signal), signal);
  }

  /** Gives a daemon other NICs. It keeps its tables and connections. */
  async putInterfaces(
    name: string,
    interfaces: readonly HostInterface[],
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#send(nodeState, {
      method: 'PUT',
      path: `${nodePath(name)}/interfaces`,
      body: { interfaces },
      signal,
    });
  }

  /**
   * Gives daemons a fault in place of the one that they have; undefined heals. It is in force when this resolves. All
   * of the names must be those of daemons. Throws SIM_ADDRESSES when a daemon that refused cannot have its address
   * back.
   */
  async putFault(
    names: readonly string[],
    fault: DaemonFault | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    const body = { names, fault: fault ?? null };
    await this.#send(putFaultsReply, { method: 'PUT', path: '/faults', body, signal });
  }

  /** Breaks the connections to daemons that are open, and nothing else. */
  async dropConnections(names: readonly string[], signal?: AbortSignal): Promise<void> {
    await this.#send(dropReply, { method: 'POST', path: '/drop', body: { names }, signal });
  }

  /**
   * Ends the processes of daemons, which refuse for `downMs` milliseconds and are back when this resolves: with their
   * NICs, faults and routes, and nothing else that they knew. Throws SIM_ADDRESSES as `putFault` does.
   */
  async restartDaemons(
    names: readonly string[],
    { downMs }: { readonly downMs: number },
    signal?: AbortSignal,
  ): Promise<void> {
    const body = { names, downMs };
    await this.#send(restartReply, {
      method: 'POST',
      path: '/restart',
      body,
      signal,
      workMs: downMs,
    });
  }

  health(signal?: AbortSignal): Promise<FleetHealth> {
    return this.#send(fleetHealth, { method: 'GET', path: '/healthz', signal });
  }

  /** Tells of every call since the fleet began, and of those to come, until it is stopped. */
  calls(handler: CallHandler): CallStream {
    const stream = new CallStream(this.#fleet.client, this.#host.clock, handler);
    this.#streams.push(stream);
    return stream;
  }

  /** Resolves once the streams have told of every call that was over when this was asked. */
  async caughtUp(signal?: AbortSignal): Promise<void> {
    const { lastCall } = await this.health(signal);
    await Promise.all(
      this.#streams.map((stream) => stream.caughtUp(lastCall, CAUGHT_UP_TIMEOUT_MS, signal)),
    );
  }

  /** Ends the process, by force when it does not go by itself. */
  async stop(): Promise<void> {
    const { client, identity, child } = this.#fleet;
    await Promise.all(this.#streams.map((stream) => stream.stop()));
    this.#host.processes.signal(child.pid, 'SIGTERM', { group: true });
    await within(this.#host.clock, POLITE_MS, 'the end of the daemon fleet', child.exited).catch(
      () => undefined, // then by force
    );
    await endProcesses(this.#host, [identity], END_TIMEOUT_MS);
    await client.close();
  }

  #send<T>(shape: z.ZodType<T>, wanted: ControlRequest): Promise<T> {
    return this.#answered(this.#fleet.client.send(shape, wanted), wanted.signal);
  }

  /** A fleet that ends is noticed here first, but told best by who watches it: then the signal says why. */
  async #answered<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof SimError) || error.code !== 'SIM_CLUSTER_LOST') throw error;
      if (signal) await pause(this.#host.clock, NOTICE_MS, signal); // until it is told
      signal?.throwIfAborted();
      throw await this.#lost(error);
    }
  }

  async #lost(cause: SimError): Promise<SimError> {
    const { identity, logFile } = this.#fleet;
    const isRunning = await this.#host.processes.isRunning(identity);
    const state = isRunning ? 'is running' : 'has ended';
    const message = `${cause.message}; its process (pid ${identity.pid}) ${state}`;
    const details = await this.logTail(LOG_TAIL);
    return new SimError(cause.code, message, {
      cause,
      details,
      hint: `its whole log is ${logFile}`,
    });
  }
}

const nodePath = (name: string): string => `/nodes/${encodeURIComponent(name)}`;
