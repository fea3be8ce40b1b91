import { expect } from 'chai';
import {
  blockAt,
  formatRange,
  holds,
  isCovered,
  parseRange,
} from '../../../../src/stubs/controller/arithmetic.ts';

const inside = (block: string, by: string): boolean => isCovered(parseRange(block), parseRange(by));

describe('the arithmetic of the controller', () => {
  for (const cidr of [
    '0.0.0.0/0',
    '10.0.0.0/8',
    '128.0.0.0/1',
    '192.168.0.64/26',
    '255.255.255.255/32',
  ])
    it(`writes ${cidr} as it read it`, () => {
      expect(formatRange(parseRange(cidr))).to.equal(cidr);
    });

  it('begins a range at its first address, whichever address it was named by', () => {
    expect(formatRange(parseRange('192.168.7.9/16'))).to.equal('192.168.0.0/16');
    expect(formatRange(parseRange('200.1.2.3/0'))).to.equal('0.0.0.0/0');
  });

  it('takes an address without a length for a range of one', () => {
    expect(formatRange(parseRange('10.0.0.7'))).to.equal('10.0.0.7/32');
  });

  for (const [range, prefix, n, block] of [
    ['192.168.0.0/16', 18, 0, '192.168.0.0/18'],
    ['192.168.0.0/16', 18, 3, '192.168.192.0/18'],
    ['192.168.64.0/18', 26, 200, '192.168.114.0/26'],
    ['192.168.64.0/18', 26, 255, '192.168.127.192/26'],
    ['192.168.64.0/18', 24, 1, '192.168.65.0/24'],
    ['192.168.0.0/18', 28, 1023, '192.168.63.240/28'],
    ['192.168.0.0/16', 16, 0, '192.168.0.0/16'],
    ['0.0.0.0/0', 1, 1, '128.0.0.0/1'],
    ['255.255.255.0/24', 32, 255, '255.255.255.255/32'],
  ] as const)
    it(`finds block ${n} of a /${prefix} in ${range} at ${block}`, () => {
      expect(formatRange(blockAt(parseRange(range), prefix, n))).to.equal(block);
    });

  it('covers a block by itself and by what is larger around it', () => {
    expect(inside('192.168.1.0/26', '192.168.1.0/26')).to.equal(true);
    expect(inside('192.168.1.64/26', '192.168.1.0/24')).to.equal(true);
    expect(inside('192.168.1.64/26', '0.0.0.0/0')).to.equal(true);
  });

  it('covers no block by its neighbours, nor by a part of it', () => {
    expect(inside('192.168.2.0/26', '192.168.1.0/24')).to.equal(false);
    expect(inside('192.168.1.0/24', '192.168.1.0/26')).to.equal(false);
    expect(inside('10.0.0.0/8', '11.0.0.0/8')).to.equal(false);
  });

  it('holds what is smaller within, and not the other way round', () => {
    const [block, part] = [parseRange('192.168.0.0/26'), parseRange('192.168.0.16/28')];
    expect(holds(block, part)).to.equal(true);
    expect(holds(part, block)).to.equal(false);
    expect(holds(block, parseRange('192.168.0.64/28'))).to.equal(false);
  });
});
