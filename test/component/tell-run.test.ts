import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { SimError } from '../../src/sim/base/errors.ts';
import { tellRun } from '../../src/sim/commands/tell-run.ts';
import { controlSocketOf, makeSocketPath } from '../../src/sim/fleet/socket-path.ts';
import { serveControl } from '../../src/sim/host/control-socket.ts';
import type { Host } from '../../src/sim/host/host.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import { RunRecordFile } from '../../src/sim/host/run-record.ts';
import { controlSocketOfRun } from '../../src/sim/run/find-run.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { ROOT } from '../helpers/sim-process.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const HOST = realHost(ROOT);

describe('a run in progress', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let host: Host;
  let ends: (() => Promise<void>)[];
  beforeEach(async () => {
    directory = await temporaryDirectory();
    await mkdir(join(directory.path, 'run'));
    const env = {
      XDG_STATE_HOME: join(directory.path, 'state'),
      XDG_RUNTIME_DIR: join(directory.path, 'run'),
    };
    host = { ...HOST, env, cwd: directory.path };
    ends = [];
  });
  afterEach(async () => {
    for (const end of ends) await end();
    await directory.remove();
  });

  /** A run of this process, which is alive. */
  const begin = (id: string): Promise<RunRecordFile> =>
    RunRecordFile.create(host, {
      id,
      startedAt: '2026-01-01T00:00:00.000Z',
      runDirectory: join(directory.path, 'runs', id),
    });
  /** And it takes orders, which it answers with itself. */
  const listen = async (id: string): Promise<string> => {
    await begin(id);
    const path = controlSocketOf(await makeSocketPath(host, id));
    ends.push(
      await serveControl(path, (wanted) => Promise.resolve(`${id} ${JSON.stringify(wanted)}`)),
    );
    return path;
  };
  const refusal = async (work: Promise<string>): Promise<SimError> => {
    const error = await failureOf(work);
    expect(error).to.be.instanceOf(SimError).with.property('code', 'SIM_USAGE');
    return error as SimError;
  };

  it('is found by its id, the beginning of it, and its directory', async () => {
    const path = await listen('abcd1234');
    await listen('abce5678');
    for (const named of [
      'abcd1234',
      'abcd',
      'runs/abcd1234',
      join(directory.path, 'runs/abcd1234'),
    ])
      expect(await controlSocketOfRun(host, named)).to.equal(path);
  });

  it('is found under the runtime directory that it had itself', async () => {
    const path = await listen('abcd1234');
    const { XDG_STATE_HOME } = host.env;
    expect(await controlSocketOfRun({ ...host, env: { XDG_STATE_HOME } }, 'abcd')).to.equal(path);
  });

  it('is not guessed where two have the same beginning', async () => {
    await listen('abcd1234');
    await listen('abce5678');
    const { message, hint } = await refusal(controlSocketOfRun(host, 'abc'));
    expect(message).to.equal('more than one run begins with abc');
    for (const id of ['abcd1234', 'abce5678'])
      expect(hint).to.include(`${id} (${join(directory.path, 'runs', id)})`);
  });

  it('is not found under another name', async () => {
    const { message, hint } = await refusal(controlSocketOfRun(host, 'abc'));
    expect(message).to.equal('no run in progress is called abc');
    expect(hint).to.equal('there is no run in progress');
    await listen('xyz12345');
    expect((await refusal(controlSocketOfRun(host, 'abc'))).hint).to.match(
      /^in progress: xyz12345 \(/,
    );
  });

  it('is not found once its process has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    const own = { pid: child.pid! };
    await RunRecordFile.create(
      { ...host, processes: { ...host.processes, own } },
      {
        id: 'abcd1234',
        startedAt: '2026-01-01T00:00:00.000Z',
        runDirectory: '/nowhere',
      },
    );
    child.stdin.end();
    await once(child, 'exit');
    const { hint } = await refusal(controlSocketOfRun(host, 'abcd1234'));
    expect(hint).to.equal('there is no run in progress');
  });

  it('may take no faults', async () => {
    await begin('abcd1234');
    const { message } = await refusal(controlSocketOfRun(host, 'abcd'));
    expect(message).to.match(/^run abcd1234 takes no faults: its operator has no daemons/);
  });

  it('is told what was given, and answers', async () => {
    await listen('abcd1234');
    const fault = { what: 'hang', nodes: '1-2', delay: undefined, for: '5s' };
    expect(await tellRun(host, 'abcd', { fault })).to.equal(
      'abcd1234 {"fault":{"what":"hang","nodes":"1-2","for":"5s"}}',
    );
    expect(await tellRun(host, 'abcd', { heal: { what: undefined, nodes: undefined } })).to.equal(
      'abcd1234 {"heal":{}}',
    );
  });

  it('is not told what is not understood, which is said in the words of the command line', async () => {
    for (const [wanted, message] of [
      [{ fault: { what: 'error', nodes: '1', status: 200 } }, /^--status /],
      [{ fault: { what: 'hang', nodes: '1', for: 'ever' } }, /^--for /],
      [{ fault: { what: 'empty', nodes: '1', paths: ['/jion'] } }, /^--paths\.0 /],
      [{ fault: { what: 'missing-nic', nodes: '1' } }, /^--interface is missing: /],
      [{ heal: { nodes: '2-1' } }, /^--nodes expected nodes such as/],
    ] as const)
      expect((await refusal(tellRun(host, 'nobody', wanted))).message).to.match(message);
  });

  it('tells why it refuses', async () => {
    await begin('abcd1234');
    const path = controlSocketOf(await makeSocketPath(host, 'abcd1234'));
    expect(dirname(path)).to.equal(join(directory.path, 'run', 'sim-abcd1234'));
    ends.push(await serveControl(path, () => Promise.reject(new Error('not now'))));
    expect((await refusal(tellRun(host, 'abcd', { heal: {} }))).message).to.equal('not now');
  });
});
