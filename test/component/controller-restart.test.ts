import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { fasterClock } from '../helpers/faster-clock.ts';
import { ScriptControllers } from '../helpers/script-controller.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const never = new AbortController().signal;
const READY = 'echo ready $$; while :; do sleep 0.02; done';
const READY_WITH_CHILD = `sleep 61 & echo child of $$: $!; ${READY}`;
const STUBBORN = 'trap "" TERM;';

describe('a controller that is restarted', () => {
  let controllers: ScriptControllers;
  beforeEach(async () => {
    controllers = await ScriptControllers.make();
  });
  afterEach(() => controllers.remove());

  /** The child of the first process, which tells its pid in the log. */
  const firstChild = async (): Promise<number> => {
    const pattern = new RegExp(`^child of ${controllers.told[0]?.pid ?? 0}: (\\d+)$`, 'm');
    const pid = Number(pattern.exec(await controllers.log())?.[1]);
    expect(await controllers.runs(pid)).to.equal(true);
    return pid;
  };

  it('ends in its own way at SIGTERM, and another process takes its place', async () => {
    const controller = controllers.of(`trap "echo bye; exit 0" TERM; ${READY}`);
    await controller.start(never);
    await controller.restart('SIGTERM', never);
    const [before, after] = controllers.told;
    expect(controller.process()).to.deep.equal(after);
    expect(after?.pid).not.to.equal(before?.pid);
    expect(await controllers.runs(before!.pid)).to.equal(false);
    const said = (await controllers.log()).split('\n').filter((line) => /^(ready|bye)/.test(line));
    expect(said).to.deep.equal([`ready ${before!.pid}`, 'bye', `ready ${after!.pid}`]);
  });

  it('is not asked at SIGKILL, nor are its children', async () => {
    const controller = controllers.of(`trap "echo bye" TERM; ${READY_WITH_CHILD}`);
    await controller.start(never);
    const child = await firstChild();
    await controller.restart('SIGKILL', never);
    expect(await controllers.log()).not.to.include('bye');
    await controllers.ended(child);
  });

  it('is missed by nobody while it is down on purpose', async () => {
    const controller = controllers.of(`trap "sleep 0.2; exit 0" TERM; ${READY}`);
    await controller.start(never);
    const restarting = controller.restart('SIGTERM', never);
    expect(controller.process()).to.equal(undefined);
    await restarting;
    expect(controller.process()).to.deep.equal(controllers.told[1]);
  });

  it('is ended by force after half a minute, with its children, when it ignores SIGTERM', async () => {
    const { host, told } = controllers;
    const controller = controllers.of(`${STUBBORN} ${READY_WITH_CHILD}`, {}, fasterClock(20));
    await controller.start(never);
    const child = await firstChild();
    const began = host.clock.now();
    await controller.restart('SIGTERM', never);
    expect(host.clock.now() - began).to.be.greaterThan(30_000 / 20);
    expect(await controllers.runs(told[0]!.pid)).to.equal(false);
    expect(controller.process()).to.deep.equal(told[1]);
    await controllers.ended(child);
  });

  it('is started again when it has ended by itself before', async () => {
    const controller = controllers.of('echo ready; sleep 0.1; exit 1');
    await controller.start(never);
    await controllers.ended(controllers.told[0]!.pid);
    await controller.restart('SIGKILL', never);
    expect(controller.process()).to.deep.equal(controllers.told[1]);
  });

  it('is not started again when the run is over before it has ended', async () => {
    const stop = new AbortController();
    const controller = controllers.of(`${STUBBORN} ${READY}`);
    await controller.start(never);
    const restarting = failureOf(controller.restart('SIGTERM', stop.signal));
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await restarting).to.equal(reason);
    expect(controllers.told).to.have.length(1);
  });

  it('says why it did not become ready again', async () => {
    const second = 'test -e started && { echo "still locked"; exit 5; }';
    const controller = controllers.of(`${second}; touch started; echo ready; exec sleep 61`);
    await controller.start(never);
    const error = (await failureOf(controller.restart('SIGTERM', never))) as SimError;
    expect(error.code).to.equal('SIM_CONTROLLER_START');
    expect(error.message).to.match(/exit code 5$/);
    expect(error.details).to.deep.equal(['ready', 'still locked']);
    expect(controller.process()).to.equal(undefined);
  });
});
