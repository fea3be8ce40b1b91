import { assertNever } from '../base/assert-never.ts';
import { formatDuration } from '../base/duration.ts';
import { ASK_EVERY_MS, type ControllerSpec } from '../model/controller-spec.ts';

/** What is under test, as the scenario and the command line name it. */
export const controllerLine = (spec: ControllerSpec): string => `controller: ${named(spec)}`;

function named(spec: ControllerSpec): string {
  switch (spec.kind) {
    case 'cluster':
      return "cluster (the cluster's own controller-manager)";
    case 'installed':
    case 'toolchain':
      return spec.kind;
    case 'reference':
      return withNotes('reference', [
        spec.qps === 0 ? undefined : `qps ${spec.qps}`,
        spec.askEveryMs === ASK_EVERY_MS
          ? undefined
          : `asks every ${formatDuration(spec.askEveryMs)}`,
        spec.mutant === undefined ? undefined : `mutant ${spec.mutant}`,
      ]);
    case 'command':
      return withNotes([spec.command, ...spec.args].map(quoted).join(' '), [
        spec.workingDirectory === undefined ? undefined : `in ${spec.workingDirectory}`,
        spec.inCluster ? 'as in a pod' : undefined,
      ]);
    default:
      return assertNever(spec);
  }
}

function withNotes(text: string, notes: readonly (string | undefined)[]): string {
  const given = notes.filter((note) => note !== undefined);
  return given.length === 0 ? text : `${text} (${given.join(', ')})`;
}

/** So that one argument with a space does not look like two. */
const quoted = (arg: string): string => (/^[^\s"'\\]+$/.test(arg) ? arg : JSON.stringify(arg));
