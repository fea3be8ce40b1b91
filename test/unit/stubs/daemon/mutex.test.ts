import { expect } from 'chai';
import { Mutex } from '../../../../src/stubs/daemon/mutex.ts';

describe('a mutex', () => {
  it('runs one piece of work at a time, in the order in which they came', async () => {
    const mutex = new Mutex();
    const said: string[] = [];
    const work = (name: string, turns: number) =>
      mutex.run(async () => {
        said.push(`${name} begins`);
        for (let i = 0; i < turns; i++) await Promise.resolve();
        said.push(`${name} ends`);
        return name;
      });
    expect(await Promise.all([work('a', 5), work('b', 0)])).to.deep.equal(['a', 'b']);
    expect(said).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('is released by work that fails, which only its own caller hears of', async () => {
    const mutex = new Mutex();
    const broken = mutex.run(() => Promise.reject(new Error('broken')));
    const next = mutex.run(() => Promise.resolve('next'));
    expect(await broken.catch(String)).to.equal('Error: broken');
    expect(await next).to.equal('next');
  });
});
