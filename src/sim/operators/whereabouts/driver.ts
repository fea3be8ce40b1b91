import { join } from 'node:path';
import { SimError } from '../../base/errors.ts';
import { startCommand } from '../../controllers/start-controller.ts';
import { applyManifest, installDefinitions, type Manifest } from '../../kube/install.ts';
import { KINDS } from '../../kube/objects.ts';
import { renderTemplate } from '../../templates/render.ts';
import type { DriverContext, OperatorDriver } from '../driver.ts';
import type { Network } from './networks.ts';
import { nodeSliceController } from './node-slice-controller.ts';
import { NETWORK_ATTACHMENT_DEFINITION, OPERATOR_NAMESPACE } from './operator-kinds.ts';

const FOLDER = 'operators/whereabouts';
const DEFINITIONS = [
  `${FOLDER}/crds/nodeslicepools.yaml`,
  `${FOLDER}/crds/ippools.yaml`,
  `${FOLDER}/crds/overlappingrangeipreservations.yaml`,
  // No operator's own kind, and the same for all that use it.
  'operators/multi-nic/crds/network-attachment-definitions.yaml',
];
/** Without such a file the controller serves no network. It asks for a kubeconfig in it, and never reads that. */
const CONFIGURATION = { kubernetes: { kubeconfig: 'unused' } };

/** Our own definitions of the operator's kinds, and a NetworkAttachmentDefinition per network. */
export const whereaboutsDriver: OperatorDriver = {
  profile: 'whereabouts',
  async install(context) {
    const { host, kube, workDirectory } = context;
    const networks = context.networks as readonly Network[];
    const definitions = await Promise.all(DEFINITIONS.map((path) => manifest(context, path)));
    await installDefinitions(kube, host.clock, definitions, context);
    for (const name of new Set([OPERATOR_NAMESPACE, ...networks.map((one) => one.namespace)]))
      await makeNamespace(context, name);
    const configurationPath = join(workDirectory, 'whereabouts.conf');
    await host.files.writeText(configurationPath, JSON.stringify(CONFIGURATION), { mode: 0o600 });
    for (const network of networks)
      await applyManifest(
        kube,
        NETWORK_ATTACHMENT_DEFINITION,
        await networkManifest(context, network, configurationPath),
        context,
      );
  },
  startController(context) {
    const command = nodeSliceController(context.controller);
    if (command) return startCommand(context, command, OPERATOR_NAMESPACE);
    throw new SimError(
      'SIM_BUG',
      `whereabouts has no controller of kind ${context.controller.kind}`,
    );
  },
};

const manifest = ({ host }: DriverContext, path: string, values: object = {}): Promise<Manifest> =>
  renderTemplate(host, path, values) as Promise<Manifest>;

/** One that was there before is not the run's to label, nor later to remove by that label. */
async function makeNamespace(context: DriverContext, name: string): Promise<void> {
  if (await context.kube.get(KINDS.namespace, name)) return;
  const namespace = await manifest(context, `${FOLDER}/namespace.yaml`, { name });
  await applyManifest(context.kube, KINDS.namespace, namespace, context);
}

/** The operator takes the whole of a network's CNI configuration as JSON in a text. */
function networkManifest(
  context: DriverContext,
  { name, namespace, range, nodeSliceSize }: Network,
  configurationPath: string,
): Promise<Manifest> {
  const config = JSON.stringify({
    cniVersion: '0.3.1',
    name,
    type: 'macvlan',
    ipam: {
      type: 'whereabouts',
      configuration_path: configurationPath,
      network_name: name,
      range,
      node_slice_size: `/${nodeSliceSize}`,
    },
  });
  return manifest(context, `${FOLDER}/network.yaml`, { name, namespace, config });
}
