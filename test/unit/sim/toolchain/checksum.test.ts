import { expect } from 'chai';
import { checksumFor } from '../../../../src/sim/toolchain/checksum.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

describe('checksumFor', () => {
  it('reads the bare number of a .sha256 file', () => {
    expect(checksumFor(`${A.toUpperCase()}\n`, 'kubelet')).to.equal(A);
  });

  it('finds the line of a file in the output of sha256sum', () => {
    const text = `${A}  etcd-linux-arm64.tar.gz\n${B} *etcd-linux-amd64.tar.gz\n`;
    expect(checksumFor(text, 'etcd-linux-amd64.tar.gz')).to.equal(B);
  });

  it('does not take the number of another file', () => {
    expect(checksumFor(`${A}  etcd-linux-amd64.tar.gz.asc\n`, 'etcd-linux-amd64.tar.gz')).to.equal(
      undefined,
    );
  });

  it('does not take a shorter hash or a page for a checksum', () => {
    expect(checksumFor('a'.repeat(40), 'kubelet')).to.equal(undefined);
    expect(checksumFor('<html>not found</html>', 'kubelet')).to.equal(undefined);
  });
});
