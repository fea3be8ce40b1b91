import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { writeKubeconfig } from '../helpers/kubeconfig.ts';
import { LiveApiServer } from '../helpers/live-apiserver.ts';
import { MAIN, SimHome, type Ended, type SimProcess } from '../helpers/sim-process.ts';

const runProgram = promisify(execFile);

const SCENARIO = `
name: watched
operator: { profile: multi-nic }
networks: [{ name: multi-nic-sample, subnet: 192.168.0.0/16, hostBlock: 8, interfaceBlock: 2 }]
settle: 1s
steps:
  - scale: { to: 2 }
  - hold: { for: 120s }
`;

describe('sim watch of a cluster with nodes', function () {
  this.timeout(120_000);
  let home: SimHome;
  let run: SimProcess;
  let kubeconfig: string;

  before(async () => {
    home = await SimHome.make();
    run = home.start(['run', '-', '--output', home.output], {}, SCENARIO);
    kubeconfig = await run.kubeconfig();
    await run.says(/controller ready/);
  });
  after(async () => {
    run.kill('SIGTERM');
    await run.ended;
    await home.run(['clean']);
    await home.remove();
  });

  const watch = (...args: readonly string[]): Promise<Ended> =>
    home.run(['watch', ...args], { KUBECONFIG: kubeconfig });

  it('ends when the operator has served all of them', async () => {
    const { code, stdout, stderr } = await watch('--until-complete', '--for', '60s');
    expect(code, stdout + stderr).to.equal(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.at(-1)).to.match(
      /^\[ *[\d.]+m?s\] multi-nic-sample: nodes 2, total 2, available 2, processed 2, blocks 6, pools 6, \d\.\d\/s$/,
    );
  });

  it('sees as JSON what there is', async () => {
    const { code, stdout, stderr } = await watch('--json', '--until-complete', '--for', '60s');
    expect(code, stderr).to.equal(0);
    const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as unknown;
    expect(last).to.deep.include({
      network: 'multi-nic-sample',
      counters: { total: 2, available: 2, processed: 2 },
      missing: {},
    });
  });

  it('says which nodes lack a podCIDR, where nobody gives them one', async () => {
    const { code, stdout } = await watch('--profile', 'node-ipam', '--for', '1s');
    expect(code).to.equal(0);
    expect(stdout).to.match(/pods: nodes 2, blocks 0, 0\.0\/s; no podCIDR \(2\): sim-1, sim-2\n$/);
  });

  it('says so when the cluster has not the kinds of the operator', async () => {
    const { code, stderr } = await watch('--profile', 'whereabouts');
    expect(code).to.equal(3);
    expect(stderr).to.include('the cluster has no nodeslicepools.whereabouts.cni.cncf.io');
  });

  it('ends with 0 on Ctrl-C, and leaves the cluster as it is', async () => {
    const watching = home.start(['watch', '--kubeconfig', kubeconfig, '--network', 'none']);
    await watching.says(/no network none/);
    watching.kill('SIGINT');
    expect((await watching.ended).code).to.equal(0);
    expect((await watch('--until-complete', '--for', '10s')).code).to.equal(0);
  });
});

describe('sim watch whose reader goes away', function () {
  this.timeout(30_000);

  it('ends with its next line', async () => {
    const home = await SimHome.make();
    const server = await LiveApiServer.start();
    const kubeconfig = await writeKubeconfig(home.path, { server: server.url });
    const options = ['--profile', 'node-ipam', '--kubeconfig', kubeconfig];
    const command = [process.execPath, MAIN, 'watch', ...options].join(' ');
    let nodes = 0;
    const growing = setInterval(() => {
      server.objects.put('/api/v1/nodes', `node-${++nodes}`, {});
    }, 200);
    try {
      const { stdout, stderr } = await runProgram('sh', ['-c', `${command} | head -n 1`]);
      expect(stdout).to.match(/pods: nodes \d+, .*\n$/);
      expect(stderr).to.equal('');
    } finally {
      clearInterval(growing);
      await server.stop();
      await home.remove();
    }
  });
});
