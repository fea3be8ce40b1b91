import { expect } from 'chai';
import { formatDuration, parseDuration } from '../../../../src/sim/base/duration.ts';

describe('parseDuration', () => {
  const good: readonly (readonly [string, number])[] = [
    ['250ms', 250],
    ['30s', 30_000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1m30s', 90_000],
    ['1h1m1s1ms', 3_661_001],
    ['0s', 0],
  ];
  for (const [text, ms] of good)
    it(`reads ${text} as ${ms} milliseconds`, () => {
      expect(parseDuration(text)).to.equal(ms);
    });

  for (const text of ['', '30', 's', '30 s', '-5s', '1d', '30s ', '1.s', '5S', '1m30'])
    it(`does not read ${JSON.stringify(text)}`, () => {
      expect(parseDuration(text)).to.be.undefined;
    });
});

describe('formatDuration', () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, '0ms'],
    [0.4, '0ms'],
    [412, '412ms'],
    [999.4, '999ms'],
    [999.5, '1.0s'],
    [3249, '3.2s'],
    [59_949, '59.9s'],
    [59_950, '1m00s'],
    [65_000, '1m05s'],
    [3_599_499, '59m59s'],
    [3_599_500, '1h00m'],
    [7_380_000, '2h03m'],
    [-1500, '-1.5s'],
  ];
  for (const [ms, text] of rows)
    it(`writes ${ms} milliseconds as ${text}`, () => {
      expect(formatDuration(ms)).to.equal(text);
    });
});
