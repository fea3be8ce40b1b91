import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parseHistoryLine } from '../../src/sim/model/history.ts';
import { skipBecause } from '../helpers/skip.ts';
import { SimHome } from '../helpers/sim-process.ts';

const run = promisify(execFile);

describe('a disk that fills up in the middle of a run', function () {
  this.timeout(120_000);
  let home: SimHome;
  let isMounted = false;

  beforeEach(async function () {
    isMounted = false;
    home = await SimHome.make();
    await mkdir(home.output);
    if (process.getuid?.() !== 0) skipBecause(this, 'mounting a small file system needs root');
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', home.output]);
      isMounted = true;
    } catch (error) {
      skipBecause(this, `cannot mount a small file system: ${String(error)}`);
    }
  });
  afterEach(async () => {
    if (isMounted) await run('umount', [home.output]);
    await home.remove();
  });

  it('ends it with exit code 3 and a clear message; what was recorded before can be read', async () => {
    const args = ['run', '2-nodes', '--output', home.output];
    const more = ['--set', 'steps[0].scale.to=60', '--set', 'settle=1s'];
    const { code, stderr } = await home.run([...args, ...more]);
    expect(code, stderr).to.equal(3);
    expect(stderr).to.match(/SIM_RECORDING_WRITE cannot write the recording: ENOSPC/);
    expect(stderr).to.match(/hint: free some space/);
    expect(await home.leftovers()).to.deep.equal([]);
    const lines = (await readFile(`${home.output}/history.jsonl`, 'utf8')).split('\n');
    for (const line of lines.slice(0, -1)) expect(parseHistoryLine(line)).to.have.property('known');
    expect(lines.length).to.be.greaterThan(10);
    const judged = await home.run(['judge', home.output]);
    expect(judged.code).to.equal(3);
  });

  it('is blamed for a controller that cannot write its log, and the report is not said to be there', async () => {
    await run('mount', ['-o', 'remount,size=8k', home.output]);
    const { code, stdout, stderr } = await home.run(['run', '10-nodes', '--output', home.output]);
    expect(code, stdout + stderr).to.equal(3);
    expect(stdout).to.match(/^10-nodes: ERROR/m);
    expect(stdout).not.to.include('report: ');
    const errors = stderr.split('\n').filter((line) => line.startsWith('SIM_'));
    expect(errors).to.have.length(2);
    expect(errors[0]).to.match(/^SIM_RECORDING_WRITE cannot write /);
    expect(errors[1]).to.match(/^SIM_RECORDING_WRITE cannot write the report to .*ENOSPC/);
    expect(await home.leftovers()).to.deep.equal([]);
  });
});
