import type { Clock } from '../base/clock.ts';
import { count } from '../base/text.ts';

const INTERVAL_MS = 5000;
const KEPT_LINES = 12;
/** `go build -v` prints the import path of each package that it compiles, and nothing else on that line. */
const PACKAGE = /^[\w.~/-]+$/;
const DOWNLOADING = /^go: downloading /;

/** Reads what go prints: counts it for people, and keeps what is neither a package nor a download for a failure. */
export class BuildProgress {
  readonly #clock: Clock;
  readonly #say: (line: string) => void;
  #saidAtMs: number;
  #modules = 0;
  #packages = 0;
  #total = 0;
  #others: string[] = [];

  constructor(clock: Clock, say: (line: string) => void) {
    this.#clock = clock;
    this.#say = say;
    this.#saidAtMs = clock.now();
  }

  /** How many packages the build will compile. */
  expect(packages: number): void {
    this.#total = packages;
  }

  read(line: string): void {
    if (PACKAGE.test(line)) {
      this.#packages++;
      this.#sayNowAndThen(
        () =>
          `building the toolchain: ${this.#packages.toLocaleString('en-US')} of about ${count(this.#total, 'package')}`,
      );
    } else if (DOWNLOADING.test(line)) {
      this.#modules++;
      this.#sayNowAndThen(
        () => `downloading the toolchain's source: ${count(this.#modules, 'Go module')} so far`,
      );
    } else if (line.trim() !== '') this.#others = [...this.#others, line].slice(-KEPT_LINES);
  }

  /** The last lines that tell of trouble. */
  get lastLines(): readonly string[] {
    return this.#others;
  }

  #sayNowAndThen(line: () => string): void {
    if (this.#clock.now() - this.#saidAtMs < INTERVAL_MS) return;
    this.#saidAtMs = this.#clock.now();
    this.#say(line());
  }
}
