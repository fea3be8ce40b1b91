import { expect } from 'chai';
import { isRecord, sameJson } from '../../../../src/sim/base/json.ts';

describe('sameJson', () => {
  const same: readonly (readonly [string, unknown, unknown])[] = [
    ['keys in another order', { a: 1, b: [2] }, { b: [2], a: 1 }],
    ['nested lists', [[1], { a: null }], [[1], { a: null }]],
    ['null and null', null, null],
  ];
  for (const [title, a, b] of same)
    it(`holds for ${title}`, () => {
      expect(sameJson(a, b)).to.be.true;
    });

  const different: readonly (readonly [string, unknown, unknown])[] = [
    ['lists in another order', [1, 2], [2, 1]],
    ['a list and a longer one', [1], [1, 2]],
    ['a list and an object with its indexes', [1], { 0: 1 }],
    ['a key more', { a: 1 }, { a: 1, b: 2 }],
    ['a key less', { a: 1, b: 2 }, { a: 1 }],
    ['another key with the same value', { a: undefined }, { b: undefined }],
    ['null and an object', null, {}],
    ['a number and its text', 1, '1'],
    ['nothing and an empty list', undefined, []],
  ];
  for (const [title, a, b] of different)
    it(`does not hold for ${title}`, () => {
      expect(sameJson(a, b)).to.be.false;
    });
});

describe('isRecord', () => {
  it('holds for objects, and not for null, lists and text', () => {
    expect([{}, null, [], 'a', undefined].map(isRecord)).to.deep.equal([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
