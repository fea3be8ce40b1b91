import { expect } from 'chai';
import { buildFlags } from '../../../../src/sim/toolchain/build-flags.ts';
import type { ProgramName } from '../../../../src/sim/toolchain/program.ts';

describe('buildFlags', () => {
  it('stamps the versions of Kubernetes and kwok', () => {
    const versions = { 'kube-apiserver': 'v1.36.1', kwok: 'v0.8.0' } as Record<ProgramName, string>;
    expect(buildFlags(versions)).to.deep.equal([
      '-trimpath',
      '-buildvcs=false',
      '-ldflags',
      '-s -w -X k8s.io/component-base/version.gitVersion=v1.36.1' +
        ' -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36' +
        ' -X sigs.k8s.io/kwok/pkg/consts.Version=v0.8.0',
    ]);
  });
});
