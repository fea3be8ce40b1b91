import { isAbsolute, join, resolve } from 'node:path';
import type { Host } from '../host/host.ts';
import type { ProcessIdentity } from '../host/processes.ts';
import { KubeClient } from '../kube/client.ts';
import { whoAmI } from '../kube/identity.ts';
import {
  clusterAddress,
  kubeconfigText,
  makeIdentity,
  type ClusterAddress,
} from '../kube/service-account.ts';
import type { ControllerCommand, ControllerSpec, Readiness } from '../model/controller-spec.ts';
import { RUN_VARIABLE } from '../model/labels.ts';
import type { ControllerDescription } from './controller.ts';
import { inCluster, type WrappedCommand } from './in-cluster.ts';
import { controllerOfToolchain, isOfToolchain } from './prepare-controller.ts';
import { inGroup, type ControllerGroup } from './limited.ts';
import { ProcessController } from './process-controller.ts';

/** In the directory for logs of the run. */
export const CONTROLLER_LOG = 'controller.log';

/** What a controller process needs from the run. */
export interface ControllerContext {
  readonly host: Host;
  /** With the administrator's rights. */
  readonly kube: KubeClient;
  readonly adminKubeconfig: string;
  readonly runId: string;
  /** The run directory, which stays. */
  readonly runDirectory: string;
  /** A private directory that goes with the run. */
  readonly workDirectory: string;
  readonly userAgent: string;
  readonly seed: number;
  /** Undefined where the controller may use what the machine has. */
  readonly group: ControllerGroup | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
  readonly onProcess: (process: ProcessIdentity) => Promise<void>;
}

type ReferenceSpec = Extract<ControllerSpec, { kind: 'reference' }>;

/** How the reference controller of an operator is started: its program in `dist/stubs/`, and further arguments. */
export interface ReferenceProgram {
  readonly program: string;
  readonly args: readonly string[];
}

interface Identity {
  readonly address: ClusterAddress;
  readonly token: string;
  readonly kubeconfig: string;
  readonly seen: Pick<ControllerDescription, 'identity' | 'flowSchema'>;
}

/** Starts the controller that comes with sim, with an identity of its own. */
export async function startReference(
  context: ControllerContext,
  spec: ReferenceSpec,
  namespace: string,
  reference: ReferenceProgram,
): Promise<ProcessController> {
  const identity = await makeControllerIdentity(context, namespace);
  const { host } = context;
  const mutant = spec.mutant === undefined ? [] : ['--mutant', spec.mutant];
  const args = [
    join(host.packageRoot, 'dist', 'stubs', reference.program),
    '--kubeconfig',
    identity.kubeconfig,
    ...reference.args,
    '--qps',
    String(spec.qps),
    '--ask-every',
    String(spec.askEveryMs),
    '--metrics-port',
    '0',
    '--seed',
    String(context.seed),
    ...mutant,
  ];
  const node = (await host.files.linkTarget(`/proc/${host.processes.own.pid}/exe`)) ?? 'node';
  return start(context, { program: node, args, env: {} }, identity, {
    kind: 'reference',
    versions: {},
    readiness: { log: ' ready$' },
    workingDirectory: host.cwd,
  });
}

/** Starts a program of the user's or of the toolchain, with an identity of its own. Throws SIM_CONTROLLER_START. */
export async function startCommand(
  context: ControllerContext,
  spec: ControllerCommand,
  namespace: string,
): Promise<ProcessController> {
  const identity = await makeControllerIdentity(context, namespace);
  const fill = filler({ kubeconfig: identity.kubeconfig, namespace, runDir: context.runDirectory });
  const { path: program, versions } = await findProgram(context, spec.command);
  const plain: WrappedCommand = {
    program,
    args: spec.args.map(fill),
    env: Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, fill(value)])),
  };
  const { host, workDirectory: directory } = context;
  const { address, token } = identity;
  const command = spec.inCluster
    ? await inCluster(host, plain, { address, token, namespace, directory })
    : plain;
  return start(context, command, identity, {
    kind: spec.kind,
    versions,
    readiness: spec.readiness,
    workingDirectory: resolve(host.cwd, spec.workingDirectory ?? '.'),
  });
}

async function start(
  context: ControllerContext,
  { program, args, env }: WrappedCommand,
  { kubeconfig, seen }: Identity,
  options: {
    readonly kind: 'reference' | ControllerCommand['kind'];
    readonly versions: Readonly<Record<string, string>>;
    readonly readiness: Readiness;
    readonly workingDirectory: string;
  },
): Promise<ProcessController> {
  const { host, runDirectory, runId, signal, group } = context;
  const logs = join(runDirectory, 'logs');
  await host.files.makeDirectory(logs);
  const controller = new ProcessController(host, context.kube, {
    ...(group ? inGroup(host, group.cgroup, { program, args }) : { program, args }),
    env: { ...withoutProxies(host.env), KUBECONFIG: kubeconfig, [RUN_VARIABLE]: runId, ...env },
    workingDirectory: options.workingDirectory,
    readiness: options.readiness,
    logFile: join(logs, CONTROLLER_LOG),
    description: {
      kind: options.kind,
      reference: options.kind === 'reference',
      command: [program, ...args],
      ...seen,
      limits: group?.limits ?? null,
    },
    versions: options.versions,
    cgroup: group?.cgroup,
    onProcess: context.onProcess,
  });
  await controller.start(signal);
  return controller;
}

async function makeControllerIdentity(
  context: ControllerContext,
  namespace: string,
): Promise<Identity> {
  const { host, kube, runId, signal, adminKubeconfig, workDirectory, userAgent } = context;
  const token = await makeIdentity(kube, { namespace, name: 'sim-controller', runId, signal });
  const address = await clusterAddress(host, adminKubeconfig);
  const kubeconfig = join(workDirectory, 'controller.kubeconfig');
  await host.files.writeText(kubeconfig, kubeconfigText(address, token, namespace), {
    mode: 0o600,
  });
  const own = await KubeClient.fromFile(kubeconfig, { clock: host.clock, userAgent });
  try {
    return { address, token, kubeconfig, seen: await whoAmI(own, signal) };
  } finally {
    await own.close();
  }
}

/** `{name}` of a program of the toolchain; a path, from where sim was started; or a name that is on PATH. */
async function findProgram(
  context: ControllerContext,
  command: string,
): Promise<{ readonly path: string; readonly versions: Readonly<Record<string, string>> }> {
  if (isOfToolchain(command)) {
    const program = await controllerOfToolchain(context.host, context);
    return { path: program.path, versions: { [program.name]: program.version } };
  }
  if (isAbsolute(command) || !command.includes('/')) return { path: command, versions: {} };
  return { path: resolve(context.host.cwd, command), versions: {} };
}

/** Fills in what it knows; anything else in braces is the program's own affair. */
const filler =
  (values: Readonly<Record<string, string>>) =>
  (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
    );

/** The API server and the daemons are on loopback: a proxy would only be in the way. */
const withoutProxies = (
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(https?|all|no)_proxy$/i.test(name)),
  );
