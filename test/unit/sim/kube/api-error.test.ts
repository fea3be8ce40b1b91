import { expect } from 'chai';
import {
  ApiError,
  isConflict,
  isGone,
  isNotFound,
  UnreadableAnswer,
} from '../../../../src/sim/kube/api-error.ts';

const status = (reason: string, message: string): string =>
  JSON.stringify({ kind: 'Status', status: 'Failure', reason, message });

describe('ApiError', () => {
  it('says what was asked, and what the Status object answers', () => {
    const body = status('AlreadyExists', 'nodes "sim-1" already exists');
    const error = new ApiError('POST /api/v1/nodes', 409, body, undefined);
    expect(error.message).to.equal(
      'POST /api/v1/nodes: 409 AlreadyExists: nodes "sim-1" already exists',
    );
    expect(error.reason).to.equal('AlreadyExists');
  });

  it('keeps the beginning of an answer that is no Status object', () => {
    const error = new ApiError('GET /readyz', 502, `Bad Gateway ${'x'.repeat(900)}`, undefined);
    expect(error.message).to.match(/^GET \/readyz: 502: Bad Gateway x+$/);
    expect(error.message).to.have.length.below(250);
    expect(error.reason).to.equal('');
  });

  it('says only the status when the answer is empty', () => {
    expect(new ApiError('GET /readyz', 500, '', undefined).message).to.equal('GET /readyz: 500');
  });

  it('survives a JSON answer that is no object', () => {
    expect(new ApiError('GET /x', 500, '[1]', undefined).message).to.equal('GET /x: 500: [1]');
    expect(new ApiError('GET /x', 500, 'null', undefined).message).to.equal('GET /x: 500: null');
  });

  const retryAfter: readonly (readonly [string, string | undefined, number | undefined])[] = [
    ['is missing', undefined, undefined],
    ['counts seconds', '7', 7000],
    ['is zero', '0', 0],
    ['is empty', '', undefined],
    ['is a date', 'Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['is negative', '-1', undefined],
  ];
  for (const [title, header, expected] of retryAfter)
    it(`understands a Retry-After that ${title}`, () => {
      expect(new ApiError('GET /x', 429, '', header).retryAfterMs).to.equal(expected);
    });
});

describe('the questions about a failure', () => {
  const answered = (code: number): ApiError => new ApiError('GET /x', code, '', undefined);

  it('are answered by the status', () => {
    expect([404, 409, 410].map((code) => isNotFound(answered(code)))).to.eql([true, false, false]);
    expect([404, 409, 410].map((code) => isConflict(answered(code)))).to.eql([false, true, false]);
    expect([404, 409, 410].map((code) => isGone(answered(code)))).to.eql([false, false, true]);
  });

  it('are no for anything that is no answer of the server', () => {
    for (const other of [new Error('404'), { status: 404 }, undefined, 'gone'])
      expect([isNotFound(other), isConflict(other), isGone(other)]).to.eql([false, false, false]);
  });
});

describe('UnreadableAnswer', () => {
  it('says which request was answered so', () => {
    const error = new UnreadableAnswer('GET /api/v1/nodes', new SyntaxError('unexpected end'));
    expect(error.message).to.equal('GET /api/v1/nodes: the answer cannot be read: unexpected end');
  });
});
