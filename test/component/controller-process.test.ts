import { join } from 'node:path';
import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { eventually } from '../helpers/eventually.ts';
import { fasterClock } from '../helpers/faster-clock.ts';
import { PATH, ScriptControllers } from '../helpers/script-controller.ts';
import { ROOT } from '../helpers/sim-process.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const never = new AbortController().signal;

describe('a controller that is a process', () => {
  let controllers: ScriptControllers;
  beforeEach(async () => {
    controllers = await ScriptControllers.make();
  });
  afterEach(() => controllers.remove());

  const refusal = async (...args: Parameters<ScriptControllers['of']>): Promise<SimError> => {
    const error = (await failureOf(controllers.of(...args).start(never))) as SimError;
    expect(error.code).to.equal('SIM_CONTROLLER_START');
    return error;
  };
  const toldOf = () => eventually('it to be told of', () => controllers.told.length === 1);

  it('runs in its directory, with the environment that it is given, and writes to its log', async () => {
    const { runId, directory } = controllers;
    const controller = controllers.of('pwd; env | sort; echo ready; exec sleep 61', {
      env: { PATH, SIM_RUN_ID: runId, GIVEN: 'yes', LEFT_OUT: undefined },
    });
    expect(controller.process()).to.equal(undefined);
    await controller.start(never);
    const lines = (await controllers.log()).split('\n');
    expect(lines[0]).to.equal(directory);
    const env = lines.slice(1, -2).filter((line) => !/^(_|OLDPWD|PWD|SHLVL)=/.test(line));
    expect(env).to.deep.equal(['GIVEN=yes', `PATH=${PATH}`, `SIM_RUN_ID=${runId}`]);
    expect(await controller.logTail(1)).to.deep.equal(['ready']);
  });

  it('is told of before it is ready, so that it can be ended in any case, and then is the one', async () => {
    const controller = controllers.of('sleep 0.2; echo ready; exec sleep 61');
    const starting = controller.start(never);
    await toldOf();
    expect(controller.process()).to.equal(undefined);
    await starting;
    const process = controller.process();
    expect(process).to.deep.equal(controllers.told[0]);
    expect(await controllers.host.processes.isRunning(process!)).to.equal(true);
  });

  it('is known to have ended when nobody asked it to', async () => {
    const controller = controllers.of('echo ready; sleep 0.1; echo "out of memory"; exit 137');
    await controller.start(never);
    const process = controller.process();
    await controllers.ended(process!.pid);
    expect(await controllers.host.processes.isRunning(process!)).to.equal(false);
    expect(controller.process()).to.equal(process);
    expect(await controller.logTail(5)).to.deep.equal(['ready', 'out of memory']);
  });

  describe('that does not become ready', () => {
    it('is given up after two minutes, with the end of its log', async () => {
      const script = 'for i in $(seq 20); do echo line $i; done; exec sleep 61';
      const error = await refusal(script, {}, fasterClock(40));
      expect(error.message).to.match(
        /^waited 2m00s for the controller to be ready: a line of its log to match \/\^ready\/m; last seen: 151 characters of log without a match$/,
      );
      expect(error.details).to.have.length(15);
      expect(error.details.at(-1)).to.equal('line 20');
      expect(controllers.told).to.have.length(1);
    });

    it('is an error at once when it exits, with the end of its log', async () => {
      const error = await refusal('echo why >&2; exit 3');
      expect(error.message).to.equal('the controller ended before it was ready: exit code 3');
      expect(error.details).to.deep.equal(['why']);
      expect(error.hint).to.equal(`its whole log is ${controllers.logFile}`);
    });

    it('is an error also when it exits without a failure, or is killed', async () => {
      expect((await refusal('exit 0')).message).to.match(/exit code 0$/);
      expect((await refusal('kill -9 $$')).message).to.match(/ended by SIGKILL$/);
    });

    it('is an error when it exits before it was alive for long enough', async () => {
      const error = await refusal('sleep 0.1; exit 4', { readiness: { aliveFor: '61s' } });
      expect(error.message).to.match(/exit code 4$/);
    });

    it('is not waited for any longer when the run is over', async () => {
      const stop = new AbortController();
      const starting = failureOf(controllers.of('exec sleep 61').start(stop.signal));
      await toldOf();
      const reason = new Error('enough');
      stop.abort(reason);
      expect(await starting).to.equal(reason);
    });
  });

  describe('that cannot be started', () => {
    it('is named when there is no such program', async () => {
      const error = await refusal('', { program: '/no/such/controller' });
      expect(error.message).to.match(/^cannot start \/no\/such\/controller: .*ENOENT/);
      expect(error.hint).to.match(/^is the path right,/);
      expect(controllers.told).to.deep.equal([]);
    });

    it('is named when it is no program', async () => {
      const error = await refusal('', { program: join(ROOT, 'package.json') });
      expect(error.message).to.match(/^cannot start .*package\.json: .*EACCES/);
    });

    it('is not blamed for a working directory that is not there', async () => {
      const workingDirectory = join(controllers.directory, 'gone');
      const error = await refusal('', { workingDirectory });
      expect(error.message).to.equal(
        `cannot start sh: its working directory ${workingDirectory} does not exist`,
      );
      expect(error.hint).to.equal(undefined);
    });
  });
});
