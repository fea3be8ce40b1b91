import { expect } from 'chai';
import { parseHistoryLine } from '../../../../src/sim/model/history.ts';

describe('parseHistoryLine', () => {
  const canary = { kind: 'canary', observationMs: 5, writeMs: 3, loopDelayMs: 1 };
  const line = (entry: object): string => JSON.stringify({ seq: 4, atMs: 12.5, ...entry });

  const objectLine = (more: object): string =>
    line({
      kind: 'object',
      op: 'added',
      resource: 'nodes',
      name: 'a',
      uid: 'u',
      resourceVersion: '1',
      ...more,
    });
  const action = { kind: 'action', phase: 'begin', step: 'scale-1', index: 0 };

  it('reads objects and actions', () => {
    expect(parseHistoryLine(objectLine({ fields: {} }))).to.have.property('known');
    const read = parseHistoryLine(line({ ...action, action: { kind: 'hold', forMs: 5 } }));
    expect(read).to.have.nested.property('known.action.forMs', 5);
  });

  it('reads an entry of a known kind', () => {
    expect(parseHistoryLine(line(canary))).to.deep.equal({
      known: { seq: 4, atMs: 12.5, ...canary },
    });
  });

  it('takes wall times and CPU times as long as they are', () => {
    const wallMs = Date.parse('2100-01-01');
    expect(
      parseHistoryLine(line({ kind: 'step', phase: 'begin', step: 's', wallMs })),
    ).to.have.nested.property('known.wallMs', wallMs);
    const sample = { component: 'sim', pid: 1, cpuMs: 1e12, rssBytes: 1 };
    expect(parseHistoryLine(line({ kind: 'usage', samples: [sample] }))).to.have.property('known');
  });

  it('passes over a kind that it does not know', () => {
    expect(parseHistoryLine(line({ kind: 'weather' }))).to.deep.equal({
      unknown: 'weather',
      seq: 4,
    });
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
    ['has a time without an end', '{"seq":4,"atMs":1e999,"kind":"weather"}'],
    ['has a time that no run reaches', '{"seq":4,"atMs":1e308,"kind":"weather"}'],
    ['has a time before the run', '{"seq":4,"atMs":-1,"kind":"weather"}'],
    ['has a duration that no run reaches', line({ ...canary, observationMs: 1e308 })],
    ['has a known kind in another shape', line({ ...canary, writeMs: 'fast' })],
    ['is a header of another schema', line({ kind: 'header', schema: 2 })],
    ['has fields that are no object', objectLine({ fields: 5 })],
    ['has an action that is none', line({ ...action, action: 'create-node' })],
    ['is an object with an unknown operation', line({ kind: 'object', op: 'moved' })],
  ];
  for (const [title, text] of wrong)
    it(`throws when a line ${title}`, () => {
      expect(() => parseHistoryLine(text)).to.throw();
    });
});
