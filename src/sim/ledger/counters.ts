import type { FactOf, Moment } from '../model/facts.ts';
import type { CounterPoint, CounterRecord, CounterRegression } from '../model/recorded-run.ts';
import { thinned } from './curve.ts';

interface State {
  value: number;
  regressions: CounterRegression[];
  curve: CounterPoint[];
}

/** What the operator reports at one moment. */
export interface CounterValue {
  readonly network: string;
  readonly counter: string;
  readonly value: number;
}

/** The counters that the operator reports, and where they went back. */
export class Counters {
  readonly #expected: readonly string[];
  readonly #networks: readonly string[];
  readonly #states = new Map<string, Map<string, State>>();

  constructor(networks: readonly string[], expected: readonly string[]) {
    this.#networks = networks;
    this.#expected = expected;
  }

  /** Takes in new values. A fall while the number of nodes shrinks is no regression. */
  update(facts: readonly FactOf<'counter'>[], at: Moment, shrinking: boolean): void {
    for (const { network, counter, value } of facts) {
      const ofNetwork = this.#states.get(network) ?? new Map<string, State>();
      this.#states.set(network, ofNetwork);
      const state = ofNetwork.get(counter) ?? { value, regressions: [], curve: [] };
      ofNetwork.set(counter, state);
      if (value < state.value && !shrinking)
        state.regressions.push({ atMs: at.atMs, from: state.value, to: value });
      if (state.curve.at(-1)?.[1] !== value) state.curve.push([at.atMs, value]);
      state.value = value;
    }
  }

  /** The value of each expected counter, by network; 0 where none was reported yet. */
  values(): readonly CounterValue[] {
    return this.#networks.flatMap((network) =>
      this.#expected.map((counter) => ({
        network,
        counter,
        value: this.#states.get(network)?.get(counter)?.value ?? 0,
      })),
    );
  }

  /**
   * Counters that differ from the number of nodes, as `network/counter=value`. Where fewer fit than there are, an
   * operator may count those that it has served.
   */
  notEqualTo(nodes: number, fitting = nodes): readonly string[] {
    return this.values().flatMap(({ network, counter, value }) =>
      value >= fitting && value <= nodes ? [] : [`${network}/${counter}=${value}`],
    );
  }

  /** What was recorded since the step began. Regressions start anew, and curves with the value that stands. */
  takeRecords(): ReadonlyMap<string, ReadonlyMap<string, CounterRecord>> {
    return new Map(
      [...this.#states].map(([network, counters]) => [
        network,
        new Map(
          [...counters].map(([counter, state]) => {
            const { regressions, curve } = state;
            state.regressions = [];
            state.curve = curve.slice(-1);
            return [counter, { final: state.value, regressions, curve: thinned(curve) }];
          }),
        ),
      ]),
    );
  }
}
