import type { Request, Response } from 'express';
import type { Clock } from '../../sim/base/clock.ts';
import type { DaemonFault } from '../fleet/contract.ts';
import { delays } from './delays.ts';

/** A call that has come to a daemon. Nothing of its body has been read. */
export interface ArrivedCall {
  readonly request: Request;
  readonly response: Response;
  /** As the contract writes it. */
  readonly path: string;
}

/**
 * How a daemon treats its callers, consulted before its handlers. Faults are other behaviours than HEALTHY: one that
 * waits before it proceeds is slow, one that never does hangs, one that answers by itself or breaks
 * `request.socket` leaves the handlers out. What becomes of the call is recorded in any case.
 */
export interface Behaviour {
  /** Recorded with the calls that it treats. */
  readonly name: string;
  /** The only paths that it concerns; on others the daemon is healthy. Undefined: all. */
  readonly paths?: readonly string[] | undefined;
  /** Whether nothing listens at the daemon's address. */
  readonly refusesConnections?: true;
  /** Calls `proceed` to let the handlers answer, at once, later or never. */
  intercept(call: ArrivedCall, proceed: () => void): void;
  /** Another behaviour takes its place: what becomes of calls that it keeps waiting. */
  end?(): void;
}

export const HEALTHY: Behaviour = {
  name: 'healthy',
  intercept: (_call, proceed) => {
    proceed();
  },
};

/** Whom a fault befalls. */
interface Victim {
  readonly name: string;
  readonly clock: Pick<Clock, 'sleep'>;
}

type Kind = DaemonFault['kind'];
type Treatment = Omit<Behaviour, 'name'>;
type Treatments = {
  readonly [K in Kind]: (fault: Extract<DaemonFault, { kind: K }>, victim: Victim) => Treatment;
};

/** What the endpoints that `empty` concerns answer when there is nothing to tell. */
const NOTHING: Readonly<Record<string, unknown>> = {
  '/interface': [],
  '/select': { deviceIDs: [], masters: [] },
  '/allocate': null,
};

const TREATMENTS: Treatments = {
  latency: (fault, { name, clock }) => {
    const nextDelay = delays(fault, name);
    return {
      intercept: ({ response }, proceed) => {
        const gone = new AbortController();
        response.once('close', () => {
          gone.abort();
        });
        void clock.sleep(nextDelay(), gone.signal).then(proceed, () => undefined); // nobody waits any more
      },
    };
  },
  hang: () => {
    const waiting = new Set<Response>();
    return {
      intercept: ({ request, response }) => {
        waiting.add(response);
        response.once('close', () => waiting.delete(response));
        request.resume(); // who has a body left to send could not be seen to give up
      },
      end: () => {
        for (const { req } of waiting) req.socket.destroy();
      },
    };
  },
  refuse: () => ({ ...HEALTHY, refusesConnections: true }),
  reset: () => ({
    intercept: ({ request }) => {
      request.socket.resetAndDestroy();
    },
  }),
  error: ({ status }) => ({
    intercept: ({ response }) => {
      response.status(status).json({ error: `a fault: status ${status}` });
    },
  }),
  malformed: () => ({
    intercept: ({ response }) => {
      response.type('json').send('{"malformed":');
    },
  }),
  empty: () => ({
    paths: Object.keys(NOTHING),
    intercept: ({ response, path }) => {
      response.json(NOTHING[path]);
    },
  }),
};

/** How a daemon with the fault treats its callers. */
export function behaviourOf(fault: DaemonFault, victim: Victim): Behaviour {
  const treatment = treat(fault, victim);
  const { kind: name } = fault;
  const paths = ('paths' in fault ? fault.paths : undefined) ?? treatment.paths;
  return { ...treatment, name, paths };
}

const treat = <K extends Kind>(
  fault: Extract<DaemonFault, { kind: K }> & { readonly kind: K },
  victim: Victim,
): Treatment => TREATMENTS[fault.kind](fault, victim);
