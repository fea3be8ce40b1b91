import { join } from 'node:path';
import { expect } from 'chai';
import { SimError } from '../../src/sim/base/errors.ts';
import { ensureToolchain, inspectToolchain } from '../../src/sim/toolchain/toolchain.ts';
import { failureOf, Sandbox, script } from '../helpers/toolchain-sandbox.ts';

describe("programs of the user's own", () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await Sandbox.make();
  });

  afterEach(() => sandbox.remove());

  async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
    const error = await failureOf(ensureToolchain(sandbox.host(env), { programs: ['etcd'] }));
    expect(error).to.be.instanceOf(SimError).with.property('code', 'SIM_TOOLCHAIN');
    return (error as SimError).details[0] ?? '';
  }

  it('are named by a variable or, which wins, by an option', async () => {
    const path = await sandbox.write('mine/etcd', script('etcd Version: 3.7.0'), 0o755);
    const other = await sandbox.write('other/etcd', script('etcd Version: 3.5.0'), 0o755);
    const host = sandbox.host({ SIM_ETCD: path });
    const byVariable = await ensureToolchain(host, { programs: ['etcd'] });
    expect(byVariable.get('etcd')).to.deep.equal({
      name: 'etcd',
      path,
      origin: 'explicit',
      version: 'v3.7.0',
    });
    const byOption = await ensureToolchain(host, { programs: ['etcd'], explicit: { etcd: other } });
    expect(byOption.get('etcd')).to.include({ path: other, version: 'v3.5.0' });
    expect(await sandbox.cached()).to.deep.equal([]);
  });

  it('are refused, and not replaced, when the path is wrong', async () => {
    const cached = join(sandbox.cache.directories.build, 'etcd').slice(sandbox.directory.length);
    await sandbox.write(cached, script('etcd Version: 3.6.16'), 0o755);
    const plain = await sandbox.write('plain', 'text');
    for (const [path, problem] of [
      ['/nowhere/etcd', 'does not exist'],
      [sandbox.directory, 'is a directory'],
      [plain, 'is not executable'],
    ] as const)
      expect(await refusal({ SIM_ETCD: path })).to.equal(
        `etcd: explicit: SIM_ETCD names ${path}, which ${problem}`,
      );
  });

  it('are refused when they do not say their version', async () => {
    const path = await sandbox.write('etcd', '#!/bin/sh\necho "no license" >&2\nexit 3\n', 0o755);
    expect(await refusal({ SIM_ETCD: path })).to.match(
      /etcd does not run: .* exited with code 3: no license$/,
    );
  });

  it('come from PATH with SIM_TOOLCHAIN=system, with the version they say', async () => {
    await sandbox.write('bin/etcd', script('etcd Version: 3.4.99'), 0o755);
    await sandbox.write('bin/nodeslicecontroller', script('never run'), 0o755);
    const host = sandbox.host({ SIM_TOOLCHAIN: 'system' });
    const programs = await ensureToolchain(host, { programs: ['etcd', 'nodeslicecontroller'] });
    expect([...programs.values()]).to.deep.equal([
      { name: 'etcd', path: join(sandbox.bin, 'etcd'), origin: 'system', version: 'v3.4.99' },
      {
        name: 'nodeslicecontroller',
        path: join(sandbox.bin, 'nodeslicecontroller'),
        origin: 'system',
        version: 'unknown',
      },
    ]);
  });

  it('are missed with SIM_TOOLCHAIN=system when PATH has none', async () => {
    const host = sandbox.host({ SIM_TOOLCHAIN: 'system' });
    expect(await inspectToolchain(host, ['kwok'])).to.deep.equal([
      {
        name: 'kwok',
        pinned: sandbox.pins.versions.kwok,
        state: 'unavailable',
        reasons: ['kwok: system: SIM_TOOLCHAIN is "system", and PATH has no such program'],
        remedies: [
          'install what is missing on PATH, or leave SIM_TOOLCHAIN out',
          'or set SIM_KWOK=/path/to/kwok',
        ],
      },
    ]);
  });

  it('are run without HOME, where a broken ~/.kwok/kwok.yaml would make kwok exit with 1', async () => {
    const path = await sandbox.write('kwok', '#!/bin/sh\necho "${HOME-v1.2.3}"\n', 0o755);
    const programs = await ensureToolchain(sandbox.host({ SIM_KWOK: path }), {
      programs: ['kwok'],
    });
    expect(programs.get('kwok')?.version).to.equal('v1.2.3');
  });
});
