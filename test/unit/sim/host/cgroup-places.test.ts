import { expect } from 'chai';
import { cgroupPlace } from '../../../../src/sim/host/cgroup-places.ts';

const V1 = `24 20 0:21 / /sys/fs/cgroup ro,nosuid - tmpfs tmpfs ro,mode=755
25 24 0:22 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
26 24 0:23 / /sys/fs/cgroup/cpuset rw,relatime shared:10 - cgroup cgroup rw,cpuset
27 24 0:24 / /sys/fs/cgroup/unified rw,relatime shared:11 - cgroup2 cgroup2 rw
`;
const V1_GROUPS = '5:cpuset:/\n4:cpu,cpuacct:/user/me\n0::/\n';
const V2 = '30 20 0:26 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n';

describe('cgroupPlace', () => {
  it('is a child of our own group in the hierarchy of version 1 that serves the controller', () => {
    expect(cgroupPlace('cpu', V1, V1_GROUPS)).to.deep.equal({
      version: 1,
      parents: ['/sys/fs/cgroup/cpu,cpuacct/user/me'],
    });
  });

  it('takes version 2 for a controller that no hierarchy of version 1 has', () => {
    expect(cgroupPlace('memory', V1, V1_GROUPS)).to.deep.equal({
      version: 2,
      parents: ['/sys/fs/cgroup/unified'],
    });
  });

  it('goes up from our own group to the top in version 2', () => {
    expect(cgroupPlace('cpu', V2, '0::/user.slice/app.slice/sim.scope\n')).to.deep.equal({
      version: 2,
      parents: [
        '/sys/fs/cgroup/user.slice/app.slice/sim.scope',
        '/sys/fs/cgroup/user.slice/app.slice',
        '/sys/fs/cgroup/user.slice',
        '/sys/fs/cgroup',
      ],
    });
  });

  it('knows that a container may see only a part of the hierarchy', () => {
    const mounts = V2.replace(' / /sys', ' /docker/abc /sys');
    expect(cgroupPlace('cpu', mounts, '0::/docker/abc/one\n')?.parents).to.deep.equal([
      '/sys/fs/cgroup/one',
      '/sys/fs/cgroup',
    ]);
  });

  it('stays at the top of what is mounted when our own group is outside of it', () => {
    expect(cgroupPlace('cpu', V2, '0::/../other\n')?.parents).to.deep.equal(['/sys/fs/cgroup']);
    const mounts = V2.replace(' / /sys', ' /docker/abc /sys');
    expect(cgroupPlace('cpu', mounts, '0::/elsewhere\n')?.parents).to.deep.equal([
      '/sys/fs/cgroup',
    ]);
  });

  it('reads paths with spaces', () => {
    const mounts = V2.replace('/sys/fs/cgroup', String.raw`/my\040groups`);
    expect(cgroupPlace('cpu', mounts, '0::/\n')?.parents).to.deep.equal(['/my groups']);
  });

  it('is undefined where there are no control groups', () => {
    expect(cgroupPlace('cpu', '', '')).to.equal(undefined);
    expect(cgroupPlace('cpu', '22 1 8:1 / / rw - ext4 /dev/sda1 rw\n', '')).to.equal(undefined);
  });
});
