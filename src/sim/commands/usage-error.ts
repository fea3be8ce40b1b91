import { SimError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';

const UNKNOWN = /^Unknown arguments?: (.*)$/s;
const MORE_HELP = '`sim --help` lists commands and options';

/** What is wrong with a command line, from what yargs says of it and the names of the options that there are. */
export function usageError(
  message: string,
  args: readonly string[],
  known: readonly string[],
): SimError {
  const [, list] = UNKNOWN.exec(message) ?? [];
  if (list === undefined) return new SimError('SIM_USAGE', message, { hint: MORE_HELP });
  const unknown = withoutTwins(list.split(', '));
  const text = `Unknown argument${unknown.length === 1 ? '' : 's'}: ${unknown.join(', ')}`;
  return new SimError('SIM_USAGE', text, { hint: hintFor(unknown, args, known) });
}

/** yargs knows every `--kebab-case` by its camelCase too, and tells both. */
function withoutTwins(names: readonly string[]): readonly string[] {
  const twins = new Set(names.filter((name) => name.includes('-')).map(camelCase));
  return names.filter((name) => !twins.has(name));
}

const camelCase = (name: string): string =>
  name.replaceAll(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());

function hintFor(
  unknown: readonly string[],
  args: readonly string[],
  known: readonly string[],
): string {
  const meant = unknown.flatMap((name) => nearest(name, known) ?? []);
  const controller = controllerOf(args);
  const hints = [
    ...(meant.length > 0 ? [`did you mean ${meant.map((name) => `--${name}`).join(', ')}?`] : []),
    ...(controller === undefined
      ? []
      : [
          `the controller's own arguments follow a lone --: --controller ${controller} -- ${ownArguments(unknown, args)}`,
        ]),
  ];
  return hints.length > 0 ? hints.join('; ') : MORE_HELP;
}

function controllerOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => /^--controller(=|$)/.test(arg));
  return at < 0 ? undefined : (args[at]?.split('=')[1] ?? args[at + 1]);
}

/** As they were typed, with their values where those were written behind an equals sign. */
const ownArguments = (unknown: readonly string[], args: readonly string[]): string =>
  unknown
    .map((name) => args.find((arg) => arg.replace(/^-+/, '').split('=')[0] === name) ?? name)
    .join(' ');
