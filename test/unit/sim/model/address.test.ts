import { expect } from 'chai';
import {
  blockSize,
  isInside,
  overlaps,
  parseBlock,
  blockOf,
  subnetCount,
  type Block,
} from '../../../../src/sim/model/address.ts';

function block(cidr: string): Block {
  const parsed = parseBlock(cidr);
  if (!parsed) throw new Error(`${cidr} should be a block`);
  return parsed;
}

describe('parseBlock', () => {
  it('knows the first and the last address', () => {
    expect(block('10.0.1.0/24')).to.deep.equal({
      cidr: '10.0.1.0/24',
      version: 4,
      prefix: 24,
      first: 0x0a000100n,
      last: 0x0a0001ffn,
    });
  });

  const canonical: readonly (readonly [string, string])[] = [
    ['10.0.1.77/24', '10.0.1.0/24'],
    ['fd00:0:0:0::/64', 'fd00::/64'],
    ['FD00::1/64', 'fd00::/64'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['10.0.0.1/32', '10.0.0.1/32'],
  ];
  for (const [given, cidr] of canonical)
    it(`writes ${given} as ${cidr}`, () => {
      expect(block(given).cidr).to.equal(cidr);
    });

  for (const text of ['', '10.0.0.0', '10.0.0.0/33', '10.0.0/24', '10.0.0.256/24', 'fd00::/129'])
    it(`does not read ${JSON.stringify(text)}`, () => {
      expect(parseBlock(text)).to.be.undefined;
    });
});

describe('blocks', () => {
  it('overlap when they share at least one address', () => {
    expect(overlaps(block('10.0.0.0/24'), block('10.0.0.128/25'))).to.be.true;
    expect(overlaps(block('10.0.0.128/25'), block('10.0.0.0/24'))).to.be.true;
    expect(overlaps(block('10.0.0.0/25'), block('10.0.0.128/25'))).to.be.false;
    expect(overlaps(block('10.0.0.7/32'), block('10.0.0.7/32'))).to.be.true;
  });

  it('of different families never meet, whatever their numbers', () => {
    const four = block('0.0.0.1/32');
    const six = block('::1/128');
    expect(four.first).to.equal(six.first);
    expect(overlaps(four, six)).to.be.false;
    expect(isInside(four, block('::/0'))).to.be.false;
  });

  it('are inside another only as a whole', () => {
    expect(isInside(block('10.0.0.0/24'), block('10.0.0.0/24'))).to.be.true;
    expect(isInside(block('10.0.0.0/25'), block('10.0.0.0/24'))).to.be.true;
    expect(isInside(block('10.0.0.0/23'), block('10.0.0.0/24'))).to.be.false;
    expect(isInside(block('10.0.1.0/25'), block('10.0.0.0/24'))).to.be.false;
  });

  it('have a size, and room for smaller ones', () => {
    expect(blockSize(block('10.0.0.0/16'))).to.equal(65_536n);
    expect(blockSize(block('fd00::/64'))).to.equal(2n ** 64n);
    expect(subnetCount(block('10.0.0.0/16'), 24)).to.equal(256);
    expect(subnetCount(block('10.0.0.0/16'), 16)).to.equal(1);
    expect(subnetCount(block('10.0.0.0/16'), 8)).to.equal(0);
  });
});

describe('blockOf', () => {
  it('answers what parseBlock does', () => {
    expect(blockOf('10.0.0.7/24')).to.deep.equal(parseBlock('10.0.0.0/24'));
  });

  it('throws where parseBlock has no answer: a schema should have seen to that', () => {
    expect(() => blockOf('10.0.0.0/33')).to.throw(RangeError, 'not a CIDR: 10.0.0.0/33');
  });
});
