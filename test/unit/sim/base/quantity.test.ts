import { expect } from 'chai';
import { formatBytes, parseQuantity } from '../../../../src/sim/base/quantity.ts';

describe('parseQuantity', () => {
  const good: readonly (readonly [string, number])[] = [
    ['4', 4],
    ['0.5', 0.5],
    ['500m', 0.5],
    ['2k', 2000],
    ['1M', 1e6],
    ['1Ki', 1024],
    ['1.5Mi', 1.5 * 2 ** 20],
    ['256Gi', 256 * 2 ** 30],
    ['1Ti', 2 ** 40],
    ['1T', 1e12],
  ];
  for (const [text, value] of good)
    it(`reads ${text} as ${value}`, () => {
      expect(parseQuantity(text)).to.equal(value);
    });

  for (const text of ['', 'Gi', '4 Gi', '-1', '4gi', '1Kib', '4s', '1.'])
    it(`does not read ${JSON.stringify(text)}`, () => {
      expect(parseQuantity(text)).to.be.undefined;
    });
});

describe('formatBytes', () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, '0B'],
    [1023, '1023B'],
    [1024, '1.0Ki'],
    [97.2 * 2 ** 20, '97.2Mi'],
    [24 * 2 ** 30, '24.0Gi'],
    [3 * 2 ** 40, '3.0Ti'],
  ];
  for (const [bytes, text] of rows)
    it(`writes ${bytes} bytes as ${text}`, () => {
      expect(formatBytes(bytes)).to.equal(text);
    });
});
