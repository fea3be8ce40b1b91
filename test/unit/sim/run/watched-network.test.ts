import { expect } from 'chai';
import { runMs } from '../../../../src/sim/base/units.ts';
import { multiNicProfile } from '../../../../src/sim/operators/multi-nic/profile.ts';
import { nodeIpamProfile } from '../../../../src/sim/operators/node-ipam/profile.ts';
import {
  areComplete,
  networkJson,
  networkLine,
  progressOf,
  tableLines,
  type ShownNetwork,
} from '../../../../src/sim/run/watched-network.ts';

const counters = (total: number, available: number, processed: number, fellFrom?: number) =>
  new Map([
    ['total', { value: total, fellFrom: undefined }],
    ['available', { value: available, fellFrom: undefined }],
    ['processed', { value: processed, fellFrom }],
  ]);

const DONE: ShownNetwork = {
  network: 'net',
  nodes: 100,
  counters: counters(100, 100, 100),
  blocks: 200,
  pools: 200,
  missing: new Map(),
  rate: 0,
};
const BUSY: ShownNetwork = {
  ...DONE,
  counters: counters(100, 100, 51, 100),
  blocks: 104,
  pools: 102,
  missing: new Map([
    ['cidr', ['sim-3', 'sim-7', 'sim-8', 'sim-9', 'sim-10', 'sim-11']],
    ['pools', ['sim-2']],
  ]),
  rate: 2.04,
};
const PODS: ShownNetwork = {
  network: 'pods',
  nodes: 3,
  counters: new Map(),
  blocks: 2,
  pools: 0,
  missing: new Map([['cidr', ['sim-3']]]),
  rate: 0,
};

describe('a watched network', () => {
  it('is a row of a table, with what its nodes lack below it', () => {
    expect(tableLines([BUSY], multiNicProfile, runMs(2500))).to.deep.equal([
      'after 2.5s: 1 network',
      'NETWORK  NODES  TOTAL  AVAILABLE           PROCESSED  BLOCKS  POOLS   RATE',
      'net        100    100        100  51 (fell from 100)     104    102  2.0/s',
      '  no block (6): sim-3, sim-7, sim-8, sim-9, sim-10 and 1 more',
      '  no pool (1): sim-2',
    ]);
  });

  it('has no columns for what its operator has not', () => {
    expect(tableLines([PODS], nodeIpamProfile, runMs(2500))).to.deep.equal([
      'after 2.5s: 1 network',
      'NETWORK  NODES  BLOCKS   RATE',
      'pods         3       2  0.0/s',
      '  no podCIDR (1): sim-3',
    ]);
  });

  it('leaves a table without a heading when there is none', () => {
    expect(tableLines([], multiNicProfile, runMs(2500))).to.deep.equal(['after 2.5s: 0 networks']);
  });

  it('is a line of a log', () => {
    expect(networkLine(BUSY, multiNicProfile)).to.equal(
      'net: nodes 100, total 100, available 100, processed 51 (fell from 100), blocks 104, pools 102, 2.0/s; ' +
        'no block (6): sim-3, sim-7, sim-8, sim-9, sim-10 and 1 more; no pool (1): sim-2',
    );
    expect(networkLine(PODS, nodeIpamProfile)).to.equal(
      'pods: nodes 3, blocks 2, 0.0/s; no podCIDR (1): sim-3',
    );
  });

  it('is an object for programs, with all names', () => {
    expect(networkJson(BUSY, multiNicProfile, runMs(2500.4))).to.deep.equal({
      atMs: 2500,
      network: 'net',
      nodes: 100,
      counters: { total: 100, available: 100, processed: 51 },
      fellFrom: { processed: 100 },
      blocks: 104,
      pools: 102,
      perSecond: 2,
      missing: {
        cidr: ['sim-3', 'sim-7', 'sim-8', 'sim-9', 'sim-10', 'sim-11'],
        pools: ['sim-2'],
      },
    });
    expect(networkJson(PODS, nodeIpamProfile, runMs(0))).not.to.have.any.keys('pools', 'fellFrom');
  });

  it('has a counter of which nothing was reported yet at 0', () => {
    const fresh = { ...DONE, counters: new Map() };
    expect(networkLine(fresh, multiNicProfile)).to.include('total 0, available 0, processed 0');
    expect(areComplete([fresh], multiNicProfile)).to.be.false;
  });

  it('gets on by its last counter, or else by the nodes that lack nothing', () => {
    expect(progressOf(BUSY, multiNicProfile)).to.equal(51);
    expect(progressOf(PODS, nodeIpamProfile)).to.equal(2);
  });

  describe('is complete', () => {
    const isComplete = (changes: Partial<ShownNetwork>): boolean =>
      areComplete([{ ...DONE, ...changes }], multiNicProfile);

    it('when nobody lacks anything and each counter is the number of nodes', () => {
      expect(isComplete({})).to.be.true;
    });
    it('not while a node lacks something', () => {
      expect(isComplete({ missing: new Map([['pools', ['sim-2']]]) })).to.be.false;
    });
    it('not while a counter is too low or too high', () => {
      expect(isComplete({ counters: counters(100, 100, 99) })).to.be.false;
      expect(isComplete({ counters: counters(101, 100, 100) })).to.be.false;
    });
    it('not without nodes, nor without networks', () => {
      expect(isComplete({ nodes: 0, counters: counters(0, 0, 0) })).to.be.false;
      expect(areComplete([], multiNicProfile)).to.be.false;
    });
    it('not when only some are', () => {
      expect(areComplete([DONE, BUSY], multiNicProfile)).to.be.false;
    });
  });
});
