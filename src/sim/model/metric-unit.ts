import { formatDuration, parseDuration } from '../base/duration.ts';
import { formatBytes, parseQuantity } from '../base/quantity.ts';

/** What a value is measured in, which decides how it is written in a scenario and printed in a report. */
export type MetricUnit = 'ms' | 'bytes' | 'cores' | 'per-second' | 'number';

interface UnitRow {
  /** Completes "all(cidr) is …". */
  readonly is: string;
  /** Completes "expected …". */
  readonly written: string;
  /** Undefined when the text is not of this unit. */
  readonly read: (text: string) => number | undefined;
  /** For people, rounded. */
  readonly format: (value: number) => string;
  /** With enough digits to tell it from a limit that is nearly the same. */
  readonly exact: (value: number) => string;
}

/** A quantity, of which only some suffixes make sense: half a thousandth of a node does not. */
const quantityWith =
  (suffix: RegExp) =>
  (text: string): number | undefined =>
    suffix.test(text.replace(/^[\d.]+/, '')) ? parseQuantity(text) : undefined;

const plainNumber = quantityWith(/^[kMGT]?$/);
const sixDigits = (value: number): string => String(Number(value.toPrecision(6)));
const twoDecimals = (value: number): string => String(Number(value.toFixed(2)));

const UNITS: Readonly<Record<MetricUnit, UnitRow>> = {
  ms: {
    is: 'a time',
    written: 'a duration such as 20s',
    read: parseDuration,
    format: formatDuration,
    exact: (value) => `${value}ms`,
  },
  bytes: {
    is: 'an amount of memory',
    written: 'a size such as 300Mi',
    read: quantityWith(/^([kMGT]|[KMGT]i)$/),
    format: formatBytes,
    exact: (value) => `${value}B`,
  },
  cores: {
    is: 'a number of CPU cores',
    written: 'a plain number such as 0.5',
    read: quantityWith(/^[mkM]?$/),
    format: twoDecimals,
    exact: sixDigits,
  },
  'per-second': {
    is: 'a number per second',
    written: 'a plain number such as 20',
    read: plainNumber,
    format: twoDecimals,
    exact: sixDigits,
  },
  number: {
    is: 'a number',
    written: 'a plain number such as 20',
    read: plainNumber,
    format: twoDecimals,
    exact: sixDigits,
  },
};

export const describeUnit = (unit: MetricUnit): string => UNITS[unit].is;
export const describeWritten = (unit: MetricUnit): string => UNITS[unit].written;

/** Whether a text is a value of any unit. */
export const isValue = (text: string): boolean =>
  parseDuration(text) !== undefined || parseQuantity(text) !== undefined;

/** A value as scenarios write it; undefined when it is not of the unit. Nothing is nothing in every unit. */
export const readValue = (text: string, unit: MetricUnit): number | undefined =>
  text === '0' ? 0 : UNITS[unit].read(text);

/** A value for people: `19.1s`, `91.0Mi`, `0.14`. Never looks like the limit when it is not. */
export function formatValue(value: number, unit: MetricUnit, limit: number): string {
  const { format, exact } = UNITS[unit];
  const text = format(value);
  return value !== limit && text === format(limit) ? exact(value) : text;
}

/** A limit for people. */
export const formatLimit = (limit: number, unit: MetricUnit): string => UNITS[unit].format(limit);
