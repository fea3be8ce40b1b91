import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  ensureToolchain,
  inspectToolchain,
  type ToolchainOptions,
} from '../../src/sim/toolchain/toolchain.ts';
import { ReleaseMirror, sha256 } from '../helpers/release-mirror.ts';
import { ARCH, failureOf, Sandbox, script } from '../helpers/toolchain-sandbox.ts';

const APISERVER = script('Kubernetes v1.36.1');

describe('the download of programs', () => {
  let sandbox: Sandbox;
  let mirror: ReleaseMirror;

  beforeEach(async () => {
    sandbox = await Sandbox.make();
    mirror = new ReleaseMirror();
    await mirror.listen();
  });

  afterEach(async () => {
    await mirror.close();
    await sandbox.remove();
  });

  const kubePath = (): string =>
    `/dl.k8s.io/release/${sandbox.pins.versions['kube-apiserver']}/bin/linux/${ARCH}/kube-apiserver`;

  const download = (options: Partial<ToolchainOptions> = {}) =>
    ensureToolchain(sandbox.host({ SIM_TOOLCHAIN: 'download', SIM_DOWNLOAD_MIRROR: mirror.url }), {
      programs: ['kube-apiserver'],
      onProgress: sandbox.onProgress,
      ...options,
    });

  const refusal = (options: Partial<ToolchainOptions> = {}): Promise<string> =>
    sandbox.refusal(download(options));

  it('verifies a Kubernetes program and keeps it for the next run', async () => {
    mirror.publish(kubePath(), APISERVER);

    const programs = await download();

    expect(programs.get('kube-apiserver')).to.deep.equal({
      name: 'kube-apiserver',
      path: join(sandbox.cache.directories.download, 'kube-apiserver'),
      origin: 'download',
      version: 'v1.36.1',
    });
    expect(await sandbox.cached()).to.deep.equal(['download/kube-apiserver']);
    expect(sandbox.said).to.deep.equal([
      `downloading kube-apiserver ${sandbox.pins.versions['kube-apiserver']} (${APISERVER.length}B) from ${new URL(mirror.url).host}`,
    ]);
    expect(mirror.asked).to.deep.equal([`${kubePath()}.sha256`, kubePath()]);
    await download();
    expect(mirror.asked, 'the second run asks nothing').to.have.length(2);
  });

  it('unpacks etcd from an archive that SHA256SUMS vouches for', async () => {
    const version = sandbox.pins.versions.etcd;
    const folder = `etcd-${version}-linux-${ARCH}`;
    await sandbox.write(`${folder}/etcd`, script('etcd Version: 3.6.16'), 0o755);
    await sandbox.write(`${folder}/README.md`, 'not wanted');
    const archive = join(sandbox.directory, 'etcd.tar.gz');
    await promisify(execFile)('tar', ['-czf', archive, '-C', sandbox.directory, folder]);
    const content = await readFile(archive);
    const base = `/github.com/etcd-io/etcd/releases/download/${version}`;
    mirror.answer(`${base}/${folder}.tar.gz`, (_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end('moved');
    });
    mirror.publish('/elsewhere', content);
    mirror.answer(`${base}/SHA256SUMS`, (_, response) =>
      response.end(`${'0'.repeat(64)}  other.zip\n${sha256(content)}  ${folder}.tar.gz\n`),
    );

    const programs = await download({ programs: ['etcd'] });

    expect(programs.get('etcd')).to.include({ origin: 'download', version: 'v3.6.16' });
    expect(await sandbox.cached()).to.deep.equal(['download/etcd']);
  });

  it('refuses a file with a wrong checksum', async () => {
    mirror.publish(kubePath(), APISERVER);
    mirror.answer(`${kubePath()}.sha256`, (_, response) => response.end('a'.repeat(64)));
    expect(await refusal()).to.include(
      `is not what its publisher says: the sha256 is ${sha256(APISERVER)}, not ${'a'.repeat(64)}`,
    );
  });

  it('does not download a program whose checksum file is not there', async () => {
    mirror.answer(kubePath(), (_, response) => response.end(APISERVER));
    expect(await refusal()).to.include(`${mirror.url}${kubePath()}.sha256 answered 404`);
    expect(mirror.asked).not.to.include(kubePath());
  });

  it('does not take a page that is no checksum file for one', async () => {
    mirror.publish(kubePath(), APISERVER);
    mirror.answer(`${kubePath()}.sha256`, (_, response) => response.end('<html>Log in</html>'));
    expect(await refusal()).to.include('has no checksum for kube-apiserver');
  });

  it('says which file the publisher does not have', async () => {
    mirror.publish(kubePath(), APISERVER);
    mirror.answer(kubePath(), (_, response) => response.writeHead(404).end());
    expect(await refusal()).to.include(`${mirror.url}${kubePath()} answered 404`);
  });

  it('leaves nothing of a download that was cut off half-way', async () => {
    mirror.publish(kubePath(), APISERVER);
    mirror.answer(kubePath(), (_, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 });
      response.write('#!/bin/sh\n', () => setTimeout(() => response.destroy(), 20));
    });
    expect(await refusal()).to.include(`${mirror.url}${kubePath()} was cut off:`);
  });

  it('gives up on a download that falls silent', async () => {
    mirror.publish(kubePath(), APISERVER);
    mirror.answer(kubePath(), (_, response) => void response.write('#!/bin/sh\n'));
    expect(await refusal({ timeouts: { idleMs: 200 } })).to.include('nothing came for 200ms');
  });

  it('does not keep a verified file that does not run here', async () => {
    mirror.publish(kubePath(), '#!/bin/sh\necho "wrong machine" >&2; exit 126\n');
    expect(await refusal()).to.match(
      /it does not run here: .* exited with code 126: wrong machine/,
    );
  });

  it('leaves nothing when it is aborted, and gives the reason of the abort', async () => {
    const stop = new AbortController();
    mirror.publish(kubePath(), APISERVER);
    mirror.answer(kubePath(), (_, response) => {
      response.write('#!/bin/sh\n', () =>
        setTimeout(() => {
          stop.abort(new Error('SIGINT'));
        }, 20),
      );
    });
    expect(await failureOf(download({ signal: stop.signal }))).to.have.property(
      'message',
      'SIGINT',
    );
    expect(await sandbox.cached()).to.deep.equal([]);
  });

  it('shares one download between two runs at the same time', async () => {
    mirror.publish(kubePath(), APISERVER, { delayMs: 300 });

    const [first, second] = await Promise.all([download(), download()]);

    expect(first.get('kube-apiserver')).to.deep.equal(second.get('kube-apiserver'));
    expect(mirror.asked.filter((path) => path === kubePath())).to.have.length(1);
    const waits = sandbox.said.filter((line) => line.startsWith('waiting for another run of sim'));
    expect(waits).to.have.length(1);
    expect(await sandbox.cached()).to.deep.equal(['download/kube-apiserver']);
  });

  it('replaces a program in the cache that does not run any more, and says so', async () => {
    mirror.publish(kubePath(), APISERVER);
    const cached = join(sandbox.cache.directories.download, 'kube-apiserver');
    await mkdir(sandbox.cache.directories.download, { recursive: true });
    await sandbox.write(cached.slice(sandbox.directory.length), '', 0o755);

    const programs = await download();

    expect(programs.get('kube-apiserver')?.version).to.equal('v1.36.1');
    expect(sandbox.said[0]).to.match(
      /^kube-apiserver in the cache does not run \(.* says nothing\); it is made again$/,
    );
    expect(await readFile(cached, 'utf8')).to.equal(APISERVER);
  });

  it('removes what a run that was killed left', async () => {
    mirror.publish(kubePath(), APISERVER);
    const leftover = join(sandbox.cache.root, 'tmp-killed', 'half').slice(sandbox.directory.length);
    await sandbox.write(leftover, 'half');
    await download();
    expect(await sandbox.cached()).to.deep.equal(['download/kube-apiserver']);
  });

  it('gives every reason and remedy at once, before it downloads anything', async () => {
    const reasons = await refusal({ programs: ['kube-apiserver', 'kwok', 'kwokctl'] });
    expect(reasons.split('\n')).to.deep.equal([
      'kwok, kwokctl: download: its publisher has no checksum file that sim can check it against, so it is not downloaded',
      'kwok, kwokctl: build: SIM_TOOLCHAIN is "download"',
      'what you can do:',
      '  leave SIM_TOOLCHAIN out, so that every way is tried',
      '  or name programs of your own: SIM_KWOK=/path/to/kwok SIM_KWOKCTL=/path/to/kwokctl',
      '  or set SIM_TOOLCHAIN=system to take every program from PATH; their versions are then yours to choose',
    ]);
    expect(mirror.asked).to.deep.equal([]);
  });

  it('tells the doctor where programs would come from without asking anybody', async () => {
    const host = sandbox.host({ SIM_DOWNLOAD_MIRROR: mirror.url });
    const [apiserver, kwok] = await inspectToolchain(host, ['kube-apiserver', 'kwok']);
    expect(apiserver).to.deep.equal({
      name: 'kube-apiserver',
      pinned: sandbox.pins.versions['kube-apiserver'],
      state: 'obtainable',
      ways: [`download of ${mirror.url}${kubePath()} (not tried)`],
      notes: ['kube-apiserver: build: there is no `go` on PATH'],
    });
    expect(kwok).to.include({ state: 'unavailable', pinned: sandbox.pins.versions.kwok });
    expect(mirror.asked).to.deep.equal([]);
    expect(await sandbox.cached()).to.deep.equal([]);
  });
});
