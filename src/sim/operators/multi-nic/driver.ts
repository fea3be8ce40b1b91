import { SimError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { startCommand, startReference } from '../../controllers/start-controller.ts';
import { applyManifest, installDefinitions, type Manifest } from '../../kube/install.ts';
import { KINDS } from '../../kube/objects.ts';
import { renderTemplate } from '../../templates/render.ts';
import type { ResourceKind } from '../../model/operator-profile.ts';
import type { DriverContext, OperatorDriver } from '../driver.ts';
import type { Network } from './networks.ts';
import { multiNicKind, OPERATOR_NAMESPACE } from './operator-kinds.ts';

const FOLDER = 'operators/multi-nic';
const DEFINITIONS = [
  'multinicnetworks',
  'hostinterfaces',
  'cidrs',
  'ippools',
  'configs',
  'deviceclasses',
  'network-attachment-definitions',
];
const DAEMON_SETS: ResourceKind = {
  group: 'apps',
  version: 'v1',
  plural: 'daemonsets',
  kind: 'DaemonSet',
  namespaced: true,
};

/** Our own definitions of the operator's kinds, its Config with our port, and its daemons on the fake nodes alone. */
export const multiNicDriver: OperatorDriver = {
  profile: 'multi-nic',
  async install(context) {
    const { host, kube } = context;
    const definitions = await Promise.all(
      DEFINITIONS.map((name) => manifest(context, `crds/${name}.yaml`)),
    );
    await installDefinitions(kube, host.clock, definitions, context);
    await apply(context, KINDS.namespace, 'namespace.yaml');
    // Before the daemons, whose pods are created in its name.
    await apply(context, KINDS.serviceAccount, 'service-account.yaml');
    await apply(context, multiNicKind('configs', 'Config'), 'config.yaml', (config) =>
      withPort(config, portOf(context)),
    );
    await apply(context, DAEMON_SETS, 'daemon-set.yaml');
    for (const network of context.networks as readonly Network[])
      await applyManifest(
        kube,
        multiNicKind('multinicnetworks', 'MultiNicNetwork'),
        await networkManifest(context, network),
        context,
      );
  },
  startController(context) {
    const { controller } = context;
    switch (controller.kind) {
      case 'reference':
        return startReference(context, controller, OPERATOR_NAMESPACE, {
          program: 'controller.js',
          args: ['--namespace', OPERATOR_NAMESPACE, '--daemon-port', String(portOf(context))],
        });
      case 'command':
        return startCommand(context, controller, OPERATOR_NAMESPACE);
      default:
        throw new SimError('SIM_BUG', `multi-nic has no controller of kind ${controller.kind}`);
    }
  },
};

const portOf = ({ options }: DriverContext): number =>
  (options as { readonly daemonPort: number }).daemonPort;

const manifest = ({ host }: DriverContext, file: string, values: object = {}): Promise<Manifest> =>
  renderTemplate(host, `${FOLDER}/${file}`, values) as Promise<Manifest>;

async function apply(
  context: DriverContext,
  kind: ResourceKind,
  file: string,
  change: (object: Manifest) => Manifest = (same) => same,
): Promise<void> {
  await applyManifest(context.kube, kind, change(await manifest(context, file)), context);
}

function withPort(config: Manifest, port: number): Manifest {
  const spec = config['spec'] as JsonObject & { readonly daemon: JsonObject };
  return { ...config, spec: { ...spec, daemon: { ...spec.daemon, port } } };
}

/** The operator takes its IPAM settings as JSON in a text. */
async function networkManifest(
  context: DriverContext,
  { name, subnet, hostBlock, interfaceBlock, vlanMode, excludeCIDRs, masterNets }: Network,
): Promise<Manifest> {
  const ipam = JSON.stringify({
    type: 'multi-nic-ipam',
    hostBlock,
    interfaceBlock,
    excludeCIDRs,
    vlanMode,
  });
  const object = await manifest(context, 'network.yaml', { name, subnet, ipam });
  return masterNets.length === 0
    ? object
    : { ...object, spec: { ...(object['spec'] as JsonObject), masterNets } };
}
