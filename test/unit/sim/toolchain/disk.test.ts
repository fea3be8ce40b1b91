import { expect } from 'chai';
import type { Host } from '../../../../src/sim/host/host.ts';
import { shortage } from '../../../../src/sim/toolchain/disk.ts';

const GIB = 1024 ** 3;

/** Two file systems, of which only the mount points exist. */
function hostWith(free: Readonly<Record<string, number>>): { readonly host: Host } {
  const files = {
    stat: (path: string) => Promise.resolve(path in free ? { isDirectory: true } : undefined),
    freeBytes: (path: string) => Promise.resolve(free[path]),
  };
  return { host: { files } as unknown as Host };
}

describe('shortage', () => {
  const needs = [
    { path: '/home/go/pkg/mod', bytes: 2 * GIB },
    { path: '/home/cache', bytes: 3 * GIB },
    { path: '/data/sim', bytes: GIB },
  ];

  it('is none when every file system has room for its folders', async () => {
    const host = hostWith({ '/home': 6 * GIB, '/data': 2 * GIB });
    expect(await shortage(host, needs)).to.equal(undefined);
  });

  it('adds up the folders of one file system', async () => {
    const host = hostWith({ '/home': 4 * GIB, '/data': 2 * GIB });
    expect(await shortage(host, needs)).to.equal(
      'a build needs about 5.0Gi of disk, and /home has 4.0Gi free',
    );
  });
});
