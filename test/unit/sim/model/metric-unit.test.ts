import { expect } from 'chai';
import { formatValue, readValue, type MetricUnit } from '../../../../src/sim/model/metric-unit.ts';

const UNITS: readonly MetricUnit[] = ['ms', 'bytes', 'cores', 'per-second', 'number'];

describe('readValue', () => {
  const rows: readonly (readonly [string, readonly MetricUnit[]])[] = [
    ['0', UNITS],
    ['20', ['cores', 'per-second', 'number']],
    ['0.5', ['cores', 'per-second', 'number']],
    ['2k', ['bytes', 'cores', 'per-second', 'number']],
    ['500m', ['ms', 'cores']], // minutes, or thousandths of a core
    ['1m30s', ['ms']],
    ['30s', ['ms']],
    ['300Mi', ['bytes']],
  ];
  for (const [text, units] of rows)
    it(`reads ${text} as ${units.length === UNITS.length ? 'any unit' : units.join(', ')} only`, () => {
      expect(UNITS.filter((unit) => readValue(text, unit) !== undefined)).to.deep.equal(units);
    });

  it('converts', () => {
    expect(readValue('500m', 'cores')).to.equal(0.5);
    expect(readValue('5m', 'ms')).to.equal(300_000);
    expect(readValue('300Mi', 'bytes')).to.equal(300 * 2 ** 20);
    expect(readValue('2k', 'number')).to.equal(2000);
  });
});

describe('formatValue', () => {
  const rows: readonly (readonly [number, MetricUnit, number, string])[] = [
    [19_089.5, 'ms', 60_000, '19.1s'],
    [95_420_400, 'bytes', 500 * 2 ** 20, '91.0Mi'],
    [0.142553, 'cores', 1, '0.14'],
    [9.876, 'per-second', 5, '9.88'],
    [1234, 'number', 5, '1234'],
    [0, 'number', 0, '0'],
    [1000, 'ms', 1000, '1.0s'],
    // What is not the limit does not look like it.
    [1540.25, 'ms', 1500, '1540.25ms'],
    [104_857_601, 'bytes', 100 * 2 ** 20, '104857601B'],
    [1.00123, 'cores', 1, '1.00123'],
    [0.5012345, 'cores', 0.5, '0.501235'],
  ];
  for (const [value, unit, limit, text] of rows)
    it(`writes ${value} as ${text}, beside a limit of ${limit}, in ${unit}`, () => {
      expect(formatValue(value, unit, limit)).to.equal(text);
    });
});
