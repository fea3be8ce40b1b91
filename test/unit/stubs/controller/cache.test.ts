import { expect } from 'chai';
import * as z from 'zod';
import { KINDS } from '../../../../src/sim/kube/objects.ts';
import { Cache } from '../../../../src/stubs/controller/cache.ts';
import { plainClient } from '../../../helpers/plain-client.ts';
import { ScriptedClock } from '../../../helpers/scripted-clock.ts';

const shape = z.object({ spec: z.object({ value: z.int() }) });
const object = (name: string, value: unknown = 1) => ({
  metadata: { name, uid: 'of no interest' },
  spec: { value, more: 'of no interest' },
});

describe('the cache of a kind', () => {
  let cache: Cache<z.infer<typeof shape>>;
  let changes: number;
  beforeEach(() => {
    changes = 0;
    const kube = plainClient('http://127.0.0.1:9'); // it is never asked: the test tells the events
    cache = new Cache(kube, new ScriptedClock(), { kind: KINDS.node }, shape, () => changes++);
  });

  const list = (...pages: readonly (readonly ReturnType<typeof object>[])[]): void => {
    pages.forEach((page, i) => {
      cache.onPage(page, i === 0);
    });
    cache.onListed();
  };

  it('keeps what its shape knows of objects, and nothing else', () => {
    list([object('a', 7)]);
    expect(cache.get('a')).to.deep.equal({ spec: { value: 7 } });
    expect(cache.names()).to.deep.equal(['a']);
    expect(cache.get('b')).to.equal(undefined);
  });

  it('follows events, and tells that something has changed', () => {
    list([object('a')]);
    cache.onEvent('ADDED', object('b', 2));
    cache.onEvent('MODIFIED', object('a', 3));
    expect(cache.all().map(({ spec }) => spec.value)).to.deep.equal([3, 2]);
    cache.onEvent('DELETED', object('a', 3));
    expect(cache.names()).to.deep.equal(['b']);
    expect(changes).to.equal(4);
  });

  it('forgets what a new list does not hold, once all its pages are there', () => {
    list([object('a'), object('b')], [object('c')]);
    cache.onPage([object('b')], true);
    expect(cache.names()).to.deep.equal(['a', 'b', 'c']);
    cache.onPage([object('d')], false);
    cache.onListed();
    expect([...cache.names()].sort()).to.deep.equal(['b', 'd']);
  });

  it('lets the pages of a list go that was begun again', () => {
    cache.onPage([object('a')], true);
    list([object('b')]);
    expect(cache.names()).to.deep.equal(['b']);
  });

  it('passes over what does not fit its shape', () => {
    list([object('a'), object('odd', 'no number')]);
    expect(cache.names()).to.deep.equal(['a']);
    cache.onEvent('DELETED', object('odd', 'no number'));
    expect(cache.names()).to.deep.equal(['a']);
  });
});
