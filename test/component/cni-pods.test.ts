import { expect } from 'chai';
import type { CniPlan } from '../../src/stubs/cni/contract.ts';
import { cniWorlds, type CniWorld } from '../helpers/cni-world.ts';
import { answerThen, refuse } from '../helpers/fake-troubles.ts';

const KEYS = {
  current: ['k8s.v1.cni.cncf.io/network-status'],
  legacy: ['k8s.v1.cni.cncf.io/networks-status'],
  both: ['k8s.v1.cni.cncf.io/network-status', 'k8s.v1.cni.cncf.io/networks-status'],
} as const;
const asUsual = answerThen(() => undefined);

describe('the Pod objects of the CNI stub', function () {
  this.timeout(30_000);
  const startWorld = cniWorlds();
  let world: CniWorld;
  beforeEach(async () => {
    world = await startWorld();
    world.pool(1);
  });

  const planOf = (more: Partial<CniPlan> = {}, names: readonly string[] = ['a']): CniPlan =>
    world.plan(
      names.map((name) => world.pod(1, name)),
      { podObjects: { annotation: 'current', labels: { 'sim/run': 'r1' } }, ...more },
    );
  const requests = () => world.server.calls.map(({ method, path }) => `${method} ${path}`);
  const bodyOf = (method: string): unknown =>
    JSON.parse(world.server.calls.find((call) => call.method === method)!.body);

  it('are bound to their nodes and carry the labels, before the daemon is asked', async () => {
    await world.fault(1, { kind: 'refuse' });
    await world.run(planOf());
    expect(requests()[0]).to.equal('POST /api/v1/namespaces/ns/pods');
    const object = bodyOf('POST');
    expect(object).to.have.deep.property('metadata', {
      name: 'a',
      namespace: 'ns',
      labels: { app: 'sim-pod', 'sim/run': 'r1' },
    });
    expect(object)
      .to.have.property('spec')
      .that.deep.includes({
        nodeName: 'sim-1',
        terminationGracePeriodSeconds: 0,
        tolerations: [{ key: 'kwok.x-k8s.io/node', operator: 'Exists', effect: 'NoSchedule' }],
      });
  });

  for (const annotation of ['current', 'legacy', 'both'] as const)
    it(`tell their addresses in the annotation, in its form "${annotation}"`, async () => {
      const end = await world.run(planOf({ podObjects: { annotation, labels: {} } }));
      expect(end.code, end.stderr).to.equal(0);
      const patch = world.server.calls.find(({ method }) => method === 'PATCH');
      expect(patch).to.deep.include({ path: world.object('a') });
      expect(patch?.headers['content-type']).to.equal('application/merge-patch+json');
      const { metadata } = bodyOf('PATCH') as {
        metadata: { annotations: Record<string, string> };
      };
      expect(Object.keys(metadata.annotations)).to.deep.equal(KEYS[annotation]);
      for (const key of KEYS[annotation])
        expect(JSON.parse(metadata.annotations[key]!)).to.deep.equal([
          { name: 'ns/net', interface: 'net1-0', ips: ['192.168.1.1'], default: false },
          { name: 'ns/net', interface: 'net1-1', ips: ['192.168.65.1'], default: false },
        ]);
    });

  it('tell an empty list when there is no address', async () => {
    await world.fault(1, { kind: 'empty' });
    await world.run(planOf());
    expect(bodyOf('PATCH')).to.deep.equal({
      metadata: { annotations: { [KEYS.current[0]]: '[]' } },
    });
  });

  it('are deleted, with no grace, after their addresses were given back', async () => {
    await world.run(planOf());
    const end = await world.run(planOf({ verb: 'deallocate' }));
    expect(end.code, end.stderr).to.equal(0);
    expect(requests().at(-1)).to.equal(`DELETE ${world.object('a')}`);
    expect(world.server.calls.at(-1)?.query.get('gracePeriodSeconds')).to.equal('0');
    expect(world.server.objects.has(world.object('a'))).to.equal(false);
    expect((await world.daemons.records()).at(-1)?.path).to.equal('/deallocate');
  });

  it('may be gone already when they are deleted', async () => {
    const end = await world.run(planOf({ verb: 'deallocate' }));
    expect({ code: end.code, stderr: end.stderr }).to.deep.equal({ code: 0, stderr: '' });
  });

  it('may be there already when they are made', async () => {
    world.server.objects.put('/api/v1/namespaces/ns/pods', 'a');
    const end = await world.run(planOf());
    expect({ code: end.code, stderr: end.stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(end.results.map(({ status }) => status)).to.deep.equal(['complete']);
  });

  it('that are refused fail each of their networks, and nobody else', async () => {
    world.server.troubles.push(refuse(403, 'Forbidden'));
    const networks = ['net', 'other'].map((name) => ({ name, masterNets: [] }));
    const pods = [world.pod(1, 'a', { networks }), world.pod(1, 'b')];
    const arrival = { kind: 'at-once', concurrency: 1 } as const;
    const end = await world.run({ ...planOf({ arrival }), pods });
    expect(end.code).to.equal(1);
    expect(end.results.map(({ pod, network, status }) => [pod, network, status])).to.deep.equal([
      ['a', 'net', 'failed'],
      ['a', 'other', 'failed'],
      ['b', 'net', 'complete'],
    ]);
    const [{ problem } = { problem: null }] = end.results;
    expect(problem).to.equal('POST /api/v1/namespaces/ns/pods: 403 Forbidden: Forbidden');
    expect(end.stderr).to.equal(`ns/a: ${problem}\n`);
    expect(requests().filter((request) => request.includes(world.object('a')))).to.deep.equal([]);
    expect((await world.daemons.records()).map(({ path }) => path)).to.deep.equal([
      '/select',
      '/allocate',
    ]);
  });

  it('whose annotation is refused are told of, and keep their addresses', async () => {
    world.server.troubles.push(asUsual, refuse(422, 'Invalid'));
    const end = await world.run(planOf());
    expect(end.results.map(({ status }) => status)).to.deep.equal(['complete']);
    expect(end.stderr).to.equal(`ns/a: PATCH ${world.object('a')}: 422 Invalid: Invalid\n`);
  });

  it('cannot be without a kubeconfig', async () => {
    const { code, results, stderr } = await world.run(planOf(), []);
    expect({ code, results, stderr }).to.deep.equal({
      code: 2,
      results: [],
      stderr: 'cni: --kubeconfig is missing: the plan has Pod objects\n',
    });
  });

  it('cannot be with a kubeconfig that cannot be read', async () => {
    const { code, results, stderr } = await world.run(planOf(), ['--kubeconfig', '/nowhere/k']);
    expect({ code, results }).to.deep.equal({ code: 2, results: [] });
    expect(stderr).to.match(/^cni: .*\/nowhere\/k.*\n$/);
  });

  it('are none where the plan has none, and no kubeconfig is read', async () => {
    const end = await world.run(planOf({ podObjects: null }), ['--kubeconfig', '/nowhere/k']);
    expect(end.code, end.stderr).to.equal(0);
    expect(requests()).to.deep.equal([]);
  });
});
