import type { Sample } from '../metric-text.ts';

/** Counts requests to the API server by method and status, as client-go does: `<error>` is no answer. */
export class RequestCounts {
  readonly #samples = new Map<string, { readonly labels: Sample['labels']; value: number }>();

  count(method: string, status: number | undefined): void {
    const code = status === undefined ? '<error>' : String(status);
    const key = `${code} ${method}`;
    const sample = this.#samples.get(key) ?? { labels: { code, method }, value: 0 };
    sample.value += 1;
    this.#samples.set(key, sample);
  }

  samples(): readonly Sample[] {
    return [...this.#samples.values()];
  }
}
