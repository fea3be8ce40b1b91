const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};
const PATTERN = /^(\d+(?:\.\d+)?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/;

/** A Kubernetes quantity (`100m`, `256Gi`, `4`) as a number; undefined when the text is none. */
export function parseQuantity(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * (FACTORS[match[2] ?? ''] ?? NaN);
}

/** Bytes for people, in binary units: `97.2Mi`. */
export function formatBytes(bytes: number): string {
  for (const unit of ['Ti', 'Gi', 'Mi', 'Ki'] as const) {
    const factor = FACTORS[unit] ?? 1;
    if (bytes >= factor) return `${(bytes / factor).toFixed(1)}${unit}`;
  }
  return `${bytes}B`;
}
