import { expect } from 'chai';
import { ASK_EVERY_MS, controllerShapes } from '../../../../src/sim/model/controller-spec.ts';

describe('what a scenario says of the reference controller', () => {
  const shape = controllerShapes.reference(['restless']);
  const askEvery = (written: object): number =>
    shape.parse({ reference: written }).reference.askEvery;

  it('is how often it asks daemons again, every half minute by default', () => {
    expect(askEvery({})).to.equal(ASK_EVERY_MS);
    expect(askEvery({ askEvery: '1m30s' })).to.equal(90_000);
  });

  for (const written of ['0s', '0.4ms', 'often', ''])
    it(`cannot be that it asks every ${JSON.stringify(written)}`, () => {
      const { error } = shape.safeParse({ reference: { askEvery: written } });
      expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).to.deep.equal([
        [
          'reference.askEvery',
          `expected a duration of at least 1ms such as 30s, got ${JSON.stringify(written)}`,
        ],
      ]);
    });
});
