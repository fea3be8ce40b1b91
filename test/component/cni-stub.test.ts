import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimError } from '../../src/sim/base/errors.ts';
import { runCniStub, type CniStubSettings } from '../../src/sim/fleet/cni-stub.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import type { CniPlan, CniResult } from '../../src/stubs/cni/contract.ts';
import { cniWorlds, type CniWorld } from '../helpers/cni-world.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { processesOf } from '../helpers/run-processes.ts';
import { ROOT } from '../helpers/sim-process.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const host = realHost(ROOT);
const RESULT: CniResult = {
  verb: 'allocate',
  node: 'sim-1',
  namespace: 'ns',
  pod: 'a',
  network: 'net',
  status: 'complete',
  asked: ['eth1'],
  granted: [{ interface: 'eth1', ip: '192.168.0.1' }],
  retries: 0,
  problem: null,
  dueMs: 1,
  startMs: 2,
  endMs: 3,
};

describe('a run of the CNI stub', function () {
  this.timeout(30_000);
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const startWorld = cniWorlds();
  let world: CniWorld;
  let runId: string;
  let results: CniResult[];
  beforeEach(async () => {
    world = await startWorld();
    world.pool(1);
    directory = await temporaryDirectory();
    runId = `test-${host.randomId()}`;
    results = [];
  });
  afterEach(async () => {
    expect(await processesOf(runId)).to.deep.equal([]);
    await directory.remove();
  });

  const run = (plan: CniPlan, more: Partial<CniStubSettings> = {}): Promise<void> =>
    runCniStub(host, {
      runId,
      plan,
      kubeconfigPath: world.kubeconfig,
      signal: new AbortController().signal,
      onResult: (result) => results.push(result),
      program: world.program,
      ...more,
    });
  /** Another program in its place. */
  const program = async (text: string): Promise<readonly string[]> => {
    const path = join(directory.path, 'program.mjs');
    await writeFile(path, text);
    return [path];
  };
  const failure = async (work: Promise<void>): Promise<SimError> => {
    const error = await failureOf(work);
    expect(error).to.be.instanceOf(SimError).with.property('code', 'SIM_COMMAND');
    return error as SimError;
  };
  const two = (): CniPlan => world.plan([world.pod(1, 'a'), world.pod(1, 'b')]);

  it('passes the results on, and gives the program the kubeconfig', async () => {
    await run({ ...two(), podObjects: { annotation: 'current', labels: {} } });
    expect(results.map(({ pod }) => pod)).to.have.members(['a', 'b']);
    expect(results.map(({ status }) => status)).to.deep.equal(['complete', 'complete']);
    expect(world.server.objects.has(world.object('b'))).to.equal(true);
  });

  it('passes each result on as it comes', async () => {
    await world.fault(2, { kind: 'hang' });
    const stop = new AbortController();
    const plan = world.plan([world.pod(2, 'late'), world.pod(1, 'early')], { timeoutMs: 20_000 });
    const work = failureOf(run(plan, { signal: stop.signal }));
    await eventually('the first result', () => results.length === 1);
    expect(results[0]?.pod).to.equal('early');
    stop.abort();
    await work;
  });

  it('is no failure when somebody gets no address', async () => {
    await world.fault(1, { kind: 'error', status: 500 });
    await run(two());
    expect(results.map(({ status }) => status)).to.deep.equal(['failed', 'failed']);
  });

  it('takes what the program remarks for no result', async () => {
    const text = `console.error('a remark');console.log('another');console.log('${JSON.stringify(RESULT)}')`;
    await run(world.plan([world.pod(1, 'a')]), { program: await program(text) });
    expect(results).to.deep.equal([RESULT]);
  });

  it('fails when the program answers for some only, and tells its last words', async () => {
    const text = `console.log('${JSON.stringify(RESULT)}');console.error('cni: out of memory');process.exitCode = 1;`;
    const { message, details } = await failure(run(two(), { program: await program(text) }));
    expect(message).to.equal('the CNI stub answered 1 request of 2');
    expect(details).to.deep.equal(['cni: out of memory']);
    expect(results).to.deep.equal([RESULT]);
  });

  it('fails when the program is killed half-way', async () => {
    const text = `console.log('${JSON.stringify(RESULT)}');setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50);`;
    const { message } = await failure(run(two(), { program: await program(text) }));
    expect(message).to.match(/was ended by SIGKILL$/);
    expect(results).to.deep.equal([RESULT]);
  });

  it('fails when the program answers something else', async () => {
    const text = `console.log('{"pod":"a"}')`;
    const plan = world.plan([world.pod(1, 'a')]);
    const { message } = await failure(run(plan, { program: await program(text) }));
    expect(message).to.equal('the CNI stub answered 0 requests of 1');
  });

  it('fails when the program cannot begin, and says why', async () => {
    const plan = { ...two(), podObjects: { annotation: 'current' as const, labels: {} } };
    const error = await failure(run(plan, { kubeconfigPath: '/nowhere/k' }));
    expect(error.message).to.match(/exited with code 2$/);
    expect(error.details.join()).to.match(/^cni: .*\/nowhere\/k/);
  });

  it('is ended with its process when it is stopped', async () => {
    await world.fault(1, { kind: 'hang' });
    const stop = new AbortController();
    const why = new Error('the step is over');
    const podObjects = { annotation: 'current', labels: {} } as const;
    const plan = world.plan([world.pod(1, 'a')], { timeoutMs: 25_000, podObjects });
    const work = failureOf(run(plan, { signal: stop.signal }));
    await eventually('the pod', () => world.server.objects.has(world.object('a')));
    expect(await processesOf(runId)).to.have.length(1);
    stop.abort(why);
    expect(await work).to.equal(why);
    expect(results).to.deep.equal([]);
  });
});
