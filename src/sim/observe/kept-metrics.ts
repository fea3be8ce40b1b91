import { KEPT_METRICS } from '../model/controller-metric.ts';
import { metricLines, type MetricLine } from './metric-lines.ts';

const NAMES = new Set<string>(Object.values(KEPT_METRICS));
const KEPT_LABELS = ['name', 'controller', 'result', 'code', 'method'] as const;
/** Of each metric. What has further labels is added up under none, so that the sums stay right. */
const MOST_SERIES = 64;

/** What is recorded of a controller's metrics, summed over the labels that are not kept. */
export function keptMetrics(text: string): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  const series = new Map<string, number>();
  for (const line of metricLines(text, NAMES)) {
    const key = keyOf(line);
    const known = series.get(line.name) ?? 0;
    const isNew = !sums.has(key);
    const place = isNew && known >= MOST_SERIES ? line.name : key;
    if (isNew) series.set(line.name, known + 1);
    sums.set(place, (sums.get(place) ?? 0) + line.value);
  }
  return Object.fromEntries(sums);
}

function keyOf({ name, labels }: MetricLine): string {
  const pairs = KEPT_LABELS.flatMap((label) => {
    const value = labels.get(label);
    return value === undefined ? [] : [`${label}=${JSON.stringify(value)}`];
  });
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
}
