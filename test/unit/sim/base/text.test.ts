import { expect } from 'chai';
import { count, lastLines, nearest, some } from '../../../../src/sim/base/text.ts';

describe('count', () => {
  it('takes the plural for everything but one', () => {
    expect([0, 1, 2].map((n) => count(n, 'node'))).to.deep.equal(['0 nodes', '1 node', '2 nodes']);
  });

  it('takes a plural that is not made with an s', () => {
    expect(count(2, 'retry', 'retries')).to.equal('2 retries');
  });

  it('sets thousands apart', () => {
    expect(count(12_345, 'block')).to.equal('12,345 blocks');
  });
});

describe('some', () => {
  it('names all of a list that is short enough', () => {
    expect(some(['a', 'b'], 2)).to.equal('a, b');
  });

  it('names the first of a longer list and counts the others', () => {
    expect(some(['a', 'b', 'c', 'd'], 2)).to.equal('a, b and 2 more');
  });

  it('says nothing of an empty list', () => {
    expect(some([])).to.equal('');
  });
});

describe('nearest', () => {
  const known = ['networks', 'nodes', 'steps', 'settle'];

  const rows: readonly (readonly [string, string])[] = [
    ['netwroks', 'networks'],
    ['nodse', 'nodes'],
    ['Steps', 'steps'],
    ['setle', 'settle'],
  ];
  for (const [word, meant] of rows)
    it(`takes ${word} for ${meant}`, () => {
      expect(nearest(word, known)).to.equal(meant);
    });

  it('takes the nearest when several are near', () => {
    expect(nearest('node', ['nod', 'nodes', 'mode'])).to.equal('nod');
    expect(nearest('nodes', ['modes', 'nodes'])).to.equal('nodes');
  });

  it('knows nothing near a word that is quite another', () => {
    expect(nearest('thresholds', known)).to.be.undefined;
    expect(nearest('x', [])).to.be.undefined;
    expect(nearest('', ['abc'])).to.be.undefined;
  });

  it('allows a long word more mistakes than a short one', () => {
    expect(nearest('abcdefg', ['abcdxyz'])).to.be.undefined;
    expect(nearest('abcdefghi', ['abcdefxyz'])).to.equal('abcdefxyz');
  });
});

describe('lastLines', () => {
  it('gives the end of a text without its empty lines', () => {
    expect(lastLines('a\n\nb\n  \nc\n', 2)).to.deep.equal(['b', 'c']);
  });
});
