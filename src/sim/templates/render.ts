import { join } from 'node:path';
import Handlebars from 'handlebars';
import { parse } from 'yaml';
import { reasonOf, SimError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Host } from '../host/host.ts';

/** A template that makes one Kubernetes object from plain values. */
export type Template<C> = (context: C) => Record<string, unknown>;

type Leaf = (context: unknown) => unknown;

/**
 * Reads a YAML template from `templates/`. The YAML is parsed once and only its texts are rendered, so that a value
 * can never change the structure, and a thousand objects cost milliseconds. Throws SIM_BUG when a template is
 * broken or a value is missing: templates come with sim.
 */
export async function loadTemplate<C>(
  host: Pick<Host, 'files' | 'packageRoot'>,
  name: string,
): Promise<Template<C>> {
  const path = join(host.packageRoot, 'templates', name);
  const text = await host.files.readText(path);
  try {
    const render = compile(parse(text), Handlebars.create());
    return (context) => {
      const rendered = render(context);
      if (isRecord(rendered)) return rendered;
      throw new TypeError('expected one object');
    };
  } catch (error) {
    throw new SimError('SIM_BUG', `template ${name}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Renders a template once. Throws as `loadTemplate` does. */
export async function renderTemplate(
  host: Pick<Host, 'files' | 'packageRoot'>,
  name: string,
  values: object = {},
): Promise<Record<string, unknown>> {
  return (await loadTemplate<object>(host, name))(values);
}

function compile(value: unknown, handlebars: typeof Handlebars): Leaf {
  if (typeof value === 'string')
    return value.includes('{{')
      ? handlebars.compile(value, { noEscape: true, strict: true })
      : () => value;
  if (Array.isArray(value)) {
    const items = value.map((item) => compile(item, handlebars));
    return (context) => items.map((item) => item(context));
  }
  if (isRecord(value)) {
    const fields = Object.entries(value).map(
      ([key, field]) => [key, compile(field, handlebars)] as const,
    );
    return (context) => Object.fromEntries(fields.map(([key, field]) => [key, field(context)]));
  }
  return () => value;
}
