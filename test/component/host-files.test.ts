import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { realFiles } from '../../src/sim/host/files.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => error,
  );

describe('making a directory', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const at = (...names: readonly string[]): string => join(directory.path, ...names);
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => directory.remove());

  it('makes every level that is missing, with the mode', async () => {
    await realFiles.makeDirectory(at('a', 'b', 'c'), { mode: 0o700 });
    for (const path of [at('a'), at('a', 'b'), at('a', 'b', 'c')])
      expect((await stat(path)).mode & 0o777).to.equal(0o700);
  });

  it('is content with one that is there, by a link too', async () => {
    await mkdir(at('a'));
    await symlink(at('a'), at('link'));
    for (const path of [at('a'), at('link'), `${at('a')}/`, at('link', 'b')])
      await realFiles.makeDirectory(path);
    expect((await stat(at('a', 'b'))).isDirectory()).to.equal(true);
  });

  it('lets several make the same at once', async () => {
    await Promise.all(
      Array.from({ length: 20 }, () => realFiles.makeDirectory(at('a', 'b', 'c', 'd'))),
    );
    expect((await stat(at('a', 'b', 'c', 'd'))).isDirectory()).to.equal(true);
  });

  it('fails where a file or a broken link is in the way', async () => {
    await writeFile(at('file'), '');
    await symlink(at('nowhere'), at('broken'));
    expect(await failureOf(realFiles.makeDirectory(at('file')))).to.include({ code: 'EEXIST' });
    expect(await failureOf(realFiles.makeDirectory(at('file', 'a')))).to.include({
      code: 'ENOTDIR',
    });
    expect(await failureOf(realFiles.makeDirectory(at('broken')))).to.include({ code: 'EEXIST' });
    expect(await failureOf(realFiles.makeDirectory(at('broken', 'a')))).to.include({
      code: 'EEXIST',
    });
  });

  // Node.js's own `recursive` never ends there: the parent is there, and mkdir says that it is not.
  it('fails on a file system that answers as if the parent were missing', async () => {
    for (const path of ['/proc/sim-test', '/proc/sim-test/a/b']) {
      const error = await failureOf(realFiles.makeDirectory(path));
      expect(error).to.be.instanceOf(Error).with.property('code', 'ENOENT');
      expect(String(error)).to.match(/cannot make \/proc\/sim-test: .*in \/proc/);
    }
  });

  it('fails the same way for a temporary one', async () => {
    const error = await failureOf(realFiles.makeTemporaryDirectory('/proc/sim-test/a/b-'));
    expect(error).to.be.instanceOf(Error).with.property('code', 'ENOENT');
  });
});
