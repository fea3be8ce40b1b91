import { reasonOf } from '../base/errors.ts';
import { formatBytes } from '../base/quantity.ts';
import type { Host } from '../host/host.ts';
import { makeStateDirectory, stateDirectory } from '../host/state-directory.ts';

/** One thing that a machine has enough of, or not. */
export interface MachineLimit {
  readonly name: string;
  readonly value: string;
  /** Undefined when it is enough; else what it means and what to do. */
  readonly problem: string | undefined;
}

/** The daemons of 5,000 nodes are as many listeners, and each may have connections. */
const DESCRIPTORS = 10_000;
const MEMORY_BYTES = 4 * 2 ** 30;
/** A run of 1,000 nodes writes about a gigabyte: etcd, audit log, recording. */
const DISK_BYTES = 2 * 2 ** 30;

/** What the machine has, as far as a run may need it. */
export async function machineLimits(host: Host): Promise<readonly MachineLimit[]> {
  const { platform } = host;
  return [
    limit(
      'system',
      `${platform.os} ${platform.kernel} ${platform.arch}`,
      platform.os === 'linux',
      'sim needs Linux: it uses 127.0.0.0/8 and /proc',
    ),
    limit(
      'node',
      platform.nodeVersion,
      isSupportedNode(platform.nodeVersion),
      'sim needs Node.js 20.19 or newer',
    ),
    limit(
      'processors',
      String(platform.cpus),
      platform.cpus >= 2,
      'with one processor most runs will be invalid',
    ),
    limit(
      'memory',
      formatBytes(platform.memoryBytes),
      platform.memoryBytes >= MEMORY_BYTES,
      'a control plane with a thousand nodes takes about 2 GiB',
    ),
    await descriptors(host),
    await disk(host),
    await cpuLimits(host),
  ];
}

const limit = (name: string, value: string, isEnough: boolean, problem: string): MachineLimit => ({
  name,
  value,
  problem: isEnough ? undefined : problem,
});

function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19);
}

async function descriptors({ files }: Host): Promise<MachineLimit> {
  const limits = (await files.readTextIfAny('/proc/self/limits')) ?? '';
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1] ?? 'unknown';
  const isEnough = soft === 'unlimited' || Number(soft) >= DESCRIPTORS;
  return limit(
    'open files',
    soft,
    isEnough,
    `thousands of nodes need more: ulimit -n ${DESCRIPTORS}`,
  );
}

async function disk(host: Host): Promise<MachineLimit> {
  const directory = stateDirectory(host);
  await makeStateDirectory(host);
  const free = await host.files.freeBytes(directory);
  return limit(
    'disk',
    `${formatBytes(free)} free in ${directory}`,
    free >= DISK_BYTES,
    'clusters keep their data there while they run; set XDG_STATE_HOME to a larger disk',
  );
}

/** Tried out with a group that goes at once. Only scenarios with `operator.limits` need it, so its lack is no problem. */
async function cpuLimits(host: Host): Promise<MachineLimit> {
  const name = 'CPU limits of controllers';
  try {
    const { version, directories } = await host.cgroups.create(
      `sim-doctor-${host.randomId()}`,
      { cpuCores: 1, memoryBytes: undefined },
      () => Promise.resolve(),
    );
    for (const directory of directories) await host.cgroups.remove(directory);
    return limit(name, `can be set, by cgroups of version ${version}`, true, '');
  } catch (error) {
    return limit(name, `cannot be set: ${reasonOf(error)}`, true, '');
  }
}
