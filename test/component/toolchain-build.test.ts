import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import type { ProgramName } from '../../src/sim/toolchain/program.ts';
import { PROGRAM_NAMES } from '../../src/sim/toolchain/sources.ts';
import {
  ensureToolchain,
  inspectToolchain,
  type ToolchainOptions,
} from '../../src/sim/toolchain/toolchain.ts';
import { failureOf, Sandbox } from '../helpers/toolchain-sandbox.ts';

describe('the build of programs', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await Sandbox.make();
  });

  afterEach(() => sandbox.remove());

  const build = (
    programs: readonly ProgramName[],
    env: Readonly<Record<string, string>> = {},
    options: Partial<ToolchainOptions> = {},
  ) =>
    ensureToolchain(sandbox.host({ SIM_TOOLCHAIN: 'build', ...env }), {
      programs,
      onProgress: sandbox.onProgress,
      ...options,
    });

  const refusal = (programs: readonly ProgramName[]): Promise<string> =>
    sandbox.refusal(build(programs));

  it('makes every program, and gives etcd, which builds as "server", its name', async () => {
    await sandbox.addGo();

    const programs = await build(PROGRAM_NAMES);

    expect([...programs.keys()]).to.deep.equal(PROGRAM_NAMES);
    expect([...programs.values()].map(({ origin }) => origin)).to.deep.equal(
      PROGRAM_NAMES.map(() => 'build'),
    );
    expect(programs.get('etcd')).to.include({
      path: join(sandbox.cache.directories.build, 'etcd'),
      version: 'v3.6.16',
    });
    expect(programs.get('nodeslicecontroller')?.version).to.equal(
      `${sandbox.pins.versions.nodeslicecontroller} (pinned)`,
    );
    expect(await sandbox.cached()).to.deep.equal(
      PROGRAM_NAMES.map((name) => `build/${name}`).sort(),
    );
    expect(sandbox.said[0]).to.match(
      /with go1\.26\.8; the first build takes about eight minutes and is kept in .*\/build$/,
    );
  });

  it('builds only what is asked for and not there yet', async () => {
    await sandbox.addGo();
    await build(['kwok']);
    await build(['kwok', 'kwokctl']);
    const calls = (await sandbox.left('calls')).split('\n').filter((call) => /^build/.test(call));
    expect(calls).to.have.length(2);
    expect(calls[0]).to.match(/sigs\.k8s\.io\/kwok\/cmd\/kwok$/);
    expect(calls[1]).to.match(/-o \S+ sigs\.k8s\.io\/kwok\/cmd\/kwokctl$/);
    await build(['kwok', 'kwokctl']);
    expect((await sandbox.left('calls')).match(/^build/gm)).to.have.length(2);
  });

  it("does not pass on what could change the result, such as the caller's GOFLAGS", async () => {
    const settings = '"GOPROXY": "https://proxy.example", "GOCACHE": "/tmp", "GOSUMDB": ""';
    await sandbox.addGo({ 'go-env': settings });

    await build(['etcd'], {
      GOFLAGS: '-mod=mod',
      GOWORK: '/somewhere/go.work',
      GOOS: 'plan9',
      GOENV: '/somewhere/env',
      GOTOOLCHAIN: 'auto',
      KWOK_KUBE_VERSION: 'v1.0.0',
      HTTPS_PROXY: 'http://proxy.example:3128',
    });

    const seen = variables(await sandbox.left('build-environment'));
    for (const name of ['GOFLAGS', 'GOOS', 'KWOK_KUBE_VERSION'])
      expect(seen.has(name), name).to.equal(false);
    const passed = Object.fromEntries(
      [...seen].filter(([name]) => /^(GO|CGO|HTTPS)/.test(name) && name !== 'GOTMPDIR'),
    );
    expect(passed).to.deep.equal({
      CGO_ENABLED: '0',
      GOCACHE: '/tmp',
      GOENV: 'off',
      GOPROXY: 'https://proxy.example',
      GOTOOLCHAIN: 'local',
      GOWORK: 'off',
      HTTPS_PROXY: 'http://proxy.example:3128',
    });
    expect(seen.get('GOTMPDIR')).to.match(new RegExp(`^${sandbox.cache.root}/tmp-`));
    const asked = variables(await sandbox.left('query-environment'));
    expect(asked.get('GOENV'), '`go env` sees what `go env -w` wrote').to.equal('/somewhere/env');
    expect(asked.has('GOFLAGS')).to.equal(false);
  });

  it('gives the last lines of a build that fails', async () => {
    await sandbox.addGo({ behaviour: 'broken' });
    const reasons = (await refusal(['kwok', 'etcd'])).split('\n');
    expect(reasons.slice(0, 4)).to.deep.equal([
      'kwok, etcd: download: SIM_TOOLCHAIN is "build"',
      `kwok, etcd: build: ${sandbox.bin}/go failed`,
      '  # k8s.io/broken',
      '  broken.go:1:2: undefined: everything',
    ]);
    expect(reasons[4]).to.match(/go build -v .* exited with code 1$/);
  });

  it('ends the whole build when it is aborted, and leaves nothing', async () => {
    await sandbox.addGo({ behaviour: 'endless' });
    const stop = new AbortController();
    const failure = failureOf(build(['kwok'], {}, { signal: stop.signal }));
    const pid = Number(await eventually(() => sandbox.left('pid')));
    expect(await sandbox.cached()).to.include('lock');

    stop.abort(new Error('SIGINT'));

    expect(await failure).to.have.property('message', 'SIGINT');
    expect(await sandbox.cached()).to.deep.equal([]);
    await eventually(async () => {
      if (await readFile(`/proc/${pid}/stat`, 'utf8').then(isRunning, () => false))
        throw new Error(`process ${pid}, which go had started, is still running`);
    });
  });

  it('takes over the lock of a process that is dead, and removes what it left', async () => {
    await sandbox.addGo();
    const root = sandbox.cache.root.slice(sandbox.directory.length);
    const dead = { pid: 2 ** 22 + 1, startTicks: 1, bootId: 'another boot', command: 'sim' };
    await sandbox.write(join(root, 'lock'), JSON.stringify(dead));
    await sandbox.write(join(root, 'tmp-dead', 'out', 'kwok'), 'half');
    await build(['kwok']);
    expect(await sandbox.cached()).to.deep.equal(['build/kwok']);
    expect(sandbox.said.join('\n')).not.to.include('waiting');
  });

  it('says what to install when there is no Go', async () => {
    const reasons = await refusal(['kwok']);
    expect(reasons).to.include('kwok: build: there is no `go` on PATH');
    expect(reasons).to.include(
      `install Go ${sandbox.pins.goVersion} or newer (https://go.dev/dl/) and put it on PATH`,
    );
  });

  it('refuses a Go that is too old before it builds', async () => {
    await sandbox.addGo({ version: 'go1.24.3' });
    expect(await refusal(['kwok'])).to.include(
      `bin/go is go1.24.3; it must be ${sandbox.pins.goVersion} or newer`,
    );
    expect(await sandbox.left('calls')).not.to.include('build');
  });

  it('refuses to begin a cold build on a disk that cannot hold it', async () => {
    await sandbox.addGo({ 'go-env': '"GOMODCACHE": "/tmp/none", "GOCACHE": "/tmp/none"' });
    const host = sandbox.host({ SIM_TOOLCHAIN: 'build' });
    const full = { ...host, files: { ...host.files, freeBytes: () => Promise.resolve(2 ** 30) } };
    const error = await failureOf(ensureToolchain(full, { programs: PROGRAM_NAMES }));
    const details = (error as SimError).details.join('\n');
    expect(details).to.include('a build needs about 8.0Gi of disk, and /tmp has 1.0Gi free');
    expect(details).to.include('free some disk');
    expect(await sandbox.left('calls')).not.to.include('list');
  });

  it('tells the doctor about the build without beginning it', async () => {
    await sandbox.addGo();
    const host = sandbox.host({ SIM_TOOLCHAIN: 'build' });
    expect(await inspectToolchain(host, ['kwok'])).to.deep.equal([
      {
        name: 'kwok',
        pinned: sandbox.pins.versions.kwok,
        state: 'obtainable',
        ways: [`build with go1.26.8 (${sandbox.bin}/go) into ${sandbox.cache.directories.build}`],
        notes: ['kwok: download: SIM_TOOLCHAIN is "build"'],
      },
    ]);
    expect(await sandbox.cached()).to.deep.equal([]);
  });
});

const variables = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)] as const;
    }),
  );

const isRunning = (stat: string): boolean => !/\) [ZX] /.test(stat);

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await look();
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
