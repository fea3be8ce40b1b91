import { clusterComponent } from '../../controllers/cluster-component.ts';
import { whoAmI } from '../../kube/identity.ts';
import type { OperatorDriver } from '../driver.ts';

/** The controller is there as soon as the cluster is, and needs nothing installed. */
export const nodeIpamDriver: OperatorDriver = {
  profile: 'node-ipam',
  install: () => Promise.resolve(),
  async startController({ kube, cluster }) {
    // kwokctl gives the controller-manager the administrator's certificate: its requests are classed as ours are.
    return clusterComponent(cluster, 'kube-controller-manager', await whoAmI(kube));
  },
};
