import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, SimError, systemCodeOf } from '../base/errors.ts';
import { cgroupPlace, type CgroupController, type CgroupPlace } from './cgroup-places.ts';

/** What the processes of a group may use together. */
export interface CgroupLimits {
  /** CPU time as a share of one core: 0.1 is a tenth of one. Undefined: not limited. */
  readonly cpuCores: number | undefined;
  readonly memoryBytes: number | undefined;
}

/** How often a group had used up its CPU time, since it was made. */
export interface Throttling {
  /** Periods of 100 ms in which it wanted to run. */
  readonly periods: number;
  readonly throttledPeriods: number;
  /** How long its processes had to wait, added up over the cores. */
  readonly throttledMs: number;
}

/** A control group: processes whose use of the machine is limited by the kernel. */
export interface Cgroup {
  readonly version: 1 | 2;
  /** One in version 2, one for each limit in version 1. Who writes a pid into `cgroup.procs` of each is a member. */
  readonly directories: readonly string[];
  /** Undefined where CPU time is not limited, or it cannot be read any more. */
  throttling(): Promise<Throttling | undefined>;
}

/** Control groups of our own. */
export interface Cgroups {
  /**
   * Makes a group with limits, without members. Tells of each directory before it makes it, so that it can be found
   * again. Throws SIM_LIMITS with the reasons of all places at which it could not be made.
   */
  create(
    name: string,
    limits: CgroupLimits,
    onDirectory: (directory: string) => Promise<void>,
  ): Promise<Cgroup>;
  /** Removes a directory of a group. Answers false while it has members; one that is not there is no error. */
  remove(directory: string): Promise<boolean>;
}

/** As kubelets have it. */
const PERIOD_US = 100_000;
const HINT =
  'run sim as root, or in a group of your own: systemd-run --user --scope -p Delegate=yes sim …';

/** The control groups of the machine, as the process directory describes them. */
export function realCgroups(proc = '/proc/self'): Cgroups {
  return {
    async create(name, limits, onDirectory) {
      const wanted = controllersOf(limits);
      const places = await placesOf(proc, wanted);
      // In version 2 all controllers meet in one directory.
      const groups = places.every(({ place: { version } }) => version === 2)
        ? places.slice(0, 1).map(({ place }) => ({ place, controllers: wanted }))
        : places.map(({ place, controller }) => ({ place, controllers: [controller] }));
      const directories: string[] = [];
      try {
        for (const { place, controllers } of groups)
          directories.push(await makeIn(place, controllers, { name, limits, onDirectory }));
      } catch (error) {
        for (const directory of directories) await discard(directory);
        throw error;
      }
      const cpu = groups.findIndex(({ controllers }) => controllers.includes('cpu'));
      return {
        version: groups.every(({ place }) => place.version === 2) ? 2 : 1,
        directories,
        throttling: () => readThrottling(directories[cpu]),
      };
    },
    remove: removeGroup,
  };
}

const controllersOf = ({ cpuCores, memoryBytes }: CgroupLimits): readonly CgroupController[] => [
  ...(cpuCores === undefined ? [] : ['cpu' as const]),
  ...(memoryBytes === undefined ? [] : ['memory' as const]),
];

async function placesOf(proc: string, wanted: readonly CgroupController[]) {
  const [mountinfo, own] = await Promise.all(
    ['mountinfo', 'cgroup'].map((file) => readFile(join(proc, file), 'utf8').catch(() => '')),
  );
  return wanted.map((controller) => {
    const place = cgroupPlace(controller, mountinfo ?? '', own ?? '');
    if (place) return { controller, place };
    throw new SimError('SIM_LIMITS', `no control groups for ${controller} are mounted here`);
  });
}

interface Wish {
  readonly name: string;
  readonly limits: CgroupLimits;
  readonly onDirectory: (directory: string) => Promise<void>;
}

/** In the first parent that lets us. */
async function makeIn(
  { version, parents }: CgroupPlace,
  controllers: readonly CgroupController[],
  { name, limits, onDirectory }: Wish,
): Promise<string> {
  const reasons: string[] = [];
  for (const parent of parents) {
    const directory = join(parent, name);
    try {
      if (version === 2) await passOn(parent, controllers);
      await onDirectory(directory);
      await makeGroup(directory, settings(version, controllers, limits));
      return directory;
    } catch (error) {
      reasons.push(reasonOf(error));
    }
  }
  throw new SimError(
    'SIM_LIMITS',
    `${controllers.join(' and ')} cannot be limited: no control group can be made`,
    { details: reasons, hint: HINT },
  );
}

/** A child has the files of a controller only when its parent passes that on. */
async function passOn(parent: string, controllers: readonly CgroupController[]): Promise<void> {
  const file = join(parent, 'cgroup.subtree_control');
  const passed = (await readFile(file, 'utf8')).trim().split(' ');
  const missing = controllers.filter((controller) => !passed.includes(controller));
  if (missing.length === 0) return;
  await writeFile(file, missing.map((controller) => `+${controller}`).join(' '));
}

type Setting = readonly [file: string, value: string];

function settings(
  version: 1 | 2,
  controllers: readonly CgroupController[],
  { cpuCores, memoryBytes }: CgroupLimits,
): readonly Setting[] {
  const quota = String(Math.round((cpuCores ?? 0) * PERIOD_US));
  const bytes = String(Math.floor(memoryBytes ?? 0));
  const ofVersion: Readonly<Record<1 | 2, Readonly<Record<CgroupController, readonly Setting[]>>>> =
    {
      1: {
        cpu: [
          ['cpu.cfs_period_us', String(PERIOD_US)],
          ['cpu.cfs_quota_us', quota],
        ],
        memory: [['memory.limit_in_bytes', bytes]],
      },
      2: { cpu: [['cpu.max', `${quota} ${PERIOD_US}`]], memory: [['memory.max', bytes]] },
    };
  return controllers.flatMap((controller) => ofVersion[version][controller]);
}

async function makeGroup(directory: string, files: readonly Setting[]): Promise<void> {
  await mkdir(directory);
  try {
    for (const [file, value] of files) await writeFile(join(directory, file), value);
  } catch (error) {
    await discard(directory);
    throw error;
  }
}

/** What was half made. Why it was not made whole matters more than what is left of it. */
const discard = (directory: string): Promise<unknown> => removeGroup(directory).catch(() => false);

/** The kernel removes the files of a group with it. */
async function removeGroup(directory: string): Promise<boolean> {
  try {
    await rmdir(directory);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return true;
    if (systemCodeOf(error) === 'EBUSY') return false;
    throw error;
  }
}

/** `cpu.stat`: version 1 tells the time in nanoseconds, version 2 in microseconds. */
async function readThrottling(directory: string | undefined): Promise<Throttling | undefined> {
  if (directory === undefined) return undefined;
  const text = await readFile(join(directory, 'cpu.stat'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const valueOf = (name: string): number | undefined => {
    const match = new RegExp(`^${name} (\\d+)$`, 'm').exec(text);
    return match ? Number(match[1]) : undefined;
  };
  const throttledUs = valueOf('throttled_usec');
  return {
    periods: valueOf('nr_periods') ?? 0,
    throttledPeriods: valueOf('nr_throttled') ?? 0,
    throttledMs:
      throttledUs === undefined ? (valueOf('throttled_time') ?? 0) / 1e6 : throttledUs / 1e3,
  };
}
