import { expect } from 'chai';
import { KINDS, collectionPath } from '../../src/sim/kube/objects.ts';
import { MULTI_NIC } from '../../src/stubs/controller/objects.ts';
import { CommandLine } from '../helpers/command-line.ts';
import { eventually } from '../helpers/eventually.ts';
import { failure } from '../helpers/fake-objects.ts';
import { temporaryDirectory, writeKubeconfig } from '../helpers/kubeconfig.ts';
import { LiveApiServer } from '../helpers/live-apiserver.ts';
import {
  NETWORK,
  rawCidr,
  rawDaemonPod,
  rawHostInterface,
  rawNetwork,
  rawPool,
  rowsOf,
  type Raw,
} from '../helpers/multi-nic-raw.ts';
import { rawNode } from '../helpers/watched-objects.ts';

const PATHS = {
  nodes: collectionPath(KINDS.node),
  pods: collectionPath(KINDS.pod),
  networks: collectionPath(MULTI_NIC.network),
  hosts: collectionPath(MULTI_NIC.hostInterface),
  cidrs: collectionPath(MULTI_NIC.cidr),
  pools: collectionPath(MULTI_NIC.pool),
} as const;

describe('sim watch', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let kubeconfig: string;
  let server: LiveApiServer;
  let line: CommandLine;

  beforeEach(async () => {
    directory = await temporaryDirectory();
    server = await LiveApiServer.start();
    kubeconfig = await writeKubeconfig(directory.path, { server: server.url });
    line = new CommandLine();
    put('networks', rawNetwork(2, 2, 1));
    put('nodes', rawNode('sim-1'), rawNode('sim-2'));
    put('pods', rawDaemonPod(1), rawDaemonPod(2));
    put('hosts', rawHostInterface(1, 0, 1), rawHostInterface(2, 0, 1));
    put('cidrs', rawCidr(rowsOf(1)));
    put('pools', rawPool(1, 0), rawPool(1, 1));
  });
  afterEach(async () => {
    line.stop('SIGINT');
    await server.stop();
    await directory.remove();
  });

  const put = (kind: keyof typeof PATHS, ...raws: readonly Raw[]): void => {
    for (const raw of raws) server.objects.put(PATHS[kind], raw.metadata.name, raw);
  };
  const watch = (...args: readonly string[]): Promise<number> =>
    line.run('watch', '--kubeconfig', kubeconfig, ...args);

  function complete(): void {
    put('cidrs', rawCidr(rowsOf(1, 2)));
    put('pools', rawPool(2, 0), rawPool(2, 1));
    put('networks', rawNetwork(2, 2, 2));
  }

  it('says how a network stands, and each time that it has changed, until all is complete', async () => {
    const ended = watch('--until-complete');
    const first = await line.says(/no block/);
    expect(first).to.match(
      /^\[ *\d+ms\] net: nodes 2, total 2, available 2, processed 1, blocks 2, pools 2, 0\.0\/s; no block \(1\): sim-2$/,
    );
    complete();
    expect(await ended).to.equal(0);
    expect(line.out.at(-1)).to.match(
      /net: nodes 2, total 2, available 2, processed 2, blocks 4, pools 4, \d+\.\d\/s$/,
    );
    expect(line.err).to.deep.equal([]);
  });

  it('ends with 1 when the time is over before all is complete, and says so', async () => {
    expect(await watch('--until-complete', '--for', '300ms')).to.equal(1);
    expect(line.err).to.deep.equal(['not complete after 300ms']);
    expect(line.out).to.have.length(1);
  });

  it('ends with 0 when its time is over', async () => {
    expect(await watch('--for', '300ms')).to.equal(0);
    expect(line.out).to.have.length(1);
  });

  it('ends with 0 when it is stopped, but not when it waits for something', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      for (const [args, expected] of [
        [[], 0],
        [['--until-complete'], code],
      ] as const) {
        line = new CommandLine();
        const ended = watch(...args);
        await line.says(/net: nodes 2/);
        line.stop(signal);
        expect(await ended, `${signal} ${args.join(' ')}`).to.equal(expected);
      }
    }
  });

  it('only reads', async () => {
    await watch('--for', '300ms');
    expect(server.writes).to.deep.equal([]);
  });

  it('writes JSON, a line for each state', async () => {
    const ended = watch('--json', '--until-complete');
    await line.says(/sim-2/);
    complete();
    await ended;
    const states = line.out.map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(states[0]).to.deep.include({
      network: NETWORK,
      nodes: 2,
      counters: { total: 2, available: 2, processed: 1 },
      blocks: 2,
      pools: 2,
      missing: { cidr: ['sim-2'] },
    });
    expect(states.at(-1)).to.deep.include({ blocks: 4, missing: {} });
    const times = states.map(({ atMs }) => Number(atMs));
    expect(times).to.deep.equal([...times].sort((a, b) => a - b));
  });

  it('marks a counter that falls', async () => {
    complete();
    const ended = watch('--for', '5s');
    await line.says(/processed 2/);
    put('networks', rawNetwork(2, 2, 1));
    await line.says(/net: processed fell from 2 to 1$/);
    await line.says(/processed 1 \(fell from 2\)/);
    line.stop('SIGINT');
    expect(await ended).to.equal(0);
  });

  it('shows one network, if that is asked for, as soon as it is there', async () => {
    const ended = watch('--network', 'other');
    await line.says(/no network other$/);
    const other = rawNetwork(0, 0, 0);
    put('networks', { ...other, metadata: { name: 'other' } });
    await line.says(/other: nodes 2, total 0/);
    line.stop('SIGINT');
    await ended;
    expect(line.out.filter((text) => text.includes('net:'))).to.deep.equal([]);
  });

  it('says that a network has gone', async () => {
    const ended = watch();
    await line.says(/net: nodes 2/);
    server.objects.remove(PATHS.networks, NETWORK);
    await line.says(/net: gone$/);
    line.stop('SIGINT');
    await ended;
  });

  it('ends when nobody reads any more', async () => {
    const ended = watch();
    await line.says(/net: nodes 2/);
    line.isOutRead = false;
    expect(await ended).to.equal(0);
  });

  it('draws a table for a person, again and again in the same place, and lets the last one stand', async () => {
    line.isLive = true;
    const ended = watch('--until-complete');
    await eventually('the table', () => line.drawn.includes('no block (1): sim-2') && true);
    complete();
    expect(await ended).to.equal(0);
    expect(line.drawn).to.include('\u001b[4F\u001b[0J');
    expect(line.drawn).to.match(/net +2 +2 +2 +2 +4 +4 +\d+\.\d\/s\n$/);
    expect(line.out).to.deep.equal([]);
  });

  describe('says why it cannot', () => {
    const refused = (path: string, status: number, reason: string): void => {
      server.refuses = (_, asked) =>
        asked === path ? failure(status, reason, `${reason}: the server's words`) : undefined;
    };

    it('where the operator is not installed', async () => {
      refused(PATHS.networks, 404, 'NotFound');
      expect(await watch()).to.equal(3);
      expect(line.err).to.deep.equal([
        'SIM_API the cluster has no multinicnetworks.multinic.fms.io of version v1',
        '  hint: is the operator installed? --profile names another one',
      ]);
    });

    it('where it may not list something', async () => {
      refused(PATHS.cidrs, 403, 'Forbidden');
      expect(await watch()).to.equal(3);
      expect(line.err[0]).to.equal('SIM_API not allowed to list cidrs.multinic.fms.io');
      expect(line.err[1]).to.match(/the server's words$/);
      expect(line.err[2]).to.include(
        'needs list and watch on multinicnetworks.multinic.fms.io, nodes',
      );
    });

    it('where nobody answers', async () => {
      await server.stop();
      expect(await watch()).to.equal(3);
      expect(line.err[0]).to.match(/^SIM_API the cluster does not answer: connect ECONNREFUSED/);
      server = await LiveApiServer.start();
    });

    it('where the command line is wrong', async () => {
      expect(await watch('--for', '3')).to.equal(2);
      expect(await watch('--profile', 'nobody')).to.equal(2);
      expect(await watch('--context', 'nowhere')).to.equal(3);
      expect(line.err).to.deep.equal([
        'SIM_USAGE --for: expected a duration such as 30s or 5m, got 3',
        'SIM_USAGE there is no profile nobody',
        '  hint: one of: multi-nic, node-ipam, whereabouts',
        `SIM_API cannot use the kubeconfig ${kubeconfig}: it has no context nowhere`,
        '  hint: its contexts: fake',
      ]);
    });
  });
});
