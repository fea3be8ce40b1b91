import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { inGroup, makeControllerGroup } from '../../src/sim/controllers/limited.ts';
import type { Cgroup, Cgroups } from '../../src/sim/host/cgroups.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import { cgroupName, removeCgroups } from '../../src/sim/host/remove-cgroups.ts';
import { whyNoCpuLimits } from '../helpers/cpu-limits.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { ROOT } from '../helpers/sim-process.ts';
import { skipBecause } from '../helpers/skip.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const host = realHost(ROOT);
const LIMITS = { cpu: '100m', memory: null };
const SPIN = 'while :; do :; done';

describe('a controller with limits', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => directory.remove());

  const groupOf = (...names: string[]): Cgroup => ({
    version: 1,
    directories: names.map((name) => join(directory.path, name)),
    throttling: () => Promise.resolve(undefined),
  });

  it('joins every group before it becomes the program, under the same pid', async () => {
    for (const name of ['cpu', 'a memory group']) await mkdir(join(directory.path, name));
    const { program, args } = inGroup(host, groupOf('cpu', 'a memory group'), {
      program: 'sh',
      args: [
        '-c',
        'cat "$1/cgroup.procs" "$2/cgroup.procs"; echo $$; exit 0',
        'sh',
        ...groupOf('cpu', 'a memory group').directories,
      ],
    });
    const { stdout } = await host.commands.run(program, args, { env: host.env, timeoutMs: 5000 });
    const [cpu, memory, own] = stdout.split('\n');
    expect([cpu, memory]).to.deep.equal([own, own]);
  });

  it('is not started where it cannot join, and says why', async () => {
    const cgroups: Cgroups = { ...host.cgroups, create: () => Promise.resolve(groupOf('missing')) };
    const made = makeControllerGroup({ ...host, cgroups }, 'abc', LIMITS, () => Promise.resolve());
    const error = (await failureOf(made)) as SimError;
    expect(error.code).to.equal('SIM_LIMITS');
    expect(error.message).to.match(/^the controller cannot be put into its control group: /);
    expect(error.details.join('\n')).to.include('cgroup.procs');
  });

  it('has its limits as numbers in the group of the run', async () => {
    const asked: unknown[] = [];
    await mkdir(join(directory.path, 'group'));
    const cgroups: Cgroups = {
      ...host.cgroups,
      create: (name, limits) => {
        asked.push(name, limits);
        return Promise.resolve(groupOf('group'));
      },
    };
    const limits = { cpu: '250m', memory: '1Mi' };
    const made = await makeControllerGroup({ ...host, cgroups }, 'abc', limits, () =>
      Promise.resolve(),
    );
    expect(made.limits).to.equal(limits);
    expect(asked).to.deep.equal(['sim-abc', { cpuCores: 0.25, memoryBytes: 2 ** 20 }]);
  });

  describe('on this machine', () => {
    const runId = `test-${host.randomId()}`;
    let directories: string[];
    before(async function () {
      const reason = await whyNoCpuLimits(host);
      if (reason !== undefined) skipBecause(this, reason);
    });
    beforeEach(() => {
      directories = [];
    });
    afterEach(() => removeCgroups(host, { id: runId, directories }, 2000));

    it('has to wait when it has used up its share, and leaves a group that can be removed', async () => {
      const { cgroup } = await makeControllerGroup(host, runId, LIMITS, (path) => {
        directories.push(path);
        return Promise.resolve();
      });
      const { program, args } = inGroup(host, cgroup, { program: 'sh', args: ['-c', SPIN] });
      const logFile = join(directory.path, 'log');
      const child = await host.processes.spawn(program, args, { env: host.env, logFile });
      try {
        await host.clock.sleep(1000);
        const throttling = await cgroup.throttling();
        expect(throttling?.throttledPeriods).to.be.greaterThan(0);
        expect(throttling?.throttledMs).to.be.greaterThan(0);
        const members = await readFile(join(cgroup.directories[0]!, 'cgroup.procs'), 'utf8');
        expect(members.trim()).to.equal(String(child.pid));
        expect(await host.cgroups.remove(cgroup.directories[0]!)).to.equal(false);
      } finally {
        host.processes.signal(child.pid, 'SIGKILL');
      }
      await removeCgroups(host, { id: runId, directories }, 2000);
      expect(await failureOf(stat(cgroup.directories[0]!))).to.have.property('code', 'ENOENT');
    });
  });

  describe('when its groups are removed', () => {
    it('loses only those with the name of the run', async () => {
      const [own, other] = groupOf(cgroupName('abc'), 'other').directories;
      for (const path of [own!, other!]) await mkdir(path);
      await removeCgroups(host, { id: 'abc', directories: [own!, other!] }, 100);
      expect((await host.files.list(directory.path)).join()).to.equal('other');
    });

    it('is given a while to be gone, and then it is said whose group is left', async () => {
      let asked = 0;
      const cgroups: Cgroups = {
        ...host.cgroups,
        remove: () => Promise.resolve(++asked === 3),
      };
      const [path] = groupOf(cgroupName('abc')).directories;
      const group = { id: 'abc', directories: [path!] };
      await removeCgroups({ ...host, cgroups }, group, 5000);
      expect(asked).to.equal(3);
      const error = (await failureOf(removeCgroups({ ...host, cgroups }, group, 50))) as SimError;
      expect(error.code).to.equal('SIM_TIMEOUT');
      expect(error.message).to.include(path!);
    });
  });
});
