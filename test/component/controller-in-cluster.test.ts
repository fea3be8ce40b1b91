import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { inCluster } from '../../src/sim/controllers/in-cluster.ts';
import { startCommand } from '../../src/sim/controllers/start-controller.ts';
import type { Host } from '../../src/sim/host/host.ts';
import { realHost } from '../../src/sim/host/real-host.ts';
import { commandOf, ControllerRun, TOKEN } from '../helpers/controller-context.ts';
import { whyNoMounts } from '../helpers/mount-namespaces.ts';
import { ROOT } from '../helpers/sim-process.ts';
import { skipBecause } from '../helpers/skip.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const host = realHost(ROOT);
const PLACE = '/var/run/secrets/kubernetes.io/serviceaccount';
const CA = '-----BEGIN CERTIFICATE-----\nnot one\n-----END CERTIFICATE-----\n';
const HANGS = 'exec sleep 61';

describe('a controller as in a cluster', () => {
  let run: ControllerRun;
  beforeEach(async () => {
    run = await ControllerRun.make({
      'certificate-authority-data': Buffer.from(CA).toString('base64'),
    });
  });
  afterEach(() => run.stop());

  const start = async (script: string, args: readonly string[] = [], more: Partial<Host> = {}) => {
    const command = await run.program(`#!/bin/sh\n${script}\n`);
    return startCommand(
      run.context(more),
      commandOf({ command, args, inCluster: true }),
      'operator',
    );
  };

  describe('where mount namespaces can be made', () => {
    before(function () {
      const reason = whyNoMounts(host.platform.uid === 0 ? [] : ['--map-root-user']);
      if (reason !== undefined) skipBecause(this, reason);
    });

    it('finds token, certificate, namespace and the address where a pod would', async () => {
      const script = `for name in token namespace ca.crt; do
        echo "$name:"; cat ${PLACE}/$name; echo; done
        echo "at $KUBERNETES_SERVICE_HOST $KUBERNETES_SERVICE_PORT"
        ls ${PLACE}; echo ready; ${HANGS}`;
      await start(script);
      const { hostname, port } = new URL(run.server.url);
      expect((await run.logLines()).join('\n')).to.equal(
        `token:\n${TOKEN}\nnamespace:\noperator\nca.crt:\n${CA}\nat ${hostname} ${port}\nca.crt\nnamespace\ntoken\nready`,
      );
    });

    it('leaves nothing of it on the machine, for nobody else to see', async () => {
      const seen = async () => ({
        mounts: await readFile('/proc/self/mountinfo', 'utf8'),
        run: await readdir('/run'),
        account: await readdir(PLACE).catch(() => 'nothing'),
      });
      const before = await seen();
      await start(`echo ready; ${HANGS}`);
      expect(await seen()).to.deep.equal(before);
    });

    it('finds all the rest that is in /run as well', async () => {
      const before = await readdir('/run');
      await start(`ls -A /run; echo ready; ${HANGS}`);
      const seen = (await run.logLines()).filter((line) => line !== 'ready');
      expect(seen.sort()).to.deep.equal([...new Set([...before, 'secrets'])].sort());
    });

    it('is the very process that was started, and is restarted like any other', async () => {
      const controller = await start(`cat ${PLACE}/namespace; echo; echo ready $$; ${HANGS}`);
      const first = controller.process()!.pid;
      await controller.restart('SIGTERM', new AbortController().signal);
      const second = controller.process()!.pid;
      expect(await run.logLines()).to.deep.equal(
        [first, second].flatMap((pid) => ['operator', `ready ${pid}`]),
      );
    });

    it('gets its arguments as they are', async () => {
      const args = ['a b', '$HOME', "it's", '*', '--', '{namespace}'];
      await start(`for a in "$@"; do echo "<$a>"; done; echo ready; ${HANGS}`, args);
      expect(await run.logLines()).to.deep.equal([
        ...['<a b>', '<$HOME>', "<it's>", '<*>', '<-->', '<operator>'],
        'ready',
      ]);
    });

    it('can be run by everybody where the kernel lets everybody make namespaces', async function () {
      const reason = whyNoMounts(['--map-root-user']);
      if (reason !== undefined) skipBecause(this, reason);
      const platform = { ...host.platform, uid: 1000 };
      const script = `cat ${PLACE}/token; echo; cat /proc/self/uid_map; echo ready; ${HANGS}`;
      const controller = await start(script, [], { platform });
      const [token, users = ''] = await run.logLines();
      expect(token).to.equal(TOKEN);
      expect(users.trim().split(/\s+/)).to.deep.equal(['0', String(host.platform.uid), '1']);
      expect(controller.description.command).to.include('--map-root-user');
    });
  });

  describe('where they cannot', () => {
    /** A PATH on which `unshare` is a script, or is not there at all. */
    const withUnshare = async (script?: string): Promise<Partial<Host>> => {
      if (script !== undefined) await run.program(`#!/bin/sh\n${script}\n`, 'bin/unshare');
      return { env: { PATH: join(run.directory, 'bin') } };
    };
    const refusal = async (script?: string): Promise<SimError> => {
      const error = await failureOf(start('exit 9', [], await withUnshare(script)));
      expect((error as SimError).code).to.equal('SIM_CONTROLLER_START');
      return error as SimError;
    };

    it('is refused when there is no unshare', async () => {
      const error = await refusal();
      expect(error.message).to.equal(
        'the controller cannot be run as in a cluster: the program "unshare" was not found',
      );
      expect(error.hint).to.match(/^inCluster needs `unshare` .* leave inCluster out$/);
    });

    it('is refused when unshare may not, with its reason', async () => {
      const error = await refusal('echo "unshare failed: Operation not permitted" >&2; exit 1');
      expect(error.message).to.match(
        /^the controller cannot be run as in a cluster: unshare .*code 1$/,
      );
      expect(error.details).to.deep.equal(['unshare failed: Operation not permitted']);
    });

    it('is refused when the files cannot be put in place, before it is started', async () => {
      // All that this unshare does is to run the script, without anything to mount with.
      const error = await refusal(
        'while [ "$1" != sh ]; do shift; done; PATH=/none; exec /bin/sh "$2" "$3" "$4"',
      );
      expect(error.message).to.match(/^the controller cannot be run as in a cluster: /);
      expect(await stat(join(run.directory, 'run', 'logs')).catch(() => 'none')).to.equal('none');
    });
  });

  describe('of an API server', () => {
    for (const [server, name, port] of [
      ['https://127.0.0.1:6443', '127.0.0.1', '6443'],
      ['https://kube.example', 'kube.example', '443'],
      ['https://[::1]:6443', '::1', '6443'],
    ] as const)
      it(`at ${server} is told ${name} and ${port}`, async () => {
        await run.program('#!/bin/sh\nexit 0\n', 'bin/unshare');
        const { env } = await inCluster(
          { ...host, env: { PATH: join(run.directory, 'bin') } },
          { program: 'c', args: [], env: { OWN: 'kept' } },
          {
            address: { server, ca: undefined, skipTlsVerify: true },
            token: TOKEN,
            namespace: 'operator',
            directory: join(run.directory, 'work'),
          },
        );
        expect(env).to.deep.equal({
          OWN: 'kept',
          KUBERNETES_SERVICE_HOST: name,
          KUBERNETES_SERVICE_PORT: port,
        });
        const secrets = join(run.directory, 'work', 'serviceaccount');
        expect(await readFile(join(secrets, 'ca.crt'), 'utf8')).to.equal('');
        expect((await stat(secrets)).mode & 0o777).to.equal(0o700);
        expect((await stat(join(secrets, 'token'))).mode & 0o777).to.equal(0o600);
      });
  });
});
