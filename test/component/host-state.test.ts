import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { realFiles } from '../../src/sim/host/files.ts';
import { realProcesses } from '../../src/sim/host/processes.ts';
import { RunRecordFile } from '../../src/sim/host/run-record.ts';
import { makeStateDirectory } from '../../src/sim/host/state-directory.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

describe('a state directory that cannot be made', () => {
  const host = { files: realFiles, processes: realProcesses, env: { XDG_STATE_HOME: '/proc' } };
  const expectTold = (thrown: unknown): void => {
    const error = thrown as SimError;
    expect(error.code).to.equal('SIM_RECORDING_WRITE');
    expect(error.message).to.match(/^cannot make the state directory \/proc\/sim.*: cannot make/);
    expect(error.hint).to.match(/set XDG_STATE_HOME/);
  };

  it('is told, with what to do', async () => {
    expectTold(await failureOf(makeStateDirectory(host)));
  });

  it('is told by the record of a run', async () => {
    const run = { id: 'abc', startedAt: '2026-01-01T00:00:00.000Z', runDirectory: '/tmp/abc' };
    expectTold(await failureOf(RunRecordFile.create(host, run)));
  });
});
