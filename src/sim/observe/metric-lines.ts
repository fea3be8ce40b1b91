/** One value of Prometheus' text format. */
export interface MetricLine {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
/** `name{label="value"} 1 1700000000000`: the time at the end is rarely there. */
const LINE =
  /^([a-zA-Z_:][\w:]*)\s*(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?\s+(\S+)(?:\s+-?\d+)?\s*$/;

/**
 * The values of some metrics in a text of Prometheus' format. What is no finite number, and what is no line of the
 * format, is passed over.
 */
export function* metricLines(text: string, names: ReadonlySet<string>): Generator<MetricLine> {
  for (const line of text.split('\n')) {
    if (!names.has(/^[\w:]*/.exec(line)?.[0] ?? '')) continue;
    const [, name, labels = '', number] = LINE.exec(line) ?? [];
    const value = Number(number);
    if (name !== undefined && Number.isFinite(value))
      yield { name, labels: labelsOf(labels), value };
  }
}

const labelsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(text.matchAll(LABEL), ([, name = '', value = '']) => [name, unescaped(value)]),
  );

const unescaped = (value: string): string =>
  value.replaceAll(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
