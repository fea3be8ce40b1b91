import { expect } from 'chai';
import { addressAt, overlap, parseBlock } from '../../src/stubs/daemon/ipv4-block.ts';
import { DAEMON_MUTANTS, daemonMutationsOf } from '../../src/stubs/daemon/mutants.ts';
import { AllocatingFleet } from '../helpers/allocating-fleet.ts';
import type { Row } from '../helpers/fake-ip-pools.ts';

const EXCLUDED = '192.168.1.8/29';
const POOLS = { 'sim-1': '192.168.0.0/26', 'sim-2': '192.168.1.0/26' } as const;
type Node = keyof typeof POOLS;

/** What a daemon has answered to three pods, of which the first then gave its address back, and its rows before and after. */
interface Life {
  readonly podCIDR: string;
  readonly answers: readonly string[];
  readonly before: readonly Row[];
  readonly after: readonly Row[];
}

const PODS = ['a', 'b', 'c'];

async function live(fleet: AllocatingFleet, node: Node): Promise<Life> {
  const podCIDR = POOLS[node];
  const number = Number(node.replace('sim-', ''));
  const pool = fleet.cluster.put({ host: node, nic: 'eth1', podCIDR, excludes: [EXCLUDED] });
  const answers: string[] = [];
  for (const pod of PODS) {
    const reply = await fleet.addresses('/allocate', pod, {}, number);
    answers.push(`${pod} ${(reply as { readonly eth1: string }).eth1}`);
  }
  const before = fleet.cluster.rows(pool);
  expect(await fleet.addresses('/deallocate', 'a', {}, number)).to.have.property('eth1');
  return { podCIDR, answers, before, after: fleet.cluster.rows(pool) };
}

const owned = (rows: readonly Row[]): string =>
  rows
    .map(({ pod, address }) => `${pod} ${address}`)
    .sort()
    .join();

/** By the invariant that guards it: whether the guarantee is broken. */
const GUARANTEES: Readonly<Record<string, (life: Life) => boolean>> = {
  INV001: ({ before, after }) =>
    [before, after].some((rows) =>
      rows.some((a) => rows.some((b) => a.pod !== b.pod && a.address === b.address)),
    ),
  INV008: ({ answers, before, after }) =>
    owned(before) !== answers.join() || owned(after) !== answers.slice(1).join(),
  INV009: ({ podCIDR, before, after }) =>
    [...before, ...after].some(
      ({ index, address }) =>
        address !== addressAt(parseBlock(podCIDR), index) ||
        overlap(parseBlock(EXCLUDED), parseBlock(address)) !== undefined,
    ),
};

const broken = (life: Life): readonly string[] =>
  Object.keys(GUARANTEES).filter((code) => GUARANTEES[code]!(life));

describe('a daemon', () => {
  let fleet: AllocatingFleet | undefined;
  afterEach(() => fleet?.stop());

  const start = async (mutant?: string): Promise<AllocatingFleet> =>
    (fleet = await AllocatingFleet.start(daemonMutationsOf(mutant, 0)));

  it('that is honest breaks no guarantee', async () => {
    expect(broken(await live(await start(), 'sim-2'))).to.deep.equal([]);
  });

  for (const { name, what, breaks } of DAEMON_MUTANTS)
    it(`that is the mutant "${name}" ${what}: it breaks ${breaks} and nothing else, on one node`, async () => {
      const started = await start(name);
      expect(broken(await live(started, 'sim-2'))).to.deep.equal([breaks]);
      expect(broken(await live(started, 'sim-1'))).to.deep.equal([]);
    });
});
