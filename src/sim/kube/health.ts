import { Agent, request } from 'undici';
import { reasonOf } from '../base/errors.ts';

const TIMEOUT_MS = 2000;

export interface Health {
  readonly ok: boolean;
  /** The answer, or why there was none. */
  readonly detail: string;
}

/** Asks one HTTPS health endpoint, again and again, over the same connection once there is one. */
export class HealthProbe {
  readonly #url: string;
  readonly #agent: Agent;

  /** The certificate is checked against `ca`; without one it is not checked. */
  constructor(url: string, ca: string | undefined) {
    this.#url = url;
    const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
    this.#agent = new Agent({
      connect: { ...trust, timeout: TIMEOUT_MS },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
  }

  /** Never rejects: no answer is an answer. */
  async ask(): Promise<Health> {
    try {
      const { statusCode, body } = await request(this.#url, { dispatcher: this.#agent });
      const text = await body.text();
      return { ok: statusCode === 200, detail: `${statusCode} ${text}`.trim() };
    } catch (error) {
      return { ok: false, detail: reasonOf(error) };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
