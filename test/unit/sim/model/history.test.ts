import { expect } from 'chai';
import { parseHistoryLine } from '../../../../src/sim/model/history.ts';

describe('parseHistoryLine', () => {
  const canary = { kind: 'canary', observationMs: 5, writeMs: 3, loopDelayMs: 1 };
  const line = (entry: object): string => JSON.stringify({ seq: 4, atMs: 12.5, ...entry });

  it('reads an entry of a known kind', () => {
    expect(parseHistoryLine(line(canary))).to.deep.equal({
      known: { seq: 4, atMs: 12.5, ...canary },
    });
  });

  it('passes over a kind that it does not know', () => {
    expect(parseHistoryLine(line({ kind: 'weather' }))).to.deep.equal({ unknown: 'weather' });
  });

  it('drops keys that a later version has added to a kind', () => {
    expect(parseHistoryLine(line({ ...canary, more: 1 }))).to.deep.equal({
      known: { seq: 4, atMs: 12.5, ...canary },
    });
  });

  const wrong: readonly (readonly [string, string])[] = [
    ['is no JSON', '{"seq":4,"atMs":12,"ki'],
    ['is no object', '[]'],
    ['has no number', '{"atMs":12,"kind":"weather"}'],
    ['has no time', '{"seq":4,"kind":"weather"}'],
    ['has a negative number', '{"seq":-1,"atMs":12,"kind":"weather"}'],
    ['has a known kind in another shape', line({ ...canary, writeMs: 'fast' })],
    ['is a header of another schema', line({ kind: 'header', schema: 2 })],
    ['is an object with an unknown operation', line({ kind: 'object', op: 'moved' })],
  ];
  for (const [title, text] of wrong)
    it(`throws when a line ${title}`, () => {
      expect(() => parseHistoryLine(text)).to.throw();
    });
});
