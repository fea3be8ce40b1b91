import { expect } from 'chai';
import {
  excusesNode,
  FAULT_KINDS,
  faultKey,
  formatFault,
  isDaemonFault,
  isMomentary,
  movedAddress,
  type Fault,
} from '../../../../src/sim/model/fault.ts';

const FAULTS: readonly (readonly [Fault, string, string])[] = [
  [{ kind: 'latency', delayMs: 200, spread: 'fixed' }, 'latency 200ms', 'daemon'],
  [{ kind: 'hang' }, 'hang', 'daemon'],
  [{ kind: 'refuse' }, 'refuse', 'daemon'],
  [{ kind: 'reset', paths: ['/a', '/b'] }, 'reset on /a, /b', 'daemon'],
  [{ kind: 'error', status: 503, paths: ['/interface'] }, 'error 503 on /interface', 'daemon'],
  [{ kind: 'malformed' }, 'malformed', 'daemon'],
  [{ kind: 'empty' }, 'empty', 'daemon'],
  [{ kind: 'drop' }, 'drop', 'drop'],
  [{ kind: 'slow-start', delayMs: 5000 }, 'slow-start 5000ms', 'slow-start'],
  [{ kind: 'address' }, 'address', 'address'],
  [{ kind: 'missing-nic', interface: 'eth2' }, 'missing-nic eth2', 'missing-nic eth2'],
  [{ kind: 'extra-nic', interface: 'eth9' }, 'extra-nic eth9', 'extra-nic eth9'],
  [{ kind: 'not-ready' }, 'not-ready', 'not-ready'],
];
const kindsOf = (which: (fault: Fault) => boolean): readonly string[] =>
  FAULTS.map(([fault]) => fault)
    .filter(which)
    .map(({ kind }) => kind);

describe('faults', () => {
  it('are all tried here, in their order', () => {
    expect(FAULTS.map(([{ kind }]) => kind)).to.deep.equal(FAULT_KINDS);
  });

  for (const [fault, text, key] of FAULTS)
    it(`are written for people, as ${text}, and take the place of others of their key`, () => {
      expect(formatFault(fault)).to.equal(text);
      expect(faultKey(fault)).to.equal(key);
    });

  it('excuse a node when nobody could serve it', () => {
    expect(kindsOf(({ kind }) => excusesNode(kind))).to.deep.equal([
      'hang',
      'refuse',
      'reset',
      'error',
      'malformed',
      'empty',
      'not-ready',
    ]);
    expect(excusesNode('a kind of a later version')).to.be.false;
  });

  it('are of the daemon itself, or of its NICs, its pod or its start', () => {
    expect(kindsOf((fault) => !isDaemonFault(fault))).to.deep.equal([
      'drop',
      'slow-start',
      'address',
      'missing-nic',
      'extra-nic',
      'not-ready',
    ]);
  });

  it('last until they are healed, but for one', () => {
    expect(kindsOf(isMomentary)).to.deep.equal(['drop']);
  });
});

describe('a moved address', () => {
  it('is in the other half of its /16, and differs from every other', () => {
    expect(movedAddress('10.3.0.17')).to.equal('10.3.128.17');
    expect(movedAddress('10.3.127.1')).to.equal('10.3.255.1');
  });
});
