import { expect } from 'chai';
import { join } from 'node:path';
import { SimHome } from '../helpers/sim-process.ts';

describe('two runs started at the same moment', function () {
  this.timeout(180_000);
  let home: SimHome;
  before(async () => {
    home = await SimHome.make();
  });
  after(() => home.remove());

  it('both pass, on clusters, ports and node networks of their own', async () => {
    const outputs = ['a', 'b'].map((name) => join(home.path, name));
    const runs = outputs.map((output) =>
      home.start(['run', '2-nodes', '--output', output, '--set', 'settle=1s']),
    );
    const kubeconfigs = await Promise.all(runs.map((run) => run.kubeconfig()));
    const ended = await Promise.all(runs.map((run) => run.ended));
    for (const { code, stdout, stderr } of ended) expect(code, stdout + stderr).to.equal(0);
    expect(new Set(kubeconfigs).size).to.equal(2);
    expect(await home.leftovers()).to.deep.equal([]);
  });
});
