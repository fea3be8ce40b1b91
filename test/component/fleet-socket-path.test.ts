import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeSocketPath, removeSocketDirectory } from '../../src/sim/fleet/socket-path.ts';
import { realFiles } from '../../src/sim/host/files.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';

describe('the socket path of a run', () => {
  const id = `t${process.pid}`;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(async () => {
    await removeSocketDirectory({ files: realFiles, env: {} }, id);
    await directory.remove();
  });
  const hostOf = (own?: string) => ({ files: realFiles, env: { XDG_RUNTIME_DIR: own } });

  it('is in a directory of its own, which nobody else may enter', async () => {
    const host = hostOf(directory.path);
    const path = await makeSocketPath(host, id);
    expect(path).to.equal(join(directory.path, `sim-${id}`, 'fleet.sock'));
    expect((await stat(join(path, '..'))).mode & 0o777).to.equal(0o700);
    await removeSocketDirectory(host, id);
    expect(await realFiles.list(directory.path)).to.deep.equal([]);
  });

  it('is closed to others also when the directory was there', async () => {
    await mkdir(join(directory.path, `sim-${id}`), { mode: 0o777 });
    const path = await makeSocketPath(hostOf(directory.path), id);
    expect((await stat(join(path, '..'))).mode & 0o777).to.equal(0o700);
  });

  for (const [title, own] of [
    ['there is none', undefined],
    ['it is no absolute path', 'relative'],
    ['it is too deep', `/tmp/${'x'.repeat(90)}`],
  ] as const)
    it(`is in /tmp when ${title}`, async () => {
      expect(await makeSocketPath(hostOf(own), id)).to.equal(`/tmp/sim-${id}/fleet.sock`);
    });

  it('is in /tmp when the runtime directory cannot be used', async () => {
    const own = join(directory.path, 'file');
    await writeFile(own, '');
    expect(await makeSocketPath(hostOf(own), id)).to.equal(`/tmp/sim-${id}/fleet.sock`);
  });

  it('is never longer than a socket path may be', async () => {
    const error = await makeSocketPath(hostOf(), 'x'.repeat(100)).catch(String);
    expect(error).to.match(/the run id x+ is too long for a socket path/);
  });
});
