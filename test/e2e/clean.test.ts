import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { realProcesses, type ProcessIdentity } from '../../src/sim/host/processes.ts';
import { processesOf } from '../helpers/run-processes.ts';
import { SimHome } from '../helpers/sim-process.ts';
import { skipBecause } from '../helpers/skip.ts';

const run = promisify(execFile);

const SCENARIO = `
name: killed
operator: { profile: node-ipam }
networks: [{ name: pods, range: 10.244.0.0/16, nodeMask: 24 }]
settle: 1s
steps:
  - scale: { to: 5 }
  - hold: { for: 120s }
`;

interface RecordText {
  processes: ProcessIdentity[];
}

describe('sim clean', function () {
  this.timeout(120_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
  });
  afterEach(async () => {
    await home.run(['clean']);
    await home.remove();
  });

  async function killInTheMiddle(moment: RegExp): Promise<string> {
    const sim = home.start(['run', '-', '--output', home.output], {}, SCENARIO);
    await sim.says(moment);
    const [runId = ''] = await home.recorded();
    sim.kill('SIGKILL');
    await sim.ended;
    return runId;
  }

  it('says so when there is nothing to do', async () => {
    const { code, stdout } = await home.run(['clean']);
    expect(code).to.equal(0);
    expect(stdout).to.equal('nothing to clean\n');
  });

  it('removes what a run left that was killed in the middle of a step', async () => {
    const runId = await killInTheMiddle(/hold: 5/);
    expect(await processesOf(runId)).to.have.length.of.at.least(5);
    const { code, stdout } = await home.run(['clean']);
    expect(code).to.equal(0);
    expect(stdout).to.match(new RegExp(`^run ${runId} .*: \\d+ processes ended`));
    expect(await processesOf(runId)).to.deep.equal([]);
    expect(await home.leftovers()).to.deep.equal([]);
  });

  it('removes the daemons, the controller and the socket of a run with an operator', async () => {
    const sim = home.start(['run', '10-nodes', '--output', home.output]);
    await sim.says(/scale-10: 0 → 10 nodes/);
    const [runId = ''] = await home.recorded();
    const commands = (await processesOf(runId)).map(({ command }) => command);
    expect(commands.filter((line) => line.includes('dist/stubs/'))).to.have.length(2);
    const socket = join('/tmp', `sim-${runId}`);
    expect((await readdir(socket)).sort()).to.deep.equal(['fleet.sock', 'run.sock']);
    sim.kill('SIGKILL');
    await sim.ended;
    expect((await home.run(['clean'])).code).to.equal(0);
    expect(await processesOf(runId)).to.deep.equal([]);
    expect(await stat(socket).catch(() => undefined)).to.equal(undefined);
  });

  it('also ends processes that were started in the moment before the kill, and not yet recorded', async () => {
    const runId = await killInTheMiddle(/cluster: kwokctl/);
    await new Promise((resolve) => setTimeout(resolve, 1500)); // kwokctl, orphaned, goes on starting them
    expect((await home.run(['clean'])).code).to.equal(0);
    expect(await processesOf(runId)).to.deep.equal([]);
  });

  it('finds what a run could not remove itself, and said so', async function () {
    if (process.getuid?.() !== 0) skipBecause(this, 'mounting a file system needs root');
    const sim = home.start(['run', '10-nodes', '--output', home.output]);
    await sim.says(/controller ready/);
    const [runId = ''] = await home.recorded();
    const busy = join('/tmp', `sim-${runId}`, 'busy');
    await mkdir(busy);
    await run('mount', ['-t', 'tmpfs', 'tmpfs', busy]);
    try {
      sim.kill('SIGTERM');
      const { code, stderr } = await sim.ended;
      expect(code, stderr).to.equal(143);
      expect(stderr).to.match(/^could not remove the socket of the daemon fleet: /m);
      expect(stderr).to.include('`sim clean` tries again');
      expect(await home.recorded()).to.deep.equal([runId]);
    } finally {
      await run('umount', [busy]);
    }
    expect((await home.run(['clean'])).code).to.equal(0);
    expect(await stat(dirname(busy)).catch(() => undefined)).to.equal(undefined);
    expect(await home.leftovers()).to.deep.equal([]);
  });

  it('ends a controller that does not inherit its environment', async () => {
    const args = ['run', '10-nodes', '--output', home.output, '--controller', 'env'];
    const sim = home.start([...args, '--', '-i', 'sh', '-c', 'sleep 1203 & exec sleep 1204']);
    await sim.says(/controller ready/);
    const [runId = ''] = await home.recorded();
    const path = join(home.stateHome, 'sim', 'runs', `${runId}.json`);
    const { processes } = JSON.parse(await readFile(path, 'utf8')) as RecordText;
    const started = await realProcesses.findBySession(processes.slice(-1));
    expect(started).to.have.length(2);
    sim.kill('SIGKILL');
    await sim.ended;
    expect((await home.run(['clean'])).code).to.equal(0);
    for (const one of started) expect(await realProcesses.isRunning(one)).to.equal(false);
  });

  it('leaves a foreign process alone that has taken over a recorded pid', async () => {
    const runId = await killInTheMiddle(/hold: 5/);
    const foreign = spawn('sleep', ['60'], { stdio: 'ignore' });
    const path = join(home.stateHome, 'sim', 'runs', `${runId}.json`);
    const record = JSON.parse(await readFile(path, 'utf8')) as RecordText;
    const [first] = record.processes;
    if (!first || foreign.pid === undefined) throw new Error('nothing was recorded');
    record.processes.push({ ...first, pid: foreign.pid });
    await writeFile(path, JSON.stringify(record));
    expect((await home.run(['clean'])).code).to.equal(0);
    expect(await realProcesses.identify(foreign.pid)).not.to.equal(undefined);
    foreign.kill();
    await once(foreign, 'exit');
  });

  it('leaves a run alone that is alive', async () => {
    const sim = home.start(['run', '-', '--output', home.output], {}, SCENARIO);
    await sim.says(/hold: 5/);
    expect((await home.run(['clean'])).stdout).to.equal('nothing to clean\n');
    sim.kill('SIGTERM');
    expect((await sim.ended).code).to.equal(143);
  });

  it('is recommended by the next run, in one line that names the dead one', async () => {
    const runId = await killInTheMiddle(/hold: 5/);
    const next = home.start(['run', '2-nodes', '--output', join(home.path, 'next')]);
    await next.says(new RegExp(`warning: 1 run ended without tidying up \\(${runId}\\)`));
    next.kill('SIGTERM');
    await next.ended;
  });

  it('removes a cluster that was kept on purpose, of which no run warns', async () => {
    const kept = await home.run([
      'run',
      '2-nodes',
      '--output',
      home.output,
      '--keep-cluster',
      '--set',
      'settle=1s',
    ]);
    expect(kept.code, kept.stderr).to.equal(0);
    const [, kubeconfig = ''] = /export KUBECONFIG=(\S+)/.exec(kept.stdout) ?? [];
    expect(await readFile(kubeconfig, 'utf8')).to.include('server: https://127.0.0.1:');
    const next = await home.run([
      'run',
      '2-nodes',
      '--output',
      join(home.path, 'next'),
      '--set',
      'settle=1s',
    ]);
    expect(next.stderr).not.to.include('warning');
    expect(next.code, next.stdout + next.stderr).to.equal(0);
    const [runId = ''] = await home.recorded();
    expect((await home.run(['clean'])).code).to.equal(0);
    expect(await processesOf(runId)).to.deep.equal([]);
  });
});
