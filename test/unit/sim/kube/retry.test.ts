import { expect } from 'chai';
import { ApiError, UnreadableAnswer } from '../../../../src/sim/kube/api-error.ts';
import {
  isAnswerLost,
  restartedIfGone,
  withRetries,
  type RetryOptions,
} from '../../../../src/sim/kube/retry.ts';
import { ScriptedClock } from '../../../helpers/scripted-clock.ts';

const answered = (status: number, retryAfter?: string): ApiError =>
  new ApiError('GET /api/v1/nodes', status, '', retryAfter);
const broken = (code: string): Error => Object.assign(new Error(code), { code });

/** Fails with the given errors, one after the other, and then answers. */
function failing(...errors: readonly Error[]) {
  const left = [...errors];
  return (n: number): Promise<string> => {
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve(`attempt ${n}`);
  };
}

describe('withRetries', () => {
  let clock: ScriptedClock;
  let options: RetryOptions;

  beforeEach(() => {
    clock = new ScriptedClock();
    options = { clock, isSafe: true, budgetMs: 10_000 };
  });

  const errorOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('it should have failed'),
      (error: unknown) => error,
    );

  it('answers at once when the first attempt succeeds', async () => {
    expect(await withRetries(options, failing())).to.equal('attempt 1');
    expect(clock.sleeps).to.deep.equal([]);
  });

  it('waits twice as long after each failure, up to two seconds', async () => {
    const errors = Array.from({ length: 8 }, () => broken('ECONNREFUSED'));
    await withRetries({ ...options, budgetMs: 60_000 }, failing(...errors));
    expect(clock.sleeps).to.deep.equal([50, 100, 200, 400, 800, 1600, 2000, 2000]);
  });

  it('waits exactly as long as a Retry-After asks', async () => {
    await withRetries(options, failing(answered(429, '3'), answered(503, '1')));
    expect(clock.sleeps).to.deep.equal([3000, 1000]);
  });

  it('does not hammer a server whose Retry-After is zero', async () => {
    await withRetries(options, failing(answered(429, '0'), answered(429, '0')));
    expect(clock.sleeps).to.deep.equal([50, 100]);
  });

  it('gives up with the last error when the next attempt would come after the budget', async () => {
    const last = answered(429, '8');
    expect(await errorOf(withRetries(options, failing(answered(429, '8'), last)))).to.equal(last);
    expect(clock.sleeps).to.deep.equal([8000]);
  });

  it('tells of every repetition', async () => {
    const told: unknown[] = [];
    const errors = [answered(503), broken('ECONNRESET')];
    await withRetries({ ...options, onRetry: (e) => told.push(e) }, failing(...errors));
    expect(told).to.deep.equal(errors);
  });

  it('stops with the reason of the signal, and not with the failure', async () => {
    const stop = new AbortController();
    const why = new Error('interrupted');
    const attempt = (): Promise<never> => {
      stop.abort(why);
      return Promise.reject(broken('ECONNRESET'));
    };
    expect(await errorOf(withRetries({ ...options, signal: stop.signal }, attempt))).to.equal(why);
  });

  describe('for a request that must not be carried out twice', () => {
    const rows: readonly (readonly [string, Error, boolean])[] = [
      ['is told to come back later (429)', answered(429), true],
      ['finds the server not ready (503)', answered(503), true],
      ['was never sent, because nobody listened', broken('ECONNREFUSED'), true],
      [
        'was never sent, because the connection took too long',
        broken('UND_ERR_CONNECT_TIMEOUT'),
        true,
      ],
      ['lost its connection', broken('ECONNRESET'), false],
      ['was sent over a connection that closed', broken('UND_ERR_SOCKET'), false],
      ['waited too long for an answer', broken('UND_ERR_HEADERS_TIMEOUT'), false],
      ['got an internal error (500)', answered(500), false],
      ['got a time-out (504)', answered(504), false],
      ['got an answer that cannot be read', new UnreadableAnswer('POST /x', 'cut'), false],
    ];
    for (const [title, error, isRepeated] of rows)
      it(`${isRepeated ? 'repeats' : 'does not repeat'} one that ${title}`, async () => {
        const work = withRetries({ ...options, isSafe: false }, failing(error));
        if (isRepeated) expect(await work).to.equal('attempt 2');
        else expect(await errorOf(work)).to.equal(error);
      });
  });

  for (const status of [400, 401, 403, 404, 409, 410, 422])
    it(`never repeats after ${status}, which time does not change`, async () => {
      expect(await errorOf(withRetries(options, failing(answered(status))))).to.be.instanceOf(
        ApiError,
      );
      expect(clock.sleeps).to.deep.equal([]);
    });
});

describe('isAnswerLost', () => {
  it('holds for an answer cut off in the middle', () => {
    expect(isAnswerLost(broken('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'))).to.be.true;
    expect(isAnswerLost(broken('HPE_INVALID_EOF_STATE'))).to.be.true;
  });

  it('does not hold for a refused connection or for a clear no', () => {
    expect(isAnswerLost(broken('ECONNREFUSED'))).to.be.false;
    expect(isAnswerLost(answered(409))).to.be.false;
    expect(isAnswerLost(answered(429))).to.be.false;
  });
});

describe('restartedIfGone', () => {
  it('begins again once after a 410', async () => {
    expect(await restartedIfGone(() => failingOnce())).to.equal('listed');
  });

  it('does not begin a third time', async () => {
    let times = 0;
    const error = await restartedIfGone(() => {
      times++;
      return Promise.reject(answered(410));
    }).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(ApiError);
    expect(times).to.equal(2);
  });

  it('leaves other failures alone', async () => {
    let times = 0;
    const error = await restartedIfGone(() => {
      times++;
      return Promise.reject(answered(403));
    }).catch((e: unknown) => e);
    expect(error).to.have.property('status', 403);
    expect(times).to.equal(1);
  });

  let hasFailed = false;
  const failingOnce = (): Promise<string> => {
    if (hasFailed) return Promise.resolve('listed');
    hasFailed = true;
    return Promise.reject(answered(410));
  };
});
