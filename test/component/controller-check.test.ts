import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { checkController } from '../../src/sim/controllers/prepare-controller.ts';
import { realFiles } from '../../src/sim/host/files.ts';
import { commandOf } from '../helpers/controller-context.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

describe('a program of the user, before anything is started', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'sim-check-'));
    for (const name of ['bin', 'elsewhere']) await mkdir(join(cwd, name));
    for (const name of ['controller', 'bin/on-path', 'text']) {
      await writeFile(join(cwd, name), '#!/bin/sh\n');
      await chmod(join(cwd, name), name === 'text' ? 0o644 : 0o755);
    }
  });
  afterEach(() => rm(cwd, { recursive: true }));

  const check = (spec: Parameters<typeof commandOf>[0], PATH: string | undefined = '/none:bin') =>
    checkController({ files: realFiles, cwd, env: { PATH } }, commandOf(spec));
  const refusal = async (spec: Parameters<typeof commandOf>[0]) => {
    const { code, message, hint } = (await failureOf(check(spec))) as SimError;
    expect(code).to.equal('SIM_CONTROLLER_START');
    return { message, hint };
  };

  for (const command of ['./controller', 'bin/on-path', 'on-path', '{nodeslicecontroller}'])
    it(`is found as ${command}`, () => check({ command }));

  it('is found by an absolute path, whatever its working directory', () =>
    check({ command: join(cwd, 'controller'), workingDirectory: 'elsewhere' }));

  it('is looked for on the PATH that the scenario gives it', () =>
    check({ command: 'on-path', env: { PATH: join(cwd, 'bin') } }, '/none'));

  it('is left to the start where only the run knows its PATH', async () => {
    await check({ command: 'gone', env: { PATH: '{runDir}/bin' } });
  });

  it('that does not exist is told with the place where it was looked for', async () => {
    expect(await refusal({ command: './gone' })).to.deep.equal({
      message: 'the controller program ./gone does not exist',
      hint: `a path is taken from where sim was started: ${join(cwd, 'gone')}`,
    });
  });

  it('that is not on PATH is told, with the file that was meant', async () => {
    expect(await refusal({ command: 'gone' })).to.deep.equal({
      message: 'there is no controller program gone on PATH',
      hint: 'one that is not on PATH is named by its path',
    });
    expect(await refusal({ command: 'controller' })).to.include({
      hint: 'did you mean ./controller?',
    });
  });

  it('that cannot be executed is told', async () => {
    const { message } = await refusal({ command: './text' });
    expect(message).to.equal('the controller program ./text is not executable');
    const directory = await refusal({ command: './bin' });
    expect(directory.message).to.equal('the controller program ./bin is a directory');
  });

  it('whose working directory is missing is told that', async () => {
    const { message } = await refusal({ command: './controller', workingDirectory: 'gone' });
    expect(message).to.equal(
      `the working directory of the controller, ${join(cwd, 'gone')}, does not exist`,
    );
    const file = await refusal({ command: './controller', workingDirectory: 'text' });
    expect(file.message).to.match(/text, is no directory$/);
  });

  it('is not asked for where the controller is another', async () => {
    const host = { files: realFiles, cwd, env: {} };
    await checkController(host, {
      kind: 'reference',
      qps: 0,
      askEveryMs: 30_000,
      mutant: undefined,
    });
    await checkController(host, { kind: 'toolchain' });
  });
});
