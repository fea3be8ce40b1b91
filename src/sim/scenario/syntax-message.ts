import type { ErrorCode, YAMLError } from 'yaml';

/** Where the parser speaks of its own parts: what it means to the author of a scenario. */
const IN_OUR_WORDS: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY:
    'not YAML: a value on the line of its key cannot hold another "key: value"',
  MULTILINE_IMPLICIT_KEY: 'not YAML: expected a colon after the key, on the same line',
  DUPLICATE_KEY: 'the same key stands here for the second time',
  MULTIPLE_DOCS: 'a second document begins here, expected one scenario',
  TAB_AS_INDENT: 'not YAML: a tab, expected spaces as indentation',
};

/** What is wrong with the syntax of a text. */
export function syntaxMessage({ code, message }: Pick<YAMLError, 'code' | 'message'>): string {
  const [, kind, close] = /^Flow (map|sequence) .*end with a (\S)$/.exec(message) ?? [];
  if (kind !== undefined)
    return `not YAML: expected the ${close ?? ''} of a ${kind === 'map' ? 'map' : 'list'} that begins further up`;
  return IN_OUR_WORDS[code] ?? notYaml(message);
}

export const notYaml = (reason: string): string =>
  `not YAML: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
