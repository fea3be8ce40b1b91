import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimError } from '../../src/sim/base/errors.ts';
import {
  endProcesses,
  endRun,
  processesOfRun,
  wouldNotEnd,
} from '../../src/sim/host/end-processes.ts';
import { waitFor } from '../../src/sim/base/wait.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import { ROOT } from '../helpers/sim-process.ts';

const host = realHost(ROOT);
const PATH = process.env['PATH'] ?? '';
const caught = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('commands', () => {
  it('answer with what the program printed, and call back for each line', async () => {
    const lines: string[] = [];
    const result = await host.commands.run('sh', ['-c', 'echo one; echo two >&2'], {
      env: { PATH },
      timeoutMs: 5000,
      onLine: (line) => lines.push(line),
    });
    expect(result).to.include({ exitCode: 0, stdout: 'one', stderr: 'two' });
    expect(lines.sort()).to.deep.equal(['one', 'two']);
  });

  it('see the given environment and nothing else', async () => {
    const { stdout } = await host.commands.run('env', [], {
      env: { PATH, A: 'b' },
      timeoutMs: 5000,
    });
    expect(stdout.split('\n').sort()).to.deep.equal([`A=b`, `PATH=${PATH}`]);
  });

  it('say which program was not found', async () => {
    const error = await caught(
      host.commands.run('no-such-program', [], { env: { PATH }, timeoutMs: 5000 }),
    );
    expect(error).to.be.instanceOf(SimError);
    expect((error as SimError).message).to.equal('the program "no-such-program" was not found');
  });

  it('say how a program failed, with its last lines', async () => {
    const error = await caught(
      host.commands.run('sh', ['-c', 'echo why >&2; exit 7'], { env: { PATH }, timeoutMs: 5000 }),
    );
    expect((error as SimError).message).to.match(/exited with code 7$/);
    expect((error as SimError).details).to.deep.equal(['why']);
  });

  it('end the whole process group when time is up, grandchildren included', async () => {
    const error = await caught(
      host.commands.run('sh', ['-c', 'sleep 61 & echo $!; wait'], {
        env: { PATH, SIM_RUN_ID: 'late-group' },
        timeoutMs: 300,
      }),
    );
    expect((error as SimError).message).to.match(/took longer than 300ms$/);
    expect(await processesOfRun(host, 'late-group')).to.deep.equal([]);
  });

  it('end when the signal aborts, and reject with its reason', async () => {
    const stop = new AbortController();
    const work = caught(
      host.commands.run('sleep', ['61'], { env: { PATH }, timeoutMs: 60_000, signal: stop.signal }),
    );
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await work).to.equal(reason);
  });
});

describe('processes', () => {
  let directory: string;
  let logFile: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sim-processes-'));
    logFile = join(directory, 'log');
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('are known again by their start, measured, found by their mark, and ended', async () => {
    const mark = `marked-${process.pid}`;
    const env = { PATH, SIM_RUN_ID: mark };
    const child = await host.processes.spawn('sleep', ['61'], { env, logFile });
    const identity = await host.processes.identify(child.pid);
    expect(identity?.command).to.equal('sleep 61');
    if (!identity) return;
    expect(await host.processes.isRunning(identity)).to.equal(true);
    expect(await host.processes.isRunning({ ...identity, startTicks: 1 })).to.equal(false);
    expect(await host.processes.isRunning({ ...identity, bootId: 'another' })).to.equal(false);
    const used = await waitFor({
      what: 'the process to be seen with its memory',
      clock: host.clock,
      timeoutMs: 5000,
      intervalMs: 20,
      probe: async () => (await host.processes.usage(child.pid))?.rssBytes || undefined,
    });
    expect(used).to.be.greaterThan(100_000);
    expect(await processesOfRun(host, mark)).to.deep.equal([identity]);
    expect(await endProcesses(host, [identity], 5000)).to.deep.equal([]);
    expect(await child.exited).to.deep.equal({ exitCode: undefined, signal: 'SIGKILL' });
    expect(await host.processes.identify(child.pid)).to.equal(undefined);
  });

  it('that took over a pid are never ended in place of the one before', async () => {
    const child = await host.processes.spawn('sleep', ['61'], { env: { PATH }, logFile });
    const identity = await host.processes.identify(child.pid);
    if (!identity) throw new Error('sleep did not start');
    expect(
      await endProcesses(host, [{ ...identity, startTicks: identity.startTicks - 1 }], 100),
    ).to.deep.equal([]);
    expect(await host.processes.isRunning(identity)).to.equal(true);
    await endProcesses(host, [identity], 5000);
  });

  it('are known also when they ended at once', async () => {
    const child = await host.processes.spawn('true', [], { env: { PATH }, logFile });
    expect(child.identity.startTicks).to.be.greaterThan(0);
    expect(child.identity.command).to.equal('true');
    await child.exited;
    expect(await host.processes.isRunning(child.identity)).to.equal(false);
  });

  describe('of a run that do not pass on its mark', () => {
    const eternal = 'env -i sleep 61 & env -i sleep 62 & echo started; wait';
    const start = async (script: string) => {
      const { identity, exited } = await host.processes.spawn('env', ['-i', 'sh', '-c', script], {
        env: { PATH, SIM_RUN_ID: 'unmarked' },
        logFile,
      });
      await waitFor({
        what: 'it to say that it has started',
        clock: host.clock,
        timeoutMs: 5000,
        intervalMs: 10,
        probe: async () => ((await readFile(logFile, 'utf8')) === '' ? undefined : true),
      });
      return { identity, exited };
    };

    it('are ended as recorded, with everything that they started', async () => {
      const { identity } = await start(eternal);
      const run = { id: 'unmarked', processes: [identity], leaders: [identity] };
      expect(await host.processes.findBySession([identity])).to.have.length.of.at.least(3);
      expect(await endRun(host, run, 5000)).to.deep.include({ left: [] });
      expect(await host.processes.findBySession([identity])).to.deep.equal([]);
    });

    it('are ended also when the one that started them is gone', async () => {
      const { identity, exited } = await start('env -i sleep 61 & echo started');
      await exited;
      const run = { id: 'unmarked', processes: [identity] };
      expect(await endRun(host, { ...run, leaders: [] }, 5000)).to.deep.equal({
        ended: 0,
        left: [],
      });
      expect(await endRun(host, { ...run, leaders: [identity] }, 5000)).to.deep.equal({
        ended: 1,
        left: [],
      });
    });

    it('are left alone when the pid of the recorded one is in the hands of another', async () => {
      const { identity } = await start(eternal);
      for (const other of [{ startTicks: identity.startTicks - 1 }, { bootId: 'another' }])
        expect(await host.processes.findBySession([{ ...identity, ...other }])).to.deep.equal([]);
      await endRun(host, { id: 'unmarked', processes: [], leaders: [identity] }, 5000);
    });

    it('are named when they would not end', async () => {
      const child = await host.processes.spawn('sleep', ['61'], { env: { PATH }, logFile });
      const processes = { ...host.processes, signal: () => expect.fail('not permitted') };
      const run = { id: 'unmarked', processes: [child.identity], leaders: [] };
      const { ended, left } = await endRun({ ...host, processes }, run, 100);
      expect(ended).to.equal(0);
      expect(wouldNotEnd(left)).to.equal(`1 process would not end: ${child.pid} (sleep 61)`);
      await endProcesses(host, [child.identity], 5000);
    });
  });

  it('write to their log, which is readable by its owner only', async () => {
    const child = await host.processes.spawn('echo', ['hello'], { env: { PATH }, logFile });
    await child.exited;
    expect(await readFile(logFile, 'utf8')).to.equal('hello\n');
    expect((await stat(logFile)).mode & 0o777).to.equal(0o600);
  });

  it('that cannot start say why', async () => {
    const error = await caught(host.processes.spawn('/no/such/program', [], { env: {}, logFile }));
    expect((error as SimError).message).to.match(/^cannot start \/no\/such\/program: .*ENOENT/);
  });
});

describe('sockets', () => {
  it('that listen are found by address, port and owner', async () => {
    const held = await host.network.hold('127.77.1.2', 0);
    const own = await host.network.listenersOf(process.pid);
    expect(own.map(({ address, port }) => `${address}:${port}`)).to.include(
      `127.77.1.2:${held?.port ?? 0}`,
    );
    expect(await host.network.hold('127.77.1.2', held?.port ?? 0)).to.equal(undefined);
    await held?.release();
    const again = await host.network.hold('127.77.1.2', held?.port ?? 0);
    expect(again).not.to.equal(undefined);
    await again?.release();
  });

  it('on all addresses take the port from every loopback address', async () => {
    const wild = await host.network.hold('0.0.0.0', 0);
    expect(await host.network.hold('127.77.1.3', wild?.port ?? 0)).to.equal(undefined);
    await wild?.release();
  });
});
