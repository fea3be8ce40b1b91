import { expect } from 'chai';
import { SOURCES } from '../../../../src/sim/toolchain/sources.ts';

describe('the official releases', () => {
  it('of Kubernetes are single files with a checksum file beside each', () => {
    expect(SOURCES['kube-scheduler'].release?.('v1.36.1', 'arm64')).to.deep.equal({
      url: 'https://dl.k8s.io/release/v1.36.1/bin/linux/arm64/kube-scheduler',
      checksumUrl: 'https://dl.k8s.io/release/v1.36.1/bin/linux/arm64/kube-scheduler.sha256',
    });
  });

  it('of etcd are archives with one list of checksums', () => {
    const base = 'https://github.com/etcd-io/etcd/releases/download/v3.6.16';
    expect(SOURCES.etcd.release?.('v3.6.16', 'amd64')).to.deep.equal({
      url: `${base}/etcd-v3.6.16-linux-amd64.tar.gz`,
      checksumUrl: `${base}/SHA256SUMS`,
      member: 'etcd-v3.6.16-linux-amd64/etcd',
    });
  });

  it('of kwok and whereabouts are not used: they have no checksum file that was verified', () => {
    for (const name of ['kwok', 'kwokctl', 'nodeslicecontroller'] as const)
      expect(SOURCES[name].release, name).to.equal(undefined);
  });
});
