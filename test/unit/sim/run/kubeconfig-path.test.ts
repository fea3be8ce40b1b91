import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimError } from '../../../../src/sim/base/errors.ts';
import { realFiles } from '../../../../src/sim/host/files.ts';
import { kubeconfigPath } from '../../../../src/sim/run/kubeconfig-path.ts';
import { temporaryDirectory } from '../../../helpers/kubeconfig.ts';

describe('the kubeconfig that the user means', () => {
  let home: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    home = await temporaryDirectory();
  });
  after(() => home.remove());

  const pathFor = (env: Readonly<Record<string, string>>, given?: string): Promise<string> =>
    kubeconfigPath({ env: { HOME: home.path, ...env }, cwd: '/work', files: realFiles }, given);
  const refusalOf = async (env: Readonly<Record<string, string>>): Promise<unknown> =>
    pathFor(env).then(
      () => expect.fail('it should have been refused'),
      (error: unknown) => error,
    );

  it('is the one that is given, from the working directory', async () => {
    expect(await pathFor({ KUBECONFIG: '/other' }, 'mine')).to.equal('/work/mine');
  });

  it('is the one of the environment', async () => {
    expect(await pathFor({ KUBECONFIG: '/other:' })).to.equal('/other');
  });

  it('is none when there is none', async () => {
    const refusal = await refusalOf({});
    expect(refusal).to.be.instanceOf(SimError).with.property('code', 'SIM_USAGE');
    expect(refusal).to.have.property('message').that.includes('there is no');
  });

  it('is not for sim to choose when the environment names several', async () => {
    const refusal = await refusalOf({ KUBECONFIG: '/a:/b' });
    expect(refusal).to.have.property('message', 'KUBECONFIG names 2 files');
    expect(refusal).to.have.property('hint', 'choose one: --kubeconfig /a or /b');
  });

  it('is else the one in the home directory', async () => {
    const own = join(home.path, '.kube', 'config');
    await mkdir(join(home.path, '.kube'));
    await writeFile(own, '');
    expect(await pathFor({ KUBECONFIG: '' })).to.equal(own);
  });
});
