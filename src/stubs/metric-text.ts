/** One line of Prometheus' text format, for each set of labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric in Prometheus' text format. Three lines by hand are less than a library that has to be told to forget. */
export function metricText(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function labelText(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
