import { expect } from 'chai';
import { parseVersion } from '../../../../src/sim/toolchain/version.ts';

describe('parseVersion', () => {
  for (const [says, version] of [
    ['Kubernetes v1.36.1', 'v1.36.1'],
    ['etcd Version: 3.6.16\nGit SHA: Not provided\nGo Version: go1.26.8', 'v3.6.16'],
    ['kwok version v0.8.0 go1.26.8 (linux/amd64)', 'v0.8.0'],
    ['Kubernetes v1.37.0-alpha.1.12+0123abc', 'v1.37.0-alpha.1.12+0123abc'],
    ['\nbuilt by hand\n', 'built by hand'],
    ['\n', undefined],
  ] as const)
    it(`reads ${version ?? 'nothing'} from ${JSON.stringify(says)}`, () => {
      expect(parseVersion(says)).to.equal(version);
    });
});
