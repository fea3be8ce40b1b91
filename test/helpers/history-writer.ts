import { sameJson } from '../../src/sim/base/json.ts';
import { runMs, type RunMs } from '../../src/sim/base/units.ts';
import { RunFold } from '../../src/sim/ledger/run-fold.ts';
import {
  parseHistoryLine,
  type Observation,
  type ObservationOf,
} from '../../src/sim/model/history.ts';
import type { RecordedRun } from '../../src/sim/model/recorded-run.ts';
import { environment, headerFor } from './history-header.ts';
import type { Planned } from './planned-scenario.ts';

type Details<K extends Observation['kind']> = Omit<ObservationOf<K>, 'kind'>;

/**
 * A recording made by hand. Every entry is written as a line, read back through the real schema and given to the
 * real fold of the real plan, so that an entry which sim could not have written cannot be built. Time stands still
 * between two calls of `at`.
 */
export class HistoryWriter {
  readonly planned: Planned;
  readonly fold: RunFold;
  readonly #lines: string[] = [];
  #lost = 0;
  #atMs = 0;

  constructor(given: Planned) {
    this.planned = given;
    this.fold = new RunFold(given.plan, given.model);
    this.record(headerFor(given));
  }

  get now(): RunMs {
    return runMs(this.#atMs);
  }

  /** What follows happens then. */
  at(ms: number): this {
    if (ms < this.#atMs) throw new RangeError(`time goes back from ${this.#atMs} to ${ms}`);
    this.#atMs = ms;
    return this;
  }

  record(observation: Observation): this {
    const written = { ...observation, seq: this.#seq, atMs: this.#atMs };
    const line = JSON.stringify(written);
    const read = parseHistoryLine(line);
    if (!('known' in read)) throw new Error(`unknown kind in ${line}`);
    if (!sameJson(read.known, JSON.parse(line)))
      throw new Error(`the schema does not keep all of ${line}`);
    this.#lines.push(line);
    this.fold.apply(read.known);
    return this;
  }

  /** A line of a kind that only a later version knows. */
  unknown(kind: string): this {
    const seq = this.#seq;
    this.#lines.push(JSON.stringify({ kind, seq, atMs: this.#atMs }));
    this.fold.passOver(kind, seq);
    return this;
  }

  /** Entries that were numbered and are not in the recording. */
  lost(entries = 1): this {
    this.#lost += entries;
    return this;
  }

  /** The environment, and a controller that is ready. */
  ready(): this {
    return this.record(environment).controller('ready', { pid: 100 });
  }

  controller(
    event: ObservationOf<'controller'>['event'],
    details: Omit<Details<'controller'>, 'event'> = {},
  ): this {
    return this.record({ kind: 'controller', event, ...details });
  }

  canary(changes: Partial<Details<'canary'>> = {}): this {
    return this.record({
      kind: 'canary',
      observationMs: 5,
      writeMs: 3,
      loopDelayMs: 1,
      ...changes,
    });
  }

  /** What sim and the controller have used so far: the controller half of it, and sim a tenth. */
  usage(cpuMs: number): this {
    const sample = (component: string, pid: number, share: number) => ({
      component,
      pid,
      cpuMs: cpuMs * share,
      rssBytes: pid * 2 ** 20,
    });
    return this.record({
      kind: 'usage',
      samples: [sample('sim', 50, 0.1), sample('controller', 100, 0.5)],
    });
  }

  /** What the controller asked of the API server during a step. */
  api(step: string, requests: number): this {
    const row = {
      user: 'kube-controller-manager',
      userAgent: 'kcm',
      verb: 'patch',
      resource: 'nodes',
    };
    return this.record({
      kind: 'api',
      step,
      source: 'audit-log',
      rows: [{ ...row, requests, conflicts: 1, throttled: 0, failed: 0 }],
      latencyMs: { p50: 2, p99: 9, max: 20 },
    });
  }

  /** A watch that was lost some time ago is up again now. */
  gap(fromMs: number, resource = 'nodes'): this {
    return this.record({ kind: 'gap', resource, reason: '410 Gone', fromMs });
  }

  end(reason: ObservationOf<'end'>['reason'] = 'completed', code?: string): this {
    return this.record({ kind: 'end', reason, ...(code === undefined ? {} : { code }) });
  }

  result(): RecordedRun {
    return this.fold.result();
  }

  /** The recording as JSONL. */
  toLines(): readonly string[] {
    return this.#lines;
  }

  get #seq(): number {
    return this.#lines.length + this.#lost;
  }
}
