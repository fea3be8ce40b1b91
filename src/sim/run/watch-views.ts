import { runMs, type RunMs } from '../base/units.ts';
import type { Terminal } from '../host/terminal.ts';
import { printable } from '../report/format.ts';
import { stampedLine } from './stamped-line.ts';
import { RedrawnLines } from './redrawn-lines.ts';
import {
  networkJson,
  networkLine,
  tableLines,
  type Columns,
  type ShownNetwork,
} from './watched-network.ts';

const LOG_EVERY_MS = 1000;

/** How a watched cluster is shown. */
export interface WatchView {
  /** Shows how the networks stand. With `isLast`, whatever was held back too. */
  show(networks: readonly ShownNetwork[], now: RunMs, isLast: boolean): void;
  /** Says something once. */
  note(text: string, now: RunMs): void;
}

/** A table that is redrawn in place. What is noted stays above it; the last table stays, too. */
export function watchTable(terminal: Terminal, columns: Columns): WatchView {
  const lines = new RedrawnLines(terminal);
  return {
    show(networks, now) {
      lines.draw(tableLines(networks, columns, now));
    },
    note(text, now) {
      lines.erase();
      terminal.err(stampedLine(now, printable(text)));
    },
  };
}

/** A line for each network that has changed, at most once a second. Notes go to standard error. */
export class WatchLog implements WatchView {
  readonly #terminal: Terminal;
  readonly #columns: Columns;
  readonly #asJson: boolean;
  /** What was shown last, by network. */
  #shown = new Map<string, string>();
  #shownAt = -LOG_EVERY_MS;

  constructor(terminal: Terminal, columns: Columns, options: { readonly asJson: boolean }) {
    this.#terminal = terminal;
    this.#columns = columns;
    this.#asJson = options.asJson;
  }

  show(networks: readonly ShownNetwork[], now: RunMs, isLast: boolean): void {
    if (!isLast && now - this.#shownAt < LOG_EVERY_MS) return;
    const states = new Map(networks.map((one) => [one.network, this.#stateOf(one)]));
    for (const name of this.#shown.keys()) if (!states.has(name)) this.note(`${name}: gone`, now);
    for (const one of networks) {
      if (states.get(one.network) === this.#shown.get(one.network)) continue;
      this.#terminal.out(this.#text(one, now));
      this.#shownAt = now;
    }
    this.#shown = states;
  }

  note(text: string, now: RunMs): void {
    this.#terminal.err(stampedLine(now, printable(text)));
  }

  #text(network: ShownNetwork, now: RunMs): string {
    return this.#asJson
      ? JSON.stringify(networkJson(network, this.#columns, now))
      : stampedLine(now, printable(networkLine(network, this.#columns)));
  }

  /** Without what changes by itself as time goes on. */
  #stateOf(network: ShownNetwork): string {
    return JSON.stringify({
      ...networkJson(network, this.#columns, runMs(0)),
      perSecond: 0,
    });
  }
}
