import { expect } from 'chai';
import type { UnnumberedCall } from '../../../../src/stubs/daemon/call.ts';
import { CallLog } from '../../../../src/stubs/fleet/call-log.ts';
import { aLittleLater } from '../../../helpers/eventually.ts';

const call: UnnumberedCall = {
  atMs: 1,
  node: 'sim-1',
  method: 'GET',
  path: '/interface',
  status: 200,
  durationMs: 1,
  requestBytes: 0,
  replyBytes: 2,
  detail: null,
};
const fill = (log: CallLog, count: number): void => {
  for (let i = 0; i < count; i++) log.append(call);
};
const numbers = (lines: string): readonly number[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seq: number }).seq);

/** What a reader gets of a log that is closed. */
async function readAll(log: CallLog, from: number, most: number): Promise<readonly number[][]> {
  log.close();
  const pieces: number[][] = [];
  for await (const piece of log.read(from, most)) pieces.push([...numbers(piece)]);
  return pieces;
}

describe('the log of calls', () => {
  it('numbers them from 1 and hands them out in pieces', async () => {
    const log = new CallLog(10);
    fill(log, 5);
    expect(log.last).to.equal(5);
    expect(await readAll(log, 1, 2)).to.deep.equal([[1, 2], [3, 4], [5]]);
  });

  it('begins where the reader wants', async () => {
    const log = new CallLog(10);
    fill(log, 5);
    expect(await readAll(log, 4, 10)).to.deep.equal([[4, 5]]);
    expect(await readAll(log, 6, 10)).to.deep.equal([]);
  });

  it('forgets the oldest, and keeps exactly as many as it shall', async () => {
    const log = new CallLog(4);
    fill(log, 11);
    expect(await readAll(log, 1, 100)).to.deep.equal([[8, 9, 10, 11]]);
  });

  it('shows a hole to a reader who was too slow', async () => {
    const log = new CallLog(4);
    fill(log, 2);
    const reader = log.read(1, 1);
    expect(numbers((await reader.next()).value as string)).to.deep.equal([1]);
    fill(log, 7);
    expect(numbers((await reader.next()).value as string)).to.deep.equal([6]);
  });

  it('wakes readers who wait, all of them', async () => {
    const log = new CallLog(4);
    const waiting = [log.read(1, 9).next(), log.read(1, 9).next()];
    await aLittleLater(5);
    fill(log, 1);
    for (const { value } of await Promise.all(waiting))
      expect(numbers(value as string)).to.deep.equal([1]);
  });

  it('lets readers who wait go when it is closed', async () => {
    const log = new CallLog(4);
    const waiting = log.read(1, 9).next();
    await aLittleLater(5);
    log.close();
    expect((await waiting).done).to.equal(true);
  });
});
