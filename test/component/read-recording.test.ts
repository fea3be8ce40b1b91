import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { realFiles } from '../../src/sim/host/files.ts';
import { readRecording } from '../../src/sim/run/read-recording.ts';
import { happyRun } from '../helpers/happy-run.ts';
import { scenarioOf } from '../helpers/planned-scenario.ts';
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

describe('a recording', () => {
  let directory: string;
  const whole = happyRun(scenarioOf()).toLines();
  const unended = whole.slice(0, -1);
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sim-recording-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function read(...lines: readonly string[]) {
    await writeFile(join(directory, 'history.jsonl'), lines.join('\n'));
    return readRecording({ files: realFiles }, directory);
  }
  const failure = async (...lines: readonly string[]): Promise<SimError> =>
    (await failureOf(read(...lines))) as SimError;

  it('is read to its end', async () => {
    const { run } = await read(...whole, '');
    expect(run.end?.reason).to.equal('completed');
    expect(run.steps.map(({ outcome }) => outcome)).to.deep.equal(['converged']);
  });

  it('may be cut off in its last line', async () => {
    const { run } = await read(...unended, whole.at(-1)?.slice(0, 20) ?? '');
    expect(run.end).to.equal(undefined);
    expect(run.holes).to.deep.equal([]);
  });

  it('is not cut off when something stands behind its end', async () => {
    for (const rest of ['x', '\0'.repeat(1e6), `${whole.at(-1)?.slice(0, 20)}`]) {
      const error = await failure(...whole, rest);
      expect(error.code).to.equal('SIM_RECORDING');
      expect(error.message).to.match(new RegExp(`history\\.jsonl:${whole.length + 1}: .{5,200}$`));
    }
  });

  it('is not cut off in a line that is whole and no entry', async () => {
    const error = await failure(...unended, '{"seq":1,"kind":"end"}');
    expect(error.code).to.equal('SIM_RECORDING');
    expect(error.message).to.match(/:\d+: atMs: Invalid input: expected number/);
  });

  it('is refused when its times are none', async () => {
    const late = whole.map((line) => line.replace(/"atMs":[\d.]+/, '"atMs":1e308'));
    const error = await failure(...whole.slice(0, 1), ...late.slice(1));
    expect(error.code).to.equal('SIM_RECORDING');
    expect(error.message).to.match(/history\.jsonl:2: atMs: /);
  });

  it('says what is wrong with its header', async () => {
    const error = await failure(
      `${whole[0]?.replace('"schema":1', '"schema":2')}`,
      ...whole.slice(1),
    );
    expect(error.message).to.match(/is no recording of sim: it does not begin with a header/);
    expect(error.details).to.deep.equal(['its first entry: schema: Invalid input: expected 1']);
  });

  it('is a file, and one that can be read', async () => {
    const path = join(directory, 'history.jsonl');
    await mkdir(path);
    const error = (await failureOf(readRecording({ files: realFiles }, directory))) as SimError;
    expect(error.code).to.equal('SIM_RECORDING');
    expect(error.message).to.equal(`${path} is a directory`);
    const lines = () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('EIO: i/o error')) }),
    });
    await rm(path, { recursive: true });
    await writeFile(path, '');
    const files = { ...realFiles, lines };
    const broken = (await failureOf(readRecording({ files }, directory))) as SimError;
    expect(broken.code).to.equal('SIM_RECORDING');
    expect(broken.message).to.equal(`cannot read ${path}: EIO: i/o error`);
    const stat = () => Promise.reject(new Error('EACCES: denied'));
    const denied = (await failureOf(
      readRecording({ files: { ...realFiles, stat } }, directory),
    )) as SimError;
    expect(denied.message).to.equal(`cannot read ${directory}: EACCES: denied`);
  });
});
