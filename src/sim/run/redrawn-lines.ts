import pc from 'picocolors';
import type { Terminal } from '../host/terminal.ts';

/** Lines at the foot of a terminal that are drawn again and again in the same place. */
export class RedrawnLines {
  readonly #terminal: Terminal;
  #drawn = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  draw(lines: readonly string[]): void {
    const width = (this.#terminal.columns() || 80) - 1; // a pseudo terminal may say 0
    const cut = lines.map((line, i) => {
      const seen = line.slice(0, width);
      return i === 0 ? pc.bold(seen) : seen;
    });
    this.#terminal.raw(`${eraseLines(this.#drawn)}${cut.map((line) => `${line}\n`).join('')}`);
    this.#drawn = cut.length;
  }

  erase(): void {
    if (this.#drawn > 0) this.#terminal.raw(eraseLines(this.#drawn));
    this.#drawn = 0;
  }
}

/** Moves up over what was drawn and clears to the end of the screen. */
const eraseLines = (lines: number): string => (lines === 0 ? '' : `\u001b[${lines}F\u001b[0J`);
