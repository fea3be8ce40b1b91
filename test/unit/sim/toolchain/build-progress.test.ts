import { expect } from 'chai';
import type { Clock } from '../../../../src/sim/base/clock.ts';
import { monotonicMs } from '../../../../src/sim/base/units.ts';
import { BuildProgress } from '../../../../src/sim/toolchain/build-progress.ts';

describe('BuildProgress', () => {
  let nowMs: number;
  let said: string[];
  let progress: BuildProgress;

  beforeEach(() => {
    nowMs = 0;
    said = [];
    const clock = { now: () => monotonicMs(nowMs) } as Clock;
    progress = new BuildProgress(clock, (line) => said.push(line));
  });

  it('counts packages, and says so only every few seconds', () => {
    progress.expect(2830);
    for (let i = 0; i < 2000; i++) {
      nowMs += 6;
      progress.read(`k8s.io/api/part${i}`);
    }
    expect(said).to.deep.equal([
      'building the toolchain: 834 of about 2,830 packages',
      'building the toolchain: 1,668 of about 2,830 packages',
    ]);
  });

  it('counts modules while they are downloaded', () => {
    nowMs = 60_000;
    progress.read('go: downloading k8s.io/api v0.36.1');
    expect(said).to.deep.equal(["downloading the toolchain's source: 1 Go module so far"]);
  });

  it('keeps the last lines that are neither', () => {
    progress.read('internal/cpu');
    progress.read('go: downloading k8s.io/api v0.36.1');
    for (let i = 1; i <= 20; i++) progress.read(`file.go:${i}: undefined: x`);
    progress.read('golang.org/x/net/http2');
    expect(progress.lastLines).to.have.length(12);
    expect(progress.lastLines.at(-1)).to.equal('file.go:20: undefined: x');
  });
});
