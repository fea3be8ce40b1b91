import { runCli } from '../../src/sim/cli.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import type { StopSignal } from '../../src/sim/host/signals.ts';
import type { Terminal } from '../../src/sim/host/terminal.ts';
import { eventually } from './eventually.ts';
import { ROOT } from './sim-process.ts';

/** Once: it listens to the standard streams. */
const HOST = realHost(ROOT);

/** A command line in the test's own process, with a terminal and signals of the test's. */
export class CommandLine {
  readonly out: string[] = [];
  readonly err: string[] = [];
  /** What was drawn. */
  drawn = '';
  /** Whether a person looks on. */
  isLive = false;
  /** Whether somebody still reads the result. */
  isOutRead = true;
  readonly #listeners = new Set<(signal: StopSignal) => void>();

  /** Answers the exit code. */
  run(...args: readonly string[]): Promise<number> {
    return runCli(
      {
        ...HOST,
        terminal: this.#terminal(),
        signals: {
          onStop: (listener) => {
            this.#listeners.add(listener);
            return () => this.#listeners.delete(listener);
          },
        },
      },
      args,
    );
  }

  stop(signal: StopSignal): void {
    for (const listener of this.#listeners) listener(signal);
  }

  /** Resolves once a line of the result, or one on standard error, is there. */
  says(pattern: RegExp): Promise<string> {
    return eventually(String(pattern), () =>
      [...this.out, ...this.err].find((line) => pattern.test(line)),
    );
  }

  #terminal(): Terminal {
    return {
      out: (line) => this.out.push(line),
      err: (line) => this.err.push(line),
      raw: (text) => {
        this.drawn += text;
      },
      isLive: this.isLive,
      isOutLive: this.isLive,
      isOutRead: () => this.isOutRead,
      columns: () => 100,
      color: false,
    };
  }
}
