import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { realProcesses, type ProcessIdentity } from '../../src/sim/host/processes.ts';
import { processesOf } from '../helpers/run-processes.ts';
import { ROOT, SimHome } from '../helpers/sim-process.ts';

const REFERENCE = join(ROOT, 'dist', 'stubs', 'controller.js');
const SCENARIO = `
name: own
operator: { profile: multi-nic }
networks: [{ name: sample, subnet: 192.168.0.0/16, hostBlock: 8, interfaceBlock: 2 }]
settle: 1s
steps:
  - scale: { to: 3, within: 30s }
  - restart: { what: controller, within: 30s }
`;

describe("a controller of the user's own", function () {
  this.timeout(120_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
  });
  afterEach(() => home.remove());

  const run = (...controller: readonly string[]) =>
    home.run(['run', '-', '--output', home.output, ...controller], {}, SCENARIO);
  const log = () => readFile(join(home.output, 'logs', 'controller.log'), 'utf8');

  it('is started with the arguments after --, and under an identity of its own', async () => {
    const args = ['--kubeconfig', '{kubeconfig}', '--namespace', '{namespace}'];
    const { code, stdout, stderr } = await run(
      ...['--controller', process.execPath, '--', REFERENCE, ...args, '--daemon-port', '11000'],
    );
    expect(code, stdout + stderr).to.equal(0);
    const { controller, steps } = await home.report();
    expect(controller).to.include({
      kind: 'command',
      reference: false,
      identity: 'system:serviceaccount:multi-nic-cni-operator:sim-controller',
      flowSchema: 'service-accounts',
    });
    expect(controller?.command?.slice(0, 2)).to.deep.equal([process.execPath, REFERENCE]);
    expect(controller?.command).not.to.include('{kubeconfig}');
    expect(steps[1]?.recoveryMs).to.be.a('number');
    expect(await log()).to.match(/ready\n/);
  });

  it('finds what a pod would find, when it asks for that', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sim-in-cluster-'));
    const program = join(ROOT, 'test/fixtures/controllers/in-cluster.mjs');
    const { code, stdout, stderr } = await run(
      ...['--controller', process.execPath, '--in-cluster'],
      ...['--set', 'steps=[{scale: {to: 3, within: 30s}}]'],
      ...['--', program, REFERENCE, directory, '11000'],
    );
    await rm(directory, { recursive: true });
    expect(code, stdout + stderr).to.equal(0);
    expect(await log()).to.include('leading in multi-nic-cni-operator\n');
    expect(existsSync('/var/run/secrets/kubernetes.io/serviceaccount')).to.equal(false);
    const { run: ran } = await home.report();
    expect(await processesOf(ran.id)).to.deep.equal([]);
  });

  it('that never becomes ready is told with the last lines of its log', async () => {
    const { code, stderr } = await run(
      ...['--controller', 'sh', '--', '-c', 'echo no licence found; exit 7'],
    );
    expect(code).to.equal(3);
    expect(stderr).to.match(/^SIM_CONTROLLER_START /m);
    expect(stderr).to.include('no licence found');
    expect((await home.report()).verdict).to.equal('error');
  });

  it('that does not exist is told once, before anything is started', async () => {
    const { code, stdout, stderr } = await run('--controller', './no-such-manager');
    expect(code).to.equal(3);
    expect(stdout).to.equal('');
    expect(stderr.trimEnd().split('\n')).to.deep.equal([
      'SIM_CONTROLLER_START the controller program ./no-such-manager does not exist',
      `  hint: a path is taken from where sim was started: ${join(home.path, 'no-such-manager')}`,
    ]);
    expect(existsSync(home.output)).to.equal(false);
  });

  it('that exits when it has work breaks a guarantee, and ends the run', async () => {
    const { code, stdout } = await run(
      ...['--controller', 'sh', '--', '-c', 'sleep 4; echo out of ideas; exit 7'],
    );
    expect(code).to.equal(1);
    expect(stdout).to.include('INV012');
    const { steps, invariants } = await home.report();
    expect(steps.map(({ status }) => status)).to.deep.equal(['failed', 'skipped']);
    expect(invariants.find(({ code: name }) => name === 'INV012')?.status).to.equal('broken');
  });

  it('that does not inherit its environment is ended all the same, with what it started', async () => {
    const sim = home.start(
      ['run', '-', '--output', home.output, '--controller', 'env'].concat([
        ...['--', '-i', '/bin/sh', '-c', 'sleep 1201 & exec sleep 1202'],
      ]),
      {},
      SCENARIO,
    );
    await sim.says(/controller ready/);
    const [id = ''] = await home.recorded();
    const record = JSON.parse(
      await readFile(join(home.stateHome, 'sim', 'runs', `${id}.json`), 'utf8'),
    ) as { readonly processes: readonly ProcessIdentity[] };
    const started = await realProcesses.findBySession(record.processes.slice(-1));
    expect(started.map(({ command }) => command).sort()).to.deep.equal([
      'sleep 1201',
      'sleep 1202',
    ]);
    sim.kill('SIGTERM');
    const { code, stderr } = await sim.ended;
    expect(code, stderr).to.equal(143);
    for (const process of started) expect(await realProcesses.isRunning(process)).to.equal(false);
    expect(await home.leftovers()).to.deep.equal([]);
  });
});
