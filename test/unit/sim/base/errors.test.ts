import { expect } from 'chai';
import * as z from 'zod';
import { ERRORS } from '../../../../src/sim/base/error-catalogue.ts';
import { asSimError, reasonOf, SimError, systemCodeOf } from '../../../../src/sim/base/errors.ts';
import { EXIT_MEANING } from '../../../../src/sim/base/exit-codes.ts';

describe('SimError', () => {
  it('has the exit code of its row in the catalogue', () => {
    expect(new SimError('SIM_CAPACITY', 'too small')).to.include({
      name: 'SimError',
      exitCode: 2,
      hint: undefined,
    });
    expect(new SimError('SIM_BUG', 'impossible').exitCode).to.equal(70);
  });

  it('takes another exit code where a signal asks for it', () => {
    expect(new SimError('SIM_INTERRUPTED', 'stop', { exitCode: 143 }).exitCode).to.equal(143);
  });

  it('keeps its cause', () => {
    const cause = new Error('why');
    expect(new SimError('SIM_API', 'failed', { cause }).cause).to.equal(cause);
  });
});

describe('the catalogue of errors', () => {
  it('gives every error an exit code that is explained, and a sentence', () => {
    for (const [code, { exitCode, meaning }] of Object.entries(ERRORS)) {
      expect(EXIT_MEANING, code).to.have.property(String(exitCode));
      expect(meaning, code).to.match(/^[A-Z`].*\.$/);
    }
  });
});

describe('asSimError', () => {
  it('wraps what was thrown, with what was being done', () => {
    const thrown = new Error('refused');
    expect(asSimError(thrown, 'SIM_API', 'cannot list nodes')).to.include({
      code: 'SIM_API',
      message: 'cannot list nodes: refused',
      cause: thrown,
    });
  });

  it('leaves a SimError its own meaning', () => {
    const error = new SimError('SIM_LOCK', 'taken');
    expect(asSimError(error, 'SIM_API', 'cannot list nodes')).to.equal(error);
  });
});

describe('reasonOf', () => {
  it('is the message, or the name of an error without one, or the thing itself', () => {
    expect([new Error('why'), new TypeError(), 'text', 7].map(reasonOf)).to.deep.equal([
      'why',
      'TypeError',
      'text',
      '7',
    ]);
  });
});

describe('reasonOf an error of a schema', () => {
  const refusalOf = (shape: z.ZodType, value: unknown): string =>
    reasonOf(shape.safeParse(value).error);

  it('is on one line, with the place and the message of each issue', () => {
    const shape = z.object({ rows: z.array(z.object({ cidr: z.string(), index: z.number() })) });
    expect(refusalOf(shape, { rows: [{ cidr: 5 }] })).to.equal(
      'rows[0].cidr: Invalid input: expected string, received number; ' +
        'rows[0].index: Invalid input: expected number, received undefined',
    );
  });

  it('has no place where the value itself is wrong', () => {
    expect(refusalOf(z.string(), 5)).to.equal('Invalid input: expected string, received number');
  });

  it('tells five issues, and how many more there are', () => {
    const values = Array.from({ length: 40 }, () => 5);
    const reason = refusalOf(z.array(z.string()), values);
    expect(reason).to.match(/^\[0\]: .*; \[4\]: [^;]* and 35 more$/);
  });

  it('breaks no line, whatever the names in it are', () => {
    expect(refusalOf(z.record(z.string(), z.string()), { 'a\n  b': 5 })).to.equal(
      'a b: Invalid input: expected string, received number',
    );
  });

  it('is the message of an error that merely has something called issues', () => {
    for (const issues of [[], [1], 'many', [{ path: 'a', message: 'b' }], [{ path: [] }]])
      expect(reasonOf(Object.assign(new Error('why'), { issues }))).to.equal('why');
  });
});

describe('systemCodeOf', () => {
  it('is the code of a system error, and nothing else', () => {
    expect(systemCodeOf(Object.assign(new Error('no file'), { code: 'ENOENT' }))).to.equal(
      'ENOENT',
    );
    expect([null, 'ENOENT', {}, { code: 5 }].map(systemCodeOf)).to.deep.equal(
      Array.from({ length: 4 }, () => undefined),
    );
  });
});
