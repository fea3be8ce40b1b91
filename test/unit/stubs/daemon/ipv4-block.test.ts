import { expect } from 'chai';
import {
  addressAt,
  blockSize,
  overlap,
  parseBlock,
} from '../../../../src/stubs/daemon/ipv4-block.ts';

describe('an IPv4 block', () => {
  for (const [text, first, size, last] of [
    ['192.168.0.64/26', '192.168.0.64', 64, '192.168.0.127'],
    ['0.0.0.0/0', '0.0.0.0', 2 ** 32, '255.255.255.255'],
    ['255.255.255.255/32', '255.255.255.255', 1, '255.255.255.255'],
    ['10.1.2.3', '10.1.2.3', 1, '10.1.2.3'],
    ['200.200.200.200/1', '128.0.0.0', 2 ** 31, '255.255.255.255'],
    ['192.168.0.77/26', '192.168.0.64', 64, '192.168.0.127'],
  ] as const)
    it(`${text} has ${size} addresses from ${first} to ${last}`, () => {
      const block = parseBlock(text);
      expect(blockSize(block)).to.equal(size);
      expect(addressAt(block, 0)).to.equal(first);
      expect(addressAt(block, size - 1)).to.equal(last);
    });

  for (const text of [
    '',
    '10.0.0',
    '10.0.0.256/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fe80::1/64',
    '10.0.0.0/-1',
    ' 10.0.0.0',
  ])
    it(`is not "${text}"`, () => {
      expect(() => parseBlock(text)).to.throw(RangeError, `"${text}" is no IPv4 block`);
    });

  it('meets another one at certain indexes, or nowhere', () => {
    const meet = (a: string, b: string) => overlap(parseBlock(a), parseBlock(b));
    expect(meet('10.0.0.64/26', '10.0.0.64/28')).to.deep.equal({ first: 0, last: 15 });
    expect(meet('10.0.0.64/26', '10.0.0.112/28')).to.deep.equal({ first: 48, last: 63 });
    expect(meet('10.0.0.64/26', '10.0.0.70')).to.deep.equal({ first: 6, last: 6 });
    expect(meet('10.0.0.64/26', '10.0.0.0/16')).to.deep.equal({ first: 0, last: 63 });
    expect(meet('10.0.0.64/26', '10.0.0.128/26')).to.equal(undefined);
    expect(meet('10.0.0.64/26', '10.0.0.0/26')).to.equal(undefined);
  });
});
