import { expect } from 'chai';
import {
  censoredPercentile,
  heldTimes,
  milestoneReport,
  p50p99,
} from '../../../../src/sim/judge/statistics.ts';
import type { NodeTiming } from '../../../../src/sim/model/recorded-run.ts';

/** The sample of nodes that have held since these times; null for one that does not hold. */
const sampleOf = (...heldMs: readonly (number | null)[]): readonly NodeTiming[] =>
  heldMs.map((held, i) => ({
    node: `sim-${i + 1}`,
    firstMs: held === null ? null : held - 10,
    heldMs: held,
    sinceCreateMs: held,
  }));

describe('milestoneReport', () => {
  it('has its percentiles by nearest rank, from the unsorted sample', () => {
    const { nodes, ...report } = milestoneReport(sampleOf(400, 100, 300, 200));
    expect(report).to.deep.equal({
      count: 4,
      firstMs: 90,
      p50Ms: 200,
      p90Ms: 400,
      p99Ms: 400,
      maxMs: 400,
      allMs: 400,
      missing: [],
    });
    expect(nodes.map(({ node }) => node)).to.deep.equal(['sim-1', 'sim-2', 'sim-3', 'sim-4']);
  });

  it('does not know percentiles that fall on a node which is missing, and names it', () => {
    expect(milestoneReport(sampleOf(100, null, 300, 200))).to.deep.include({
      count: 4,
      p50Ms: 200,
      p90Ms: null,
      p99Ms: null,
      maxMs: 300,
      allMs: null,
      missing: ['sim-2'],
    });
  });

  it('knows nothing when no node holds', () => {
    expect(milestoneReport(sampleOf(null, null))).to.deep.include({
      count: 2,
      firstMs: null,
      p50Ms: null,
      maxMs: null,
      allMs: null,
      missing: ['sim-1', 'sim-2'],
    });
  });

  it('knows nothing of an empty sample: never a zero', () => {
    expect(milestoneReport([])).to.deep.equal({
      count: 0,
      firstMs: null,
      p50Ms: null,
      p90Ms: null,
      p99Ms: null,
      maxMs: null,
      allMs: null,
      missing: [],
      nodes: [],
    });
  });

  it('takes the first time from a node that lost it again, too', () => {
    const lost: NodeTiming = { node: 'sim-9', firstMs: 5, heldMs: null, sinceCreateMs: null };
    expect(milestoneReport([...sampleOf(100), lost])).to.include({ firstMs: 5, allMs: null });
  });
});

describe('censoredPercentile', () => {
  it('counts unfinished nodes as slower than all others', () => {
    expect(censoredPercentile([1, 2, 3], 1, 75)).to.equal(3);
    expect(censoredPercentile([1, 2, 3], 1, 76)).to.be.undefined;
    expect(censoredPercentile([1, 2, 3], 3, 50)).to.equal(3);
    expect(censoredPercentile([1, 2, 3], 4, 50)).to.be.undefined;
  });

  it('knows nothing of an empty sample', () => {
    expect(censoredPercentile([], 0, 50)).to.be.undefined;
  });
});

describe('heldTimes', () => {
  it('are sorted, without the nodes that do not hold', () => {
    expect(heldTimes(sampleOf(30, null, 4, 200))).to.deep.equal([4, 30, 200]);
  });
});

describe('p50p99', () => {
  it('gives both, and null for nothing', () => {
    expect(p50p99([3, 1, 2])).to.deep.equal({ p50: 2, p99: 3 });
    expect(p50p99([])).to.be.null;
  });
});
