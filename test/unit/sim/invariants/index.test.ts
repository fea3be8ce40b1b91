import { expect } from 'chai';
import { INVARIANTS } from '../../../../src/sim/invariants/index.ts';
import { reread } from '../../../helpers/reread.ts';
import { BLOCK_CASES, REMOVAL_CASES } from './cases/block-cases.ts';
import type { InvariantCases } from './cases/case.ts';
import { DAEMON_CASES } from './cases/daemon-cases.ts';
import { RUN_CASES } from './cases/run-cases.ts';

const CASES: Readonly<Record<string, InvariantCases>> = {
  ...BLOCK_CASES,
  ...REMOVAL_CASES,
  ...DAEMON_CASES,
  ...RUN_CASES,
};

describe('the list of invariants', () => {
  it('has a recording that keeps, one that breaks and one without each of them', () => {
    expect(Object.keys(CASES).toSorted()).to.deep.equal(
      INVARIANTS.map(({ code }) => code).toSorted(),
    );
  });

  it('has each code once, in order', () => {
    const codes = INVARIANTS.map(({ code }) => code);
    expect(codes).to.deep.equal([...new Set(codes)].toSorted());
  });

  it('says of each what goes wrong without it, and what it needs', () => {
    for (const { code, title, why, needs } of INVARIANTS) {
      expect(code).to.match(/^INV\d{3}$/);
      expect(title, code).to.match(/^[A-Z].*[^.]$/);
      expect(why, code).to.match(/^[A-Z].*\.$/);
      expect(needs, code).not.to.be.empty;
    }
  });

  for (const invariant of INVARIANTS)
    describe(`${invariant.code}: ${invariant.title}`, () => {
      const cases = CASES[invariant.code];
      if (!cases) return;
      const { held, broken, notApplicable } = cases;

      it('holds, and says how many things it looked at', () => {
        expect(invariant.check(held.history().result())).to.deep.equal({
          status: 'held',
          checked: held.checked,
        });
      });

      it('is broken, and names the objects and the time', () => {
        const verdict = invariant.check(broken.history().result());
        expect(verdict).to.deep.include({ status: 'broken', findings: broken.findings });
        expect(verdict).to.have.property('checked').that.is.greaterThan(0);
      });

      it('is not applicable where there is nothing to look at: that is no pass', () => {
        expect(invariant.check(notApplicable.history().result())).to.deep.equal({
          status: 'not-applicable',
          reason: notApplicable.reason,
        });
      });

      it('concludes the same from the lines of the recording', () => {
        const history = broken.history();
        expect(invariant.check(reread(history))).to.deep.equal(invariant.check(history.result()));
      });
    });
});
