import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { realHost } from '../../src/sim/host/real-host.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { whyNoMounts } from '../helpers/mount-namespaces.ts';
import { ROOT } from '../helpers/sim-process.ts';
import { skipBecause } from '../helpers/skip.ts';

const host = realHost(ROOT);
const SCRIPT = join(ROOT, 'templates/in-cluster.sh');
const UNSHARE = ['--mount', '--propagation', 'private'];
const AS_ROOT = host.platform.uid === 0 ? [] : ['--map-root-user'];
const TARGET = '/run/secrets/kubernetes.io/serviceaccount';

describe('the script that puts the files of a service account in place', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

  before(function () {
    const reason = whyNoMounts(AS_ROOT);
    if (reason !== undefined) skipBecause(this, reason);
  });
  beforeEach(async () => {
    directory = await temporaryDirectory();
    await host.files.makeDirectory(join(directory.path, 'account'));
    await writeFile(join(directory.path, 'account', 'token'), 'the token');
  });
  afterEach(() => directory.remove());

  /**
   * On a machine whose /run is as the first script makes it: what the second sees of it and what it is afterwards.
   * That machine is a mount namespace, too.
   */
  async function onMachine(prepare: string, look: string) {
    const machine = `set -eu; mount -n -t tmpfs tmpfs /run; ${prepare}
      unshare ${UNSHARE.join(' ')} sh "$1" "$2" sh -c "$3"
      echo ---; find /run | sort`;
    const account = join(directory.path, 'account');
    const args = [...UNSHARE, ...AS_ROOT, 'sh', '-c', machine, 'sh', SCRIPT, account, look];
    const { stdout } = await host.commands.run('unshare', args, {
      env: { PATH: process.env['PATH'] },
      timeoutMs: 8000,
    });
    const [inside = '', after = ''] = stdout.split('---\n');
    return { inside: inside.trimEnd().split('\n'), after: after.trimEnd().split('\n') };
  }

  it('shows them beside everything that there is already, whatever its kind and name', async () => {
    const { inside, after } = await onMachine(
      `mkdir -p "/run/a dir/b" /run/.hidden; echo text >"/run/a file"; echo more >"/run/a dir/b/c"
       ln -s /nowhere /run/dangling; mkfifo /run/pipe`,
      'find /run | sort; cat "/run/a file" "/run/a dir/b/c"; readlink /run/dangling; test -p /run/pipe && echo pipe',
    );
    const own = [
      '/run',
      '/run/.hidden',
      '/run/a dir',
      '/run/a dir/b',
      '/run/a dir/b/c',
      '/run/a file',
      '/run/dangling',
      '/run/pipe',
    ];
    const secrets = ['/run/secrets', '/run/secrets/kubernetes.io', TARGET, `${TARGET}/token`];
    expect(inside.slice(0, -4).sort()).to.deep.equal([...own, ...secrets].sort());
    expect(inside.slice(-4)).to.deep.equal(['text', 'more', '/nowhere', 'pipe']);
    expect([...after].sort()).to.deep.equal(own.sort());
  });

  it('makes nothing in a /run/secrets that there is already, and hides nothing of it', async () => {
    const { inside, after } = await onMachine(
      'mkdir -p /run/secrets/kubernetes.io/other; echo text >/run/secrets/own',
      `cat /run/secrets/own ${TARGET}/token; echo; ls /run/secrets /run/secrets/kubernetes.io`,
    );
    expect(inside).to.include.members(['text', 'the token', 'own', 'other', 'serviceaccount']);
    expect([...after].sort()).to.deep.equal(
      [
        '',
        '/secrets',
        '/secrets/kubernetes.io',
        '/secrets/kubernetes.io/other',
        '/secrets/own',
      ].map((path) => `/run${path}`),
    );
  });

  it('covers the files of the pod in which sim itself runs, for the program alone', async () => {
    const { inside, after } = await onMachine(
      `mkdir -p ${TARGET}; echo "of sim" >${TARGET}/token; touch ${TARGET}/own`,
      `ls ${TARGET}; cat ${TARGET}/token`,
    );
    expect(inside).to.deep.equal(['token', 'the token']);
    expect(after).to.include.members([`${TARGET}/own`, `${TARGET}/token`]);
  });

  it('lets the program write where it could write before', async () => {
    const { after } = await onMachine(
      'mkdir /run/lock; touch /run/lock.pid',
      'touch /run/lock/taken; echo 7 >/run/lock.pid; touch /run/new',
    );
    expect(after).to.include('/run/lock/taken');
    expect(after).not.to.include('/run/new');
  });

  it('passes the exit code of the program on', async () => {
    const { inside } = await onMachine(
      'unshare() { command unshare "$@" || echo "ended with $?"; }',
      'exit 7',
    );
    expect(inside).to.deep.equal(['ended with 7']);
  });
});
