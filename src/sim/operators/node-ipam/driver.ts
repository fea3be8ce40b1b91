import { reasonOf, SimError } from '../../base/errors.ts';
import { clusterComponent } from '../../controllers/cluster-component.ts';
import { whoAmI } from '../../kube/identity.ts';
import type { OperatorDriver } from '../driver.ts';

const CONTROLLER_MANAGER = 'kube-controller-manager';
/** Says so only once the controller-manager leads and has started this very controller. */
const HEALTH = { path: '/healthz?verbose', says: 'node-ipam-controller ok' };

/** The controller is a part of the cluster, and needs nothing installed. */
export const nodeIpamDriver: OperatorDriver = {
  profile: 'node-ipam',
  install: () => Promise.resolve(),
  async startController({ kube, cluster, signal }) {
    try {
      await cluster.waitHealthy(CONTROLLER_MANAGER, HEALTH, signal);
    } catch (error) {
      signal.throwIfAborted();
      const details = await cluster.logTail(CONTROLLER_MANAGER, 12);
      throw new SimError('SIM_CONTROLLER_START', `node IPAM did not start: ${reasonOf(error)}`, {
        details,
        cause: error,
      });
    }
    // kwokctl gives the controller-manager the administrator's certificate: its requests are classed as ours are.
    return clusterComponent(cluster, CONTROLLER_MANAGER, await whoAmI(kube, signal));
  },
};
