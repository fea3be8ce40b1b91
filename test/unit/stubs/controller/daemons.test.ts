import { expect } from 'chai';
import type * as z from 'zod';
import { KINDS } from '../../../../src/sim/kube/objects.ts';
import { Cache } from '../../../../src/stubs/controller/cache.ts';
import { readyDaemons } from '../../../../src/stubs/controller/daemons.ts';
import { podShape } from '../../../../src/stubs/controller/objects.ts';
import { plainClient } from '../../../helpers/plain-client.ts';
import { ScriptedClock } from '../../../helpers/scripted-clock.ts';

/** A pod of a daemon that is ready, unless a test says otherwise. */
const pod = (
  name: string,
  change: {
    readonly metadata?: object;
    readonly spec?: object;
    readonly status?: object | undefined;
  } = {},
) => ({
  metadata: { name, ...change.metadata },
  spec: { nodeName: 'sim-1', ...change.spec },
  ...('status' in change && change.status === undefined
    ? {}
    : { status: { hostIP: '127.64.0.1', containerStatuses: [{ ready: true }], ...change.status } }),
});

describe('the daemons that can be dialled', () => {
  let pods: Cache<z.output<typeof podShape>>;
  beforeEach(() => {
    const kube = plainClient('http://127.0.0.1:9'); // it is never asked: the test tells the events
    pods = new Cache(kube, new ScriptedClock(), { kind: KINDS.pod }, podShape, () => undefined);
  });

  const found = (...objects: readonly ReturnType<typeof pod>[]) => {
    for (const object of objects) pods.onEvent('ADDED', object);
    return [...readyDaemons(pods).values()];
  };
  const FIRST = { node: 'sim-1', hostIP: '127.64.0.1', life: ' 0' };

  it('are known by their node, at the address of their host', () => {
    const other = pod('b', { spec: { nodeName: 'sim-2' }, status: { hostIP: '127.64.0.2' } });
    expect(found(pod('a'), other)).to.deep.equal([
      FIRST,
      { ...FIRST, node: 'sim-2', hostIP: '127.64.0.2' },
    ]);
  });

  for (const [title, change] of [
    ['is not ready', { status: { containerStatuses: [{ ready: false }] } }],
    ['has no container yet', { status: { containerStatuses: [] } }],
    ['has no status of its containers yet', { status: { containerStatuses: undefined } }],
    ['has no status at all', { status: undefined }],
    ['has no address yet', { status: { hostIP: undefined } }],
    ['is on no node yet', { spec: { nodeName: undefined } }],
    ['is on its way out', { metadata: { deletionTimestamp: '2026-01-02T03:04:05Z' } }],
  ] as const)
    it(`are without one whose pod ${title}`, () => {
      expect(found(pod('a', change))).to.deep.equal([]);
    });

  it('are found by their new pod while the one before is on its way out', () => {
    const leaving = pod('old', {
      metadata: { deletionTimestamp: '2026-01-02T03:04:05Z' },
      status: { hostIP: '127.64.0.9' },
    });
    expect(found(pod('new'), leaving)).to.deep.equal([FIRST]);
    expect(found(leaving, pod('new'))).to.deep.equal([FIRST]);
  });

  it('have another life in another pod, and after a restart of their container', () => {
    const [before] = found(pod('a', { metadata: { uid: 'u1' } }));
    const [restarted] = found(
      pod('a', {
        metadata: { uid: 'u1' },
        status: { containerStatuses: [{ ready: true, restartCount: 1 }] },
      }),
    );
    const [replaced] = found(pod('a', { metadata: { uid: 'u2' } }));
    const [same] = found(pod('a', { metadata: { uid: 'u2', labels: { a: 'b' } } }));
    expect(new Set([before?.life, restarted?.life, replaced?.life]).size).to.equal(3);
    expect(same).to.deep.equal(replaced);
  });

  it('go with their pods', () => {
    found(pod('a'));
    pods.onEvent('DELETED', pod('a'));
    expect(found()).to.deep.equal([]);
  });
});
