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

  it('is in /tmp when the runtime directory is missing, and does not make that', async () => {
    const own = join(directory.path, 'foo', 'bar');
    expect(await makeSocketPath(hostOf(own), id)).to.equal(`/tmp/sim-${id}/fleet.sock`);
    expect(await realFiles.list(directory.path)).to.deep.equal([]);
  });

  it('is never longer than a socket path may be', async () => {
    const error = await makeSocketPath(hostOf(), 'x'.repeat(100)).catch(String);
    expect(error).to.match(/the run id x+ is too long for a socket path/);
  });

  it('says why there is none', async () => {
    const files = { ...realFiles, stat: () => Promise.resolve(undefined) };
    const error = await makeSocketPath({ files, env: {} }, id).catch(String);
    expect(error).to.match(/cannot make a directory for the socket of the fleet: .*\/tmp/);
  });

  describe('when it is removed', () => {
    it('is found in /tmp, whatever the runtime directory is', async () => {
      const file = join(directory.path, 'file');
      await writeFile(file, '');
      for (const own of [file, join(file, 'a'), join(directory.path, 'missing'), undefined]) {
        await makeSocketPath(hostOf(own), id);
        await removeSocketDirectory(hostOf(own), id);
        expect(await realFiles.stat(`/tmp/sim-${id}`), own).to.equal(undefined);
      }
    });

    it('is found in the runtime directory that the run had', async () => {
      await makeSocketPath(hostOf(directory.path), id);
      await removeSocketDirectory(hostOf('/nowhere'), id, directory.path);
      expect(await realFiles.list(directory.path)).to.deep.equal([]);
    });

    it('is looked for everywhere before a failure is told', async () => {
      await makeSocketPath(hostOf(), id);
      await mkdir(join(directory.path, `sim-${id}`));
      const files = {
        ...realFiles,
        remove: (path: string) =>
          path.startsWith(directory.path)
            ? Promise.reject(new Error('EBUSY: busy'))
            : realFiles.remove(path),
      };
      const env = { XDG_RUNTIME_DIR: directory.path };
      expect(await removeSocketDirectory({ files, env }, id).catch(String)).to.match(/EBUSY/);
      expect(await realFiles.stat(`/tmp/sim-${id}`)).to.equal(undefined);
    });

    it('is no failure where nothing can be looked at: nothing can have been made there', async () => {
      const denied = Object.assign(new Error('EACCES: denied'), { code: 'EACCES' });
      const stat = (path: string) =>
        path.startsWith('/run/user') ? Promise.reject(denied) : realFiles.stat(path);
      const host = { files: { ...realFiles, stat }, env: { XDG_RUNTIME_DIR: '/run/user/0' } };
      expect(await makeSocketPath(host, id)).to.equal(`/tmp/sim-${id}/fleet.sock`);
      await removeSocketDirectory(host, id);
      expect(await realFiles.stat(`/tmp/sim-${id}`)).to.equal(undefined);
    });
  });
});
