import { expect } from 'chai';
import type { JsonObject } from '../../../../src/sim/base/json.ts';
import { FAULT_KINDS, type Fault } from '../../../../src/sim/model/fault.ts';
import { endsByItself } from '../../../../src/sim/scenario/fault-shape.ts';
import { multiNicScenario } from '../../../helpers/multi-nic-raw.ts';
import { loadSource } from '../../../helpers/planned-scenario.ts';

const load = (body: JsonObject) =>
  loadSource(
    multiNicScenario({ steps: [{ scale: { to: 2 } }, { fault: { nodes: '1-2', ...body } }] }),
  );
function problemsOf(body: JsonObject): readonly string[] {
  const result = load(body);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}
function faultOf(body: JsonObject): Fault {
  const result = load(body);
  const step = result.ok ? result.loaded.scenario.steps[1] : undefined;
  if (step?.kind !== 'fault') return expect.fail(problemsOf(body).join('\n'));
  return step.fault;
}

const GOOD: readonly (readonly [JsonObject, Fault])[] = [
  [
    { what: 'latency', delay: '200ms' },
    { kind: 'latency', delayMs: 200, spread: 'fixed' },
  ],
  [
    { what: 'latency', delay: '1s', spread: 'exponential', paths: ['/interface'] },
    { kind: 'latency', delayMs: 1000, spread: 'exponential', paths: ['/interface'] },
  ],
  [{ what: 'hang' }, { kind: 'hang' }],
  [{ what: 'refuse' }, { kind: 'refuse' }],
  [
    { what: 'reset', paths: ['/allocate', '/select'] },
    { kind: 'reset', paths: ['/allocate', '/select'] },
  ],
  [{ what: 'error' }, { kind: 'error', status: 500 }],
  [
    { what: 'error', status: 429, paths: ['/addl3'] },
    { kind: 'error', status: 429, paths: ['/addl3'] },
  ],
  [{ what: 'malformed' }, { kind: 'malformed' }],
  [{ what: 'empty' }, { kind: 'empty' }],
  [{ what: 'drop' }, { kind: 'drop' }],
  [
    { what: 'slow-start', delay: '5s' },
    { kind: 'slow-start', delayMs: 5000 },
  ],
  [{ what: 'address' }, { kind: 'address' }],
  [
    { what: 'missing-nic', interface: 'eth1' },
    { kind: 'missing-nic', interface: 'eth1' },
  ],
  [
    { what: 'extra-nic', interface: 'eth9' },
    { kind: 'extra-nic', interface: 'eth9' },
  ],
  [{ what: 'not-ready' }, { kind: 'not-ready' }],
];

const BAD: readonly (readonly [JsonObject, ...string[]])[] = [
  [{ what: 'latency' }, 'delay: is missing: latency needs it'],
  [{ what: 'slow-start' }, 'delay: is missing: slow-start needs it'],
  [{ what: 'missing-nic' }, 'interface: is missing: missing-nic needs it'],
  [{ what: 'hang', delay: '1s' }, 'delay: does not go with hang'],
  [{ what: 'refuse', paths: ['/addl3'] }, 'paths: does not go with refuse'],
  [{ what: 'hang', status: 500 }, 'status: does not go with hang'],
  [{ what: 'error', spread: 'fixed' }, 'spread: does not go with error'],
  [
    { what: 'extra-nic', status: 500 },
    'status: does not go with extra-nic',
    'interface: is missing: extra-nic needs it',
  ],
  [{ what: 'hang', times: 3 }, 'times: needs `for`, after which it ends'],
  [{ what: 'latency', delay: '0s' }, 'delay: expected a duration longer than 0s'],
  [{ what: 'error', status: 200 }, 'status: Too small: expected number to be >=400'],
  [
    { what: 'hang', paths: ['interface'] },
    'paths[0]: expected one of /interface, /join, /greet, /addl3, /deletel3, /addroute, /deleteroute, /select, /allocate, /deallocate',
  ],
  [{ what: 'hang', paths: [] }, 'paths: Too small: expected array to have >=1 items'],
  [{ what: 'missing-nic', interface: '0eth' }, 'interface: expected the name of an interface'],
];

describe('a fault', () => {
  for (const [written, fault] of GOOD)
    it(`is read from ${JSON.stringify(written)}`, () => {
      expect(faultOf(written)).to.deep.equal(fault);
    });

  it('of every kind is read here', () => {
    expect([...new Set(GOOD.map(([, { kind }]) => kind))]).to.deep.equal(FAULT_KINDS);
  });

  for (const [written, ...problems] of BAD)
    it(`is refused with all its problems: ${JSON.stringify(written)}`, () => {
      const places = problems.map((problem) => `steps[1].fault.${problem}`);
      expect([...problemsOf(written)].sort()).to.deep.equal(places.sort());
    });

  it('ends by itself after a time, or when it is over at once', () => {
    expect(endsByItself({ fault: { kind: 'hang' } })).to.be.false;
    expect(endsByItself({ fault: { kind: 'hang' }, for: 5000 })).to.be.true;
    expect(endsByItself({ fault: { kind: 'drop' } })).to.be.true;
  });
});
