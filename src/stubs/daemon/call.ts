import type { Request, Response } from 'express';
import type { Clock } from '../../sim/base/clock.ts';
import { reasonOf } from '../../sim/base/errors.ts';
import { roundMs } from '../../sim/base/units.ts';
import type { CallDetail, CallRecord } from './contract.ts';
import type { Daemon } from './daemon.ts';
import { Refusal } from './refusal.ts';

export type UnnumberedCall = Omit<CallRecord, 'seq'>;

/** What a handler answers with status 200. */
export interface Answer {
  /** Sent as JSON, or as it is when it says so. */
  readonly reply: unknown;
  readonly isText?: true;
  readonly detail: CallDetail | null;
}

const LONGEST_PATH = 200;
const LONGEST_PROBLEM = 500;

export interface CallContext {
  readonly daemon: Daemon | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly record: (call: UnnumberedCall) => void;
}

/**
 * One call, from its head until the reply is out or the connection broken. It is recorded when both that and its
 * handler are over: a caller that does not wait for its address may get it all the same.
 */
export class Call {
  readonly daemon: Daemon | undefined;
  /** Without the query and without a slash at the end. */
  readonly path: string;
  /** The name of what keeps the daemon from treating it as a healthy one would. */
  fault: string | undefined;
  /** Of the body. What the head promised, until the body has been read. */
  requestBytes: number;
  readonly #context: CallContext;
  readonly #request: Request;
  readonly #response: Response;
  readonly #atMs: number;
  #detail: CallDetail | null = null;
  #isHandled = false;
  /** Node.js takes an answer for sent that was written to a connection that is gone. */
  #isUnsent = false;
  #end: { readonly status: number; readonly atMs: number } | undefined;

  constructor(request: Request, response: Response, context: CallContext) {
    this.daemon = context.daemon;
    this.#context = context;
    this.#request = request;
    this.#response = response;
    this.path = (request.path.replace(/\/$/, '') || '/').slice(0, LONGEST_PATH);
    this.#atMs = context.clock.now();
    this.requestBytes = Number(request.headers['content-length'] ?? 0);
    response.once('close', () => {
      const isSent = response.writableFinished && !this.#isUnsent;
      const status = isSent ? response.statusCode : 0;
      this.#end = { status, atMs: context.clock.now() };
      this.#recordIfOver();
    });
  }

  /** Runs the handler and sends its answer. A call that was recorded already does nothing any more. */
  async handle(handler: () => Answer | Promise<Answer>): Promise<void> {
    if (this.#end) return;
    this.#isHandled = true;
    try {
      const { reply, isText, detail } = await handler();
      this.#detail = detail;
      this.#isUnsent = this.#request.socket.destroyed;
      if (isText) this.#response.type('text/plain').send(String(reply));
      else this.#response.json(reply);
    } catch (error) {
      this.fail(error);
    } finally {
      this.#isHandled = false;
      this.#recordIfOver();
    }
  }

  /** Answers with what was wrong: 4xx when it was the request, else 500. */
  fail(error: unknown): void {
    if (this.#end && !this.#isHandled) return; // recorded already, and nobody is listening
    this.#isUnsent = this.#request.socket.destroyed;
    const isRefused = error instanceof Refusal;
    if (isRefused && this.#isUnsent) return; // a body that broke off is nobody's mistake
    const problem = reasonOf(error).slice(0, LONGEST_PROBLEM);
    this.#detail = { kind: isRefused ? 'refused' : 'failed', problem };
    if (this.#response.headersSent) return;
    if (isRefused && error.allow !== undefined) this.#response.set('Allow', error.allow);
    this.#response.status(isRefused ? error.status : 500).json({ error: problem });
  }

  #recordIfOver(): void {
    if (!this.#end || this.#isHandled) return;
    const { status, atMs } = this.#end;
    this.daemon?.counts.add(this.path, status);
    this.#context.record({
      atMs: roundMs(this.#atMs),
      node: this.daemon?.name ?? '',
      method: this.#request.method,
      path: this.path,
      status,
      durationMs: roundMs(atMs - this.#atMs),
      requestBytes: this.requestBytes,
      replyBytes: status === 0 ? 0 : Number(this.#response.getHeader('content-length') ?? 0),
      detail: this.#detail,
      ...(this.fault === undefined ? {} : { fault: this.fault }),
    });
  }
}
