import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import {
  askControl,
  serveControl,
  type ControlHandler,
} from '../../src/sim/host/control-socket.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

describe('the socket of a run', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let path: string;
  let end: (() => Promise<void>) | undefined;
  beforeEach(async () => {
    directory = await temporaryDirectory();
    path = join(directory.path, 'run.sock');
  });
  afterEach(async () => {
    await end?.();
    end = undefined;
    await directory.remove();
  });

  const serve = async (handler: ControlHandler): Promise<void> => {
    end = await serveControl(path, handler);
  };
  const failure = async (wanted: unknown = {}): Promise<SimError> =>
    (await failureOf(askControl(path, wanted))) as SimError;

  it('takes what is wanted and answers a line', async () => {
    await serve((wanted) => Promise.resolve(`got ${JSON.stringify(wanted)}`));
    expect(await askControl(path, { heal: { nodes: 'ä' } })).to.equal('got {"heal":{"nodes":"ä"}}');
  });

  it('serves several at the same time', async () => {
    await serve((wanted) => Promise.resolve(String(wanted)));
    const answers = await Promise.all([1, 2, 3].map((number) => askControl(path, number)));
    expect(answers).to.deep.equal(['1', '2', '3']);
  });

  it('is only for its owner', async () => {
    await serve(() => Promise.resolve(''));
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('leaves the permissions of other new files as they were', async () => {
    const modeOf = async (name: string): Promise<number> => {
      const file = join(directory.path, name);
      await writeFile(file, '');
      return (await stat(file)).mode;
    };
    const before = await modeOf('before');
    await serve(() => Promise.resolve(''));
    expect(await modeOf('after')).to.equal(before);
  });

  it('tells why something was refused', async () => {
    await serve(() => Promise.reject(new Error('there is no sim-9')));
    const error = await failure();
    expect(error.code).to.equal('SIM_USAGE');
    expect(error.message).to.equal('there is no sim-9');
  });

  it('goes on after a refusal', async () => {
    await serve((wanted) =>
      wanted === 'bad' ? Promise.reject(new Error('no')) : Promise.resolve('yes'),
    );
    await failure('bad');
    expect(await askControl(path, 'good')).to.equal('yes');
  });

  it('refuses a request that is far too long', async () => {
    await serve(() => Promise.resolve('taken'));
    const error = await failure('x'.repeat(100_000));
    expect(error.message).to.contain('the request is too long');
  });

  it('has nobody behind it once it was ended', async () => {
    await serve(() => Promise.resolve('here'));
    await end?.();
    end = undefined;
    const error = await failure();
    expect(error.code).to.equal('SIM_TIMEOUT');
    expect(error.message).to.match(/^the run does not answer: .*(ENOENT|ECONNREFUSED)/);
  });

  it('breaks off what is in progress when it is ended', async () => {
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    await serve(() => {
      isAsked();
      return new Promise(() => undefined);
    });
    const failing = failure();
    await asked;
    await end?.();
    end = undefined;
    expect((await failing).code).to.equal('SIM_TIMEOUT');
  });
});
