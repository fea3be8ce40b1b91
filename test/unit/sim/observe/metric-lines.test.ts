import { expect } from 'chai';
import { metricLines } from '../../../../src/sim/observe/metric-lines.ts';

const valuesIn = (text: string, ...names: readonly string[]): readonly unknown[] =>
  Array.from(metricLines(text, new Set(names)), ({ name, labels, value }) => [
    name,
    Object.fromEntries(labels),
    value,
  ]);

describe("the lines of Prometheus' text format", () => {
  it('are read with their labels, those of other metrics and remarks apart', () => {
    const text = [
      '# HELP depth How many.',
      '# TYPE depth gauge',
      'depth{name="a",controller="b"} 3',
      'depth 4',
      'depth_total 9',
      'other{name="a"} 1',
      '',
    ].join('\n');
    expect(valuesIn(text, 'depth')).to.deep.equal([
      ['depth', { name: 'a', controller: 'b' }, 3],
      ['depth', {}, 4],
    ]);
  });

  for (const [title, line, expected] of [
    ['a time at the end', 'm{a="b"} 1.5 1700000000000', [['m', { a: 'b' }, 1.5]]],
    ['an exponent', 'm 1.2e+06', [['m', {}, 1_200_000]]],
    ['a comma after the last label', 'm{a="b",} 1', [['m', { a: 'b' }, 1]]],
    ['space wherever it is allowed', 'm { a="b", c="d" }\t1 ', [['m', { a: 'b', c: 'd' }, 1]]],
    ['Windows line ends', 'm{a="b"} 1\r', [['m', { a: 'b' }, 1]]],
    ['braces in a value', 'm{a="}{",b="x"} 1', [['m', { a: '}{', b: 'x' }, 1]]],
    ['escapes', 'm{a="\\"q\\" \\\\n \\n"} 1', [['m', { a: '"q" \\n \n' }, 1]]],
    ['an empty value', 'm{a=""} 1', [['m', { a: '' }, 1]]],
    ['a value below 0', 'm -3', [['m', {}, -3]]],
  ] as const)
    it(`may have ${title}`, () => {
      expect(valuesIn(line, 'm')).to.deep.equal(expected);
    });

  for (const line of ['m NaN', 'm +Inf', 'm', 'm{a="b} 1', 'm{a="b"}', 'm x', 'm 1 2 3'])
    it(`are passed over when they are like ${line}`, () => {
      expect(valuesIn(`${line}\nm 7`, 'm')).to.deep.equal([['m', {}, 7]]);
    });
});
