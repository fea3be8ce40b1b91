import { once } from 'node:events';
import { expect } from 'chai';
import { cniWorlds, type CniWorld } from '../helpers/cni-world.ts';
import { eventually } from '../helpers/eventually.ts';

describe('the process of the CNI stub', function () {
  this.timeout(30_000);
  const startWorld = cniWorlds();
  let world: CniWorld;
  beforeEach(async () => {
    world = await startWorld();
    world.pool(1);
    world.pool(2);
  });

  it('ends with 0 when there is nobody to serve', async () => {
    const { code, results, stderr } = await world.run(world.plan([]));
    expect({ code, results, stderr }).to.deep.equal({ code: 0, results: [], stderr: '' });
  });

  for (const [title, input, problem] of [
    ['is no JSON', '{"verb":', /^cni: cannot read the plan: .*JSON.*\n$/],
    ['is empty', '', /^cni: cannot read the plan: .*JSON.*\n$/],
    ['has another shape', '{"verb":"take"}', /^cni: cannot read the plan: verb: .*; seed: .*\n$/],
  ] as const)
    it(`ends with 2 when its plan ${title}`, async () => {
      const { code, results, stderr } = await world.run(input);
      expect({ code, results }).to.deep.equal({ code: 2, results: [] });
      expect(stderr).to.match(problem);
    });

  it('ends with 2 and says how it is used when its arguments are wrong', async () => {
    const { code, stderr } = await world.run(world.plan([]), ['--plan', 'x']);
    expect(code).to.equal(2);
    expect(stderr).to.match(/^cni: .*--plan.*\nusage: cni \[--kubeconfig FILE\] < PLAN\n$/);
  });

  it('tells of each result as it comes', async () => {
    await world.fault(2, { kind: 'hang' });
    const pods = [world.pod(2, 'late'), world.pod(1, 'early')];
    const running = world.start(world.plan(pods, { timeoutMs: 20_000 }));
    await eventually('the first result', () => running.results.length === 1);
    expect(running.results[0]).to.include({ pod: 'early', status: 'complete' });
    expect(running.child.exitCode).to.equal(null);
  });

  it('counts a latency from when a pod was due, also while others go first', async () => {
    await world.fault(1, { kind: 'latency', delayMs: 100, spread: 'fixed', paths: ['/allocate'] });
    const arrival = { kind: 'at-once', concurrency: 1 } as const;
    const pods = ['a', 'b', 'c'].map((name) => world.pod(1, name));
    const { results } = await world.run(world.plan(pods, { arrival }));
    expect(new Set(results.map(({ dueMs }) => dueMs)).size).to.equal(1);
    for (const [i, { dueMs, startMs, endMs }] of results.entries()) {
      expect(startMs - dueMs).to.be.at.least(i * 95); // timers may be early by a little
      expect(endMs - dueMs).to.be.at.least((i + 1) * 95);
    }
  });

  it('begins pods at their times, whatever became of those before', async () => {
    await world.fault(1, { kind: 'hang' });
    const pods = [world.pod(1, 'a'), world.pod(2, 'b'), world.pod(2, 'c')];
    const arrival = { kind: 'constant', perSecond: 10 } as const;
    const { results } = await world.run(world.plan(pods, { arrival, timeoutMs: 1500 }));
    expect(results.map(({ pod }) => pod)).to.deep.equal(['b', 'c', 'a']);
    const [b, c, a] = results.map(({ dueMs }) => dueMs);
    expect(b! - a!).to.be.closeTo(100, 0.01);
    expect(c! - a!).to.be.closeTo(200, 0.01);
  });

  for (const [signal, expected] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)
    it(`ends with ${expected} at ${signal}, and begins no further pods`, async () => {
      await world.fault(1, { kind: 'hang' });
      const pods = ['a', 'b', 'c'].map((name) => world.pod(1, name));
      const arrival = { kind: 'at-once', concurrency: 1 } as const;
      const podObjects = { annotation: 'current', labels: {} } as const;
      const plan = world.plan(pods, { arrival, podObjects, attempts: 5, timeoutMs: 20_000 });
      const { child, ended } = world.start(plan);
      await eventually('the call', () => world.server.objects.has(world.object('a')));
      child.kill(signal);
      const { code, results } = await ended;
      expect(code).to.equal(expected);
      expect(results.map(({ pod, status }) => [pod, status])).to.deep.equal([['a', 'failed']]);
      expect(world.server.objects.has(world.object('b'))).to.equal(false);
    });

  it('stops when nobody reads its results any more', async () => {
    await world.fault(2, { kind: 'hang' });
    const pods = [world.pod(2, 'late'), world.pod(1, 'a'), world.pod(1, 'b')];
    const arrival = { kind: 'constant', perSecond: 4 } as const;
    const running = world.start(world.plan(pods, { arrival, timeoutMs: 25_000 }));
    await once(running.child, 'spawn');
    running.child.stdout!.destroy();
    expect((await running.ended).code).to.equal(1);
  });
});
