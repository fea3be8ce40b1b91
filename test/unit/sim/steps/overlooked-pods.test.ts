import { expect } from 'chai';
import type { PodFact } from '../../../../src/sim/model/facts.ts';
import { OverlookedPods } from '../../../../src/sim/steps/overlooked-pods.ts';

const pod = (name: string, hostIP?: string): PodFact => ({
  kind: 'pod',
  node: 'sim-1',
  namespace: 'default',
  name,
  hostNetwork: true,
  hostIP,
  podIPs: [],
  ready: hostIP !== undefined,
});
const running = (name: string): PodFact => pod(name, '127.64.0.1');

/** The names that are pointed out, look by look. */
const looks = (
  overlooked: OverlookedPods,
  ...seen: readonly (readonly [atMs: number, pods: readonly PodFact[]])[]
): readonly (readonly string[])[] =>
  seen.map(([atMs, pods]) => overlooked.look(pods, atMs, 2).map((one) => one.pod.name));

describe('pods that kwok has overlooked', () => {
  it('are those that wait while kwok is idle for two seconds', () => {
    const seen = [pod('late'), running('a')];
    expect(
      looks(new OverlookedPods(), [10_000, seen], [11_000, seen], [12_000, seen]),
    ).to.deep.equal([[], [], ['late']]);
  });

  it('are not those that wait while kwok starts others that were bound about when they were', () => {
    expect(
      looks(
        new OverlookedPods(),
        [10_000, [pod('a'), pod('b'), pod('c')]],
        [12_000, [pod('a'), pod('b'), running('c')]],
        [13_500, [pod('a'), running('b'), running('c')]],
        [15_000, [pod('a'), running('b'), running('c')]],
      ),
    ).to.deep.equal([[], [], [], []]);
  });

  it('are those that others have overtaken which were bound fifteen seconds later', () => {
    const others = [running('b')];
    const looked = looks(
      new OverlookedPods(),
      [10_000, [pod('early')]],
      [12_000, [pod('early'), running('a')]],
      [13_500, [pod('early'), ...others]],
      [15_000, [pod('early'), ...others, running('c')]],
      [24_900, [pod('early'), ...others, running('d')]],
      [25_000, [pod('early'), ...others, running('e')]],
    );
    expect(looked).to.deep.equal([[], [], [], [], [], ['early']]);
  });

  it('are pointed out again when it did not help, after another two seconds', () => {
    const seen = [pod('late')];
    expect(
      looks(new OverlookedPods(), [10_000, seen], [12_000, seen], [13_000, seen], [14_000, seen]),
    ).to.deep.equal([[], ['late'], [], ['late']]);
  });

  it('are pointed out a few at a time', () => {
    const seen = [pod('a'), pod('b'), pod('c')];
    expect(
      looks(new OverlookedPods(), [10_000, seen], [12_000, seen], [13_000, seen]),
    ).to.deep.equal([[], ['a', 'b'], ['c']]);
  });

  it('start anew when a pod of the same name comes back', () => {
    expect(
      looks(
        new OverlookedPods(),
        [10_000, [pod('a')]],
        [11_000, []],
        [12_500, [pod('a')]],
        [14_000, [pod('a')]],
      ),
    ).to.deep.equal([[], [], [], []]);
  });
});
