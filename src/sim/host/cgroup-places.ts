import { dirname, join, relative } from 'node:path';

/** What is limited in a control group, by the kernel's name. */
export type CgroupController = 'cpu' | 'memory';

/** Where control groups of our own may be made for a controller of the kernel. */
export interface CgroupPlace {
  readonly version: 1 | 2;
  /** Directories to try as the parent, the nearest first. */
  readonly parents: readonly string[];
}

interface Mount {
  /** The part of the hierarchy that is mounted. */
  readonly root: string;
  readonly point: string;
  readonly type: string;
  readonly options: readonly string[];
}

/**
 * Finds the hierarchy that serves a controller, and our own group in it. In version 1 a child of our own group will do.
 * In version 2 a group that has processes has no limited children, so its ancestors come into question, too.
 * Undefined where no hierarchy serves it. `mountinfo` and `own` are the texts of /proc/self/mountinfo and
 * /proc/self/cgroup, see proc(5) and cgroups(7).
 */
export function cgroupPlace(
  controller: CgroupController,
  mountinfo: string,
  own: string,
): CgroupPlace | undefined {
  const mounts = parseMounts(mountinfo);
  const groups = parseGroups(own);
  const first = mounts.find(
    ({ type, options }) => type === 'cgroup' && options.includes(controller),
  );
  if (first) {
    const group = groups.find(({ controllers }) => controllers.includes(controller));
    return { version: 1, parents: [directoryOf(first, group?.path ?? '/')] };
  }
  const second = mounts.find(({ type }) => type === 'cgroup2');
  if (!second) return undefined;
  const group = groups.find(({ hierarchy }) => hierarchy === '0');
  return { version: 2, parents: upTo(second.point, directoryOf(second, group?.path ?? '/')) };
}

/** A group outside of what is mounted here is as good as the mounted part's own top. */
function directoryOf({ root, point }: Mount, path: string): string {
  if (path.startsWith('/..')) return point; // so the kernel names what lies outside of a namespace's root
  const inside = relative(root, path);
  return inside.startsWith('..') ? point : join(point, inside);
}

function upTo(top: string, directory: string): readonly string[] {
  return directory === top ? [top] : [directory, ...upTo(top, dirname(directory))];
}

/** `36 35 98:0 /root /point rw,noatime shared:1 - type source options`; a space in a path is `\040`. */
const parseMounts = (text: string): readonly Mount[] =>
  text.split('\n').flatMap((line) => {
    const [place = '', what = ''] = line.split(' - ');
    const [, , , root, point] = place.split(' ').map(unescapeOctal);
    const [type, , options] = what.split(' ');
    if (root === undefined || point === undefined || type === undefined) return [];
    return [{ root, point, type, options: (options ?? '').split(',') }];
  });

/** `4:cpu,cpuacct:/path`, and `0::/path` for version 2. */
const parseGroups = (text: string) =>
  text.split('\n').flatMap((line) => {
    const match = /^(\d+):([^:]*):(.*)$/.exec(line);
    if (!match) return [];
    const [, hierarchy = '', controllers = '', path = ''] = match;
    return [{ hierarchy, controllers: controllers.split(','), path }];
  });

const unescapeOctal = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));
