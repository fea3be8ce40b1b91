import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { startCommand, startReference } from '../../src/sim/controllers/start-controller.ts';
import type { SimError } from '../../src/sim/base/errors.ts';
import type { Cgroup } from '../../src/sim/host/cgroups.ts';
import { commandOf, ControllerRun, TOKEN, USER } from '../helpers/controller-context.ts';
import { processesOf } from '../helpers/run-processes.ts';
import { failureOf, Sandbox, script } from '../helpers/toolchain-sandbox.ts';

/** Tells its arguments, one a line, and its environment. */
const TELL_ALL = `#!/bin/sh
for argument in "$@"; do echo "arg $argument"; done
env | sed 's/^/env /'
pwd | sed 's/^/cwd /'
echo ready
exec sleep 61
`;

describe('a controller of the user', () => {
  let run: ControllerRun;
  beforeEach(async () => {
    run = await ControllerRun.make();
  });
  afterEach(() => run.stop());

  const lines = async (kind: 'arg' | 'env' | 'cwd'): Promise<readonly string[]> =>
    (await run.logLines())
      .filter((line) => line.startsWith(`${kind} `))
      .map((line) => line.slice(kind.length + 1));
  const variable = async (name: string): Promise<string | undefined> =>
    (await lines('env')).find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  const start = async (spec: Partial<Parameters<typeof commandOf>[0]> = {}, env = {}) => {
    const command = await run.program(TELL_ALL);
    const context = run.context({ env: { PATH: process.env['PATH'], ...env } });
    return startCommand(context, commandOf({ command, ...spec }), 'operator');
  };
  const kubeconfigPath = (): string => join(run.directory, 'work', 'controller.kubeconfig');

  it('finds what it needs in its arguments, wherever it wants it', async () => {
    const args = ['--kubeconfig={kubeconfig}', '-n', '{namespace}', '{runDir}/a/{namespace}.json'];
    await start({ args });
    expect(await lines('arg')).to.deep.equal([
      `--kubeconfig=${kubeconfigPath()}`,
      '-n',
      'operator',
      `${run.directory}/run/a/operator.json`,
    ]);
  });

  it('finds it in its environment, too', async () => {
    await start({ env: { CONFIG: '{kubeconfig}', PLACE: '{runDir}:{namespace}' } });
    expect(await variable('CONFIG')).to.equal(kubeconfigPath());
    expect(await variable('PLACE')).to.equal(`${run.directory}/run:operator`);
  });

  for (const text of [
    '{unknown}',
    '{nodeslicecontroller}',
    '{constructor} {toString}',
    '{"a":{}}',
    '{{namespace',
    '${HOME}',
    '{Namespace}',
    '$&',
  ])
    it(`gets ${text} as it was written`, async () => {
      await start({ args: [text], env: { TEXT: text } });
      expect(await lines('arg')).to.deep.equal([text]);
      expect(await variable('TEXT')).to.equal(text);
    });

  it('has a ServiceAccount that may do everything, and never the rights of the administrator', async () => {
    const controller = await start();
    const path = await variable('KUBECONFIG');
    expect(path).to.equal(kubeconfigPath());
    expect((await stat(kubeconfigPath())).mode & 0o777).to.equal(0o600);
    const config = parse(await readFile(kubeconfigPath(), 'utf8')) as {
      readonly users: unknown;
      readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
      readonly contexts: readonly { readonly context: { readonly namespace: string } }[];
    };
    expect(config.users).to.deep.equal([{ name: 'sim', user: { token: TOKEN } }]);
    expect(config.clusters[0]?.cluster.server).to.equal(run.server.url);
    expect(config.contexts[0]?.context.namespace).to.equal('operator');
    const asked = run.server.requests.map(({ method, path: where }) => `${method} ${where}`);
    const account = '/api/v1/namespaces/operator/serviceaccounts/sim-controller';
    const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    expect(asked.slice(0, 3)).to.deep.equal([
      `PATCH ${account}`,
      `PATCH ${bindings}/sim-controller-${run.runId}`,
      `POST ${account}/token`,
    ]);
    const whoAmI = run.server.requests[3];
    expect(whoAmI?.headers.authorization).to.equal(`Bearer ${TOKEN}`);
    expect(controller.description).to.deep.equal({
      kind: 'command',
      reference: false,
      command: [join(run.directory, 'cwd', 'controller')],
      identity: USER,
      flowSchema: null,
      limits: null,
    });
  });

  it('is in the control group of the run from the beginning, which is said beside its own command', async () => {
    const group = join(run.directory, 'work', 'group');
    await mkdir(group);
    const cgroup: Cgroup = {
      version: 2,
      directories: [group],
      throttling: () => Promise.resolve({ periods: 3, throttledPeriods: 2, throttledMs: 1 }),
    };
    const limits = { cpu: '100m', memory: null };
    const spec = commandOf({
      command: await run.program('#!/bin/sh\necho ready; exec sleep 61\n'),
    });
    const controller = await startCommand(
      { ...run.context(), group: { limits, cgroup } },
      spec,
      'operator',
    );
    expect(await readFile(join(group, 'cgroup.procs'), 'utf8')).to.equal(
      `${controller.process()!.pid}\n`,
    );
    expect(controller.description.limits).to.deep.equal(limits);
    expect(controller.description.command).to.deep.equal([spec.command]);
    expect(await controller.throttling()).to.have.property('throttledPeriods', 2);
  });

  it('carries the mark of the run, and reaches the cluster by no proxy', async () => {
    const proxies = {
      HTTPS_PROXY: 'p',
      https_proxy: 'p',
      HTTP_PROXY: 'p',
      ALL_PROXY: 'p',
      NO_PROXY: '*',
    };
    await start({}, { ...proxies, OWN: 'kept' });
    expect(await variable('SIM_RUN_ID')).to.equal(run.runId);
    expect(await variable('OWN')).to.equal('kept');
    expect((await lines('env')).filter((line) => /proxy/i.test(line))).to.deep.equal([]);
  });

  it('may be given another environment by the scenario', async () => {
    await start({ env: { KUBECONFIG: '/mine', OWN: 'changed' } }, { OWN: 'kept' });
    expect(await variable('KUBECONFIG')).to.equal('/mine');
    expect(await variable('OWN')).to.equal('changed');
  });

  it('is found where sim was started, and runs there unless it is said otherwise', async () => {
    await start({ command: './controller' });
    expect(await lines('cwd')).to.deep.equal([join(run.directory, 'cwd')]);
  });

  it('runs in the directory that is named, seen from where sim was started', async () => {
    await start({ command: './controller', workingDirectory: '../work' });
    expect(await lines('cwd')).to.deep.equal([join(run.directory, 'work')]);
  });

  it('is found on PATH by its mere name', async () => {
    const path = await run.program(TELL_ALL, 'bin/my-controller');
    const PATH = `${join(path, '..')}:${process.env['PATH'] ?? ''}`;
    await start({ command: 'my-controller' }, { PATH });
    expect(await lines('cwd')).to.have.length(1);
  });

  it('is named when there is none', async () => {
    for (const command of ['./gone', 'no-such-controller', '{unknown}']) {
      const again = await ControllerRun.make();
      const error = (await failureOf(
        startCommand(again.context(), commandOf({ command }), 'operator'),
      )) as SimError;
      await again.stop();
      expect(error.code).to.equal('SIM_CONTROLLER_START');
      const named = command === './gone' ? join(again.directory, 'cwd', 'gone') : command;
      expect(error.message).to.equal(`cannot start ${named}: spawn ${named} ENOENT`);
    }
  });
});

describe('a controller of the toolchain', () => {
  it('is found by its placeholder', async () => {
    const run = await ControllerRun.make();
    const sandbox = await Sandbox.make();
    const path = await sandbox.write(
      'bin/nodeslicecontroller',
      script('ready') + 'sleep 61\n',
      0o755,
    );
    const host = sandbox.host({ SIM_TOOLCHAIN: 'system' });
    try {
      const controller = await startCommand(
        run.context({ env: host.env }),
        commandOf({ command: '{nodeslicecontroller}' }),
        'operator',
      );
      expect(controller.description.command).to.deep.equal([path]);
      expect(controller.process()?.command).to.include(path);
    } finally {
      await run.stop();
      await sandbox.remove();
    }
  });
});

describe('the reference controller, started by a run', () => {
  it("is run by sim's own Node.js, with what the run and the scenario say", async () => {
    const run = await ControllerRun.make();
    await run.program(
      'console.log(process.execPath); console.log(...process.argv.slice(2)); console.log("12:00 ready"); setInterval(() => 0, 1000);',
      'dist/stubs/controller.js',
    );
    try {
      const controller = await startReference(
        run.context({ packageRoot: run.directory }),
        { kind: 'reference', qps: 20, askEveryMs: 5000, mutant: 'restless' },
        'operator',
        { program: 'controller.js', args: ['--daemon-port', '11001'] },
      );
      const kubeconfig = join(run.directory, 'work', 'controller.kubeconfig');
      expect(await run.logLines()).to.deep.equal([
        process.execPath,
        `--kubeconfig ${kubeconfig} --daemon-port 11001 --qps 20 --ask-every 5000 --metrics-port 0 --seed 7 --mutant restless`,
        '12:00 ready',
      ]);
      expect(controller.description).to.include({ kind: 'reference', reference: true });
      expect(await processesOf(run.runId)).to.deep.equal([controller.process()]);
    } finally {
      await run.stop();
    }
  });
});
