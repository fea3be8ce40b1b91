import { Agent, request } from 'undici';
import type * as z from 'zod';
import type { Clock } from '../../sim/base/clock.ts';
import { reasonOf } from '../../sim/base/errors.ts';
import { addressReply, selectReply, type GrantedAddress } from '../daemon/contract.ts';
import type { CniPlan, PlannedPod } from './contract.ts';

type Network = PlannedPod['networks'][number];

/** A call that was given up. */
export class CallFailed extends Error {
  readonly retries: number;

  constructor(message: string, retries: number) {
    super(message);
    this.name = 'CallFailed';
    this.retries = retries;
  }
}

/** An answer, and how often the call had to be repeated for it. */
export interface Answered<T> {
  readonly answer: T;
  readonly retries: number;
}

/** Calls to the daemons, each tried as often as the plan says. Throws CallFailed. */
export class DaemonCalls {
  readonly #plan: Pick<CniPlan, 'attempts' | 'pauseMs' | 'timeoutMs'>;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #agent: Agent;

  constructor(plan: CniPlan, clock: Clock, signal: AbortSignal) {
    this.#plan = plan;
    this.#clock = clock;
    this.#signal = signal;
    const { timeoutMs } = plan;
    this.#agent = new Agent({
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: { timeout: timeoutMs },
      keepAliveTimeout: 1000,
    });
  }

  /** The names of the NICs that the pod shall use. */
  async select(pod: PlannedPod, network: Network): Promise<Answered<readonly string[]>> {
    const body = { ...names(pod, network), masterNets: network.masterNets };
    const { answer, retries } = await this.#call(pod, '/select', body, selectReply);
    return { answer: answer.masters, retries };
  }

  /** An empty answer is an error of the plugin, and asked for again. */
  allocate(
    pod: PlannedPod,
    network: Network,
    masters: readonly string[],
  ): Promise<Answered<readonly GrantedAddress[]>> {
    return this.#addresses(pod, '/allocate', { ...names(pod, network), masters }, true);
  }

  deallocate(pod: PlannedPod, network: Network): Promise<Answered<readonly GrantedAddress[]>> {
    return this.#addresses(pod, '/deallocate', names(pod, network), false);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #addresses(
    pod: PlannedPod,
    path: string,
    body: object,
    isRepeatedWhenEmpty: boolean,
  ): Promise<Answered<readonly GrantedAddress[]>> {
    const { answer, retries } = await this.#call(
      pod,
      path,
      body,
      addressReply,
      (reply) => isRepeatedWhenEmpty && (reply ?? []).length === 0,
    );
    return { answer: answer ?? [], retries };
  }

  async #call<T>(
    { address }: PlannedPod,
    path: string,
    body: object,
    shape: z.ZodType<T>,
    isWanting: (answer: T) => boolean = () => false,
  ): Promise<Answered<T>> {
    const { attempts, pauseMs } = this.#plan;
    for (let retries = 0; ; retries++) {
      const isLast = retries + 1 >= attempts;
      try {
        const answer = await this.#send(address, path, body, shape);
        if (isLast || !isWanting(answer)) return { answer, retries };
      } catch (error) {
        const reason = `POST ${path} on ${address}: ${reasonOf(error)}`;
        if (isLast || this.#signal.aborted) throw new CallFailed(reason, retries);
      }
      await this.#clock.sleep(pauseMs, this.#signal).catch(() => undefined); // the next call says it
    }
  }

  async #send<T>(address: string, path: string, body: object, shape: z.ZodType<T>): Promise<T> {
    const response = await request(`http://${address}${path}`, {
      method: 'POST',
      dispatcher: this.#agent,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json; charset=utf-8' },
      signal: this.#signal,
    });
    const text = await response.body.text();
    if (response.statusCode !== 200)
      throw new Error(`${response.statusCode} ${text.slice(0, 200)}`);
    const parsed = shape.safeParse(JSON.parse(text));
    if (!parsed.success) throw new Error(`an answer of another shape: ${text.slice(0, 200)}`);
    return parsed.data;
  }
}

const names = ({ node: host, namespace, pod }: PlannedPod, { name: def }: Network) => ({
  pod,
  namespace,
  host,
  def,
});
