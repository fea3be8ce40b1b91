import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimError } from '../../src/sim/base/errors.ts';
import { askControl } from '../../src/sim/host/control-socket.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import type { Observation, ObservationOf } from '../../src/sim/model/history.ts';
import { startLiveControl } from '../../src/sim/run/live-control.ts';
import { DaemonPods } from '../../src/sim/steps/daemon-pods.ts';
import { eventually } from '../helpers/eventually.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { StepDaemons } from '../helpers/step-daemons.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

describe('the control socket of a run', function () {
  this.timeout(30_000);
  let world: StepDaemons;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let socketPath: string;
  let server: FakeApiServer;
  let kube: KubeClient;
  let recorded: ObservationOf<'fault'>[];
  let said: string[];
  let stop: () => Promise<void>;
  before(async () => {
    world = await StepDaemons.start();
  });
  after(() => world.stop());

  const listen = async (daemons: StepDaemons['daemons'] | undefined): Promise<void> => {
    const { signal } = new AbortController();
    const record = (observation: Observation): void => {
      if (observation.kind === 'fault') recorded.push(observation);
    };
    const daemonPods = daemons && new DaemonPods(kube, world.plan.pods);
    stop = await startLiveControl({
      socketPath,
      clock: world.clock,
      tools: { daemons, daemonPods, record },
      signal,
      say: (line) => said.push(line),
    });
    for (const node of [1, 2, 3]) await daemons?.start(node, signal);
  };
  beforeEach(async () => {
    directory = await temporaryDirectory();
    socketPath = join(directory.path, 'run.sock');
    server = await FakeApiServer.start();
    kube = plainClient(server.url);
    recorded = [];
    said = [];
    stop = () => Promise.resolve();
  });
  afterEach(async () => {
    await stop();
    await world.clear();
    await kube.close();
    await server.stop();
    await directory.remove();
  });

  const ask = (wanted: unknown): Promise<string> => askControl(socketPath, wanted);
  const phases = () => recorded.map(({ phase, fault, source }) => [phase, fault.kind, source]);
  const refusal = async (wanted: unknown): Promise<string> => {
    const error = await failureOf(ask(wanted));
    expect(error).to.be.instanceOf(SimError).with.property('code', 'SIM_USAGE');
    return (error as SimError).message;
  };

  it('makes daemons fail, and heals them', async () => {
    await listen(world.daemons);
    expect(await ask({ fault: { nodes: '1,3', what: 'error', status: 503 } })).to.equal(
      'fault: error 503 on sim-1, sim-3',
    );
    expect([await world.statusOf(1), await world.statusOf(2)]).to.deep.equal([503, 200]);
    expect(await ask({ heal: { nodes: '1' } })).to.equal('healed 1 fault');
    expect([await world.statusOf(1), await world.statusOf(3)]).to.deep.equal([200, 503]);
    expect(await ask({ heal: { what: 'hang' } })).to.equal('healed 0 faults');
    expect(await ask({ heal: {} })).to.equal('healed 1 fault');
    expect(await world.statusOf(3)).to.equal(200);
    expect(phases()).to.deep.equal([
      ['begin', 'error', 'live'],
      ['end', 'error', 'live'],
      ['end', 'error', 'live'],
    ]);
    expect(said[0]).to.equal('live: fault: error 503 on sim-1, sim-3');
    expect(said).to.have.length(4);
  });

  it('heals a fault that lasts for a time by itself', async () => {
    await listen(world.daemons);
    expect(await ask({ fault: { nodes: '2', what: 'refuse', for: '5s' } })).to.equal(
      'fault: refuse on sim-2 for 5.0s',
    );
    expect(world.clock.sleeps).to.deep.equal([5000]);
    expect(await world.statusOf(2)).to.equal('ECONNREFUSED');
    world.clock.wake(1);
    await eventually('the end of the fault', () => recorded.length === 2);
    expect(await world.statusOf(2)).to.equal(200);
  });

  it('has nothing to heal of what is over at once', async () => {
    await listen(world.daemons);
    await ask({ fault: { nodes: '2', what: 'drop', for: '5s' } });
    expect(world.clock.sleeps).to.deep.equal([]);
    expect(phases()).to.deep.equal([
      ['begin', 'drop', 'live'],
      ['end', 'drop', 'live'],
    ]);
  });

  for (const [title, wanted, reason] of [
    ['nothing', {}, 'not understood'],
    ['a word', 'hang', 'not understood'],
    ['something else', { explode: {} }, 'not understood'],
    [
      'a fault and a healing at once',
      { fault: { nodes: '1', what: 'hang' }, heal: {} },
      'not understood',
    ],
    [
      'nodes that are none',
      { fault: { nodes: 'two', what: 'hang' } },
      /^--nodes expected nodes such as/,
    ],
    ['a fault of no kind', { fault: { nodes: '1', what: 'tired' } }, /^--what .*"latency"/],
    [
      'a fault without what it needs',
      { fault: { nodes: '1', what: 'latency' } },
      '--delay is missing: latency needs it',
    ],
    [
      'a fault with what it cannot have',
      { fault: { nodes: '1', what: 'hang', status: 500 } },
      '--status does not go with hang',
    ],
    ['a healing of no kind', { heal: { what: 'tired' } }, /^--what .*"latency"/],
  ] as const)
    it(`refuses ${title}, with the reason`, async () => {
      await listen(world.daemons);
      const message = await refusal(wanted);
      if (typeof reason === 'string') expect(message).to.equal(reason);
      else expect(message).to.match(reason);
      expect([recorded, said]).to.deep.equal([[], []]);
    });

  it('refuses what is too long, and takes more afterwards', async () => {
    await listen(world.daemons);
    expect(await refusal({ fault: 'x'.repeat(70_000) })).to.equal('the request is too long');
    expect(await ask({ heal: {} })).to.equal('healed 0 faults');
  });

  it('refuses all where there are no daemons', async () => {
    await listen(undefined);
    expect(await refusal({ heal: {} })).to.equal('the operator has no daemons that could fail');
  });

  it('is for its owner only', async () => {
    await listen(world.daemons);
    expect((await stat(socketPath)).mode & 0o777).to.equal(0o600);
  });

  it('answers nobody once the run is over', async () => {
    await listen(world.daemons);
    await stop();
    stop = () => Promise.resolve();
    const error = (await failureOf(ask({ heal: {} }))) as SimError;
    expect(error.code).to.equal('SIM_TIMEOUT');
    expect(error.message).to.match(/^the run does not answer: .*run\.sock/);
  });
});
