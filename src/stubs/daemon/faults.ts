import type { Request, Response } from 'express';

/** A call that has come to a daemon. Nothing of its body has been read. */
export interface ArrivedCall {
  readonly request: Request;
  readonly response: Response;
}

/**
 * How a daemon treats its callers, consulted before its handlers. Faults are other behaviours than HEALTHY: one that
 * waits before it proceeds is slow, one that never does hangs, one that answers by itself or breaks
 * `request.socket` leaves the handlers out. What becomes of the call is recorded in any case.
 */
export interface Behaviour {
  /** Shown by the control API. */
  readonly name: string;
  /** Calls `proceed` to let the handlers answer, at once, later or never. */
  intercept(call: ArrivedCall, proceed: () => void): void;
}

export const HEALTHY: Behaviour = {
  name: 'healthy',
  intercept: (_call, proceed) => {
    proceed();
  },
};
