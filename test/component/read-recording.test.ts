import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { realFiles } from '../../src/sim/host/files.ts';
import { readRecording } from '../../src/sim/run/read-recording.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

describe('a file that is no recording', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sim-recording-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const rows: readonly (readonly [string, string])[] = [
    ['a scenario', '# yaml-language-server: $schema=x\nname: a\n'],
    ['a report', '{\n  "schema": "sim.report/1"\n}\n'],
    ['JSON of another program', '{"kind":"Pod","seq":1,"atMs":1}\n'],
    ['a header that was cut off', '{"kind":"header","se'],
    ['nothing but empty lines', '\n\n'],
  ];
  for (const [what, text] of rows)
    it(`is told to be none when it is ${what}`, async () => {
      const path = join(directory, 'given');
      await writeFile(path, text);
      const error = (await failureOf(readRecording({ files: realFiles }, path))) as SimError;
      expect(error.code).to.equal('SIM_RECORDING');
      expect(error.message).to.equal(
        `${path} is no recording of sim: it does not begin with a header`,
      );
      expect(error.hint).to.equal('name a run directory, or the history.jsonl of one');
    });

  it('is told to be empty when it is', async () => {
    const path = join(directory, 'given');
    await writeFile(path, '');
    const error = (await failureOf(readRecording({ files: realFiles }, path))) as SimError;
    expect(error.message).to.equal(`${path} is empty`);
  });
});
