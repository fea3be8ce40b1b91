import type { FactOf, Moment } from '../model/facts.ts';
import type { CounterRecord, CounterRegression } from '../model/recorded-run.ts';

interface State {
  value: number;
  regressions: CounterRegression[];
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
      const state = ofNetwork.get(counter) ?? { value, regressions: [] };
      ofNetwork.set(counter, state);
      if (value < state.value && !shrinking)
        state.regressions.push({ atMs: at.atMs, from: state.value, to: value });
      state.value = value;
    }
  }

  /** Counters that differ from the number of nodes, as `network/counter=value`. */
  notEqualTo(nodes: number): readonly string[] {
    return this.#networks.flatMap((network) =>
      this.#expected.flatMap((counter) => {
        const value = this.#states.get(network)?.get(counter)?.value ?? 0;
        return value === nodes ? [] : [`${network}/${counter}=${value}`];
      }),
    );
  }

  /** What was recorded since the step began; the lists of regressions start anew. */
  takeRecords(): ReadonlyMap<string, ReadonlyMap<string, CounterRecord>> {
    return new Map(
      [...this.#states].map(([network, counters]) => [
        network,
        new Map(
          [...counters].map(([counter, state]) => {
            const { regressions } = state;
            state.regressions = [];
            return [counter, { final: state.value, regressions }];
          }),
        ),
      ]),
    );
  }
}
