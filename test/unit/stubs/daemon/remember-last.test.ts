import { expect } from 'chai';
import { rememberLast } from '../../../../src/stubs/daemon/remember-last.ts';

describe('work on bytes that come again', () => {
  it('is done once for as long as they are the same', () => {
    const done: string[] = [];
    const work = rememberLast((bytes) => {
      done.push(Buffer.from(bytes).toString());
      return bytes.length;
    });
    const results = ['aa', 'aa', 'b', 'b', 'aa', 'ab'].map((text) => work(Buffer.from(text)));
    expect(results).to.deep.equal([2, 2, 1, 1, 2, 2]);
    expect(done).to.deep.equal(['aa', 'b', 'aa', 'ab']);
  });

  it('is done again when it failed', () => {
    let calls = 0;
    const work = rememberLast(() => {
      calls++;
      throw new Error('broken');
    });
    for (let i = 0; i < 2; i++) expect(() => work(Buffer.from('a'))).to.throw('broken');
    expect(calls).to.equal(2);
  });
});
