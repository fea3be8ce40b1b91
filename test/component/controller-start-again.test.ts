import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { eventually } from '../helpers/eventually.ts';
import { ScriptControllers } from '../helpers/script-controller.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const never = new AbortController().signal;
const READY = 'echo ready $$; while :; do sleep 0.02; done';
const EXITING = 'echo ready; exit 7';

describe('a controller that has ended by itself', () => {
  let controllers: ScriptControllers;
  beforeEach(async () => {
    controllers = await ScriptControllers.make();
  });
  afterEach(() => controllers.remove());

  /** Kills the process of the controller, as if it had crashed. */
  async function crash(): Promise<void> {
    const { pid } = controllers.told.at(-1)!;
    controllers.host.processes.signal(pid, 'SIGKILL');
    await controllers.ended(pid);
  }

  it('is started again without a wait for its readiness', async () => {
    const controller = controllers.of(
      `test -e started || echo ready; touch started; ${READY.replace('ready', 'up')}`,
    );
    await controller.start(never);
    await crash();
    const [first] = controllers.told;
    const started = await controller.startAgain(first!);
    expect(started).to.deep.equal(controllers.told[1]);
    expect(controller.process()).to.deep.equal(started);
    expect(await controllers.runs(started!.pid)).to.equal(true);
  });

  it('tells how it ended, and how old it was, of the process that was the last', async () => {
    const controller = controllers.of(`test -e started && exit 7; touch started; ${READY}`);
    await controller.start(never);
    expect(controller.lastExit()).to.equal(undefined);
    await controllers.host.clock.sleep(200);
    const age = controller.ageMs();
    expect(age).to.be.greaterThan(190);
    await crash();
    const killed = await eventually('the exit to be known', () => controller.lastExit());
    expect(killed).to.deep.equal({ exitCode: undefined, signal: 'SIGKILL' });
    await controller.startAgain(controllers.told[0]!);
    expect(controller.ageMs()).to.be.lessThan(age);
    const exited = await eventually('the second exit to be known', () => controller.lastExit());
    expect(exited).to.deep.equal({ exitCode: 7, signal: undefined });
  });

  it('leaves no children that would go on as a second controller', async () => {
    const controller = controllers.of(`sleep 61 & echo child $!; ${READY}`);
    await controller.start(never);
    await crash();
    const child = Number(/^child (\d+)$/m.exec(await controllers.log())?.[1]);
    expect(await controllers.runs(child)).to.equal(true);
    await controller.startAgain(controllers.told[0]!);
    expect(await controllers.runs(child)).to.equal(false);
  });

  it('is left alone where a step has restarted it meanwhile', async () => {
    const controller = controllers.of(READY);
    await controller.start(never);
    await crash();
    const restarting = controller.restart('SIGTERM', never);
    expect(await controller.startAgain(controllers.told[0]!)).to.equal(undefined);
    await restarting;
    expect(await controller.startAgain(controllers.told[0]!)).to.equal(undefined);
    expect(controllers.told).to.have.length(2);
  });

  it('is ended and started anew by a step that comes while it is being started again', async () => {
    const controller = controllers.of(READY);
    await controller.start(never);
    await crash();
    const starting = controller.startAgain(controllers.told[0]!);
    await controller.restart('SIGTERM', never);
    const [, again, last] = controllers.told;
    expect(await starting).to.deep.equal(again);
    expect(await controllers.runs(again!.pid)).to.equal(false);
    expect(controller.process()).to.deep.equal(last);
    expect(controllers.told).to.have.length(3);
  });

  it('is missed by nobody any more when it cannot be started', async () => {
    const controller = controllers.of(EXITING, { program: `${controllers.directory}/gone` });
    const error = (await failureOf(controller.start(never))) as SimError;
    expect(error.code).to.equal('SIM_CONTROLLER_START');
    expect(controller.process()).to.equal(undefined);
  });
});
