import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { isRecord } from '../../../src/sim/base/json.ts';
import { realHost } from '../../../src/sim/host/real-host.ts';
import { RUN_LABEL } from '../../../src/sim/model/labels.ts';
import { loadTemplate } from '../../../src/sim/templates/render.ts';
import { FREE_FORM, MAPS, MULTI_NIC_KINDS, NET_ATTACH_DEF } from '../../helpers/multi-nic-model.ts';
import { fullObject } from '../../helpers/multi-nic-objects.ts';
import { ROOT } from '../../helpers/sim-process.ts';

const FOLDER = join(ROOT, 'templates', 'operators', 'multi-nic');
const FREE_FORM_MARK = 'x-kubernetes-preserve-unknown-fields';
/** All that our schemas say. No defaults, no CEL, no enums, no marks of lists and maps. */
const KEYWORDS = [
  'type',
  'format',
  'required',
  'properties',
  'items',
  'additionalProperties',
  FREE_FORM_MARK,
];

interface Schema {
  readonly type: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: Readonly<Record<string, unknown>> & { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly subresources?: { readonly status?: object };
      readonly additionalPrinterColumns?: readonly {
        readonly name: string;
        readonly type: string;
        readonly jsonPath: string;
      }[];
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

/** Every place in a schema, written as in the table: `spec.cidr[].hosts[].podCIDR`. */
function* places(schema: Schema, place = ''): Generator<readonly [string, Schema]> {
  if (place !== '') yield [place, schema];
  if (schema.items) yield* places(schema.items, `${place}[]`);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* places(field, place === '' ? name : `${place}.${name}`);
}

/** The same of an object, down to where keys are no longer fields. */
function* placesOf(value: unknown, place = ''): Generator<string> {
  if (place !== '') yield place;
  if (FREE_FORM.includes(place) || MAPS.includes(place)) return;
  if (Array.isArray(value)) yield* placesOf(value[0], `${place}[]`);
  else if (isRecord(value))
    for (const [name, field] of Object.entries(value))
      yield* placesOf(field, place === '' ? name : `${place}.${name}`);
}

const kinds = [...MULTI_NIC_KINDS, { of: NET_ATTACH_DEF, required: {} }];

describe('the manifests of multi-nic', () => {
  const objects = new Map<string, Record<string, unknown>>();
  const definition = (plural: string): Definition =>
    objects.get(`crds/${plural}.yaml`) as unknown as Definition;
  const schemaOf = (plural: string): Schema =>
    definition(plural).spec.versions[0]!.schema.openAPIV3Schema;
  before(async () => {
    const names = await readdir(FOLDER, { recursive: true });
    for (const name of names.filter((path) => path.endsWith('.yaml'))) {
      const documents = parseAllDocuments(await readFile(join(FOLDER, name), 'utf8'));
      expect(documents, name).to.have.length(1);
      expect(documents[0]!.errors, name).to.deep.equal([]);
      objects.set(name, documents[0]!.toJS() as Record<string, unknown>);
    }
  });

  it('are one object to a file', () => {
    const others = ['config', 'daemon-set', 'namespace', 'network', 'service-account'];
    expect([...objects.keys()].sort()).to.deep.equal(
      [...others, ...kinds.map(({ of }) => `crds/${of.plural}`)]
        .map((name) => `${name}.yaml`)
        .sort(),
    );
    for (const [name, object] of objects) {
      expect(object, name).to.include.keys('apiVersion', 'kind', 'metadata');
      expect(object['metadata'], name).to.have.property('name').that.is.a('string').not.empty;
    }
  });

  it('leave the label of the run to code', async () => {
    for (const name of objects.keys())
      expect(JSON.stringify(objects.get(name)), name).not.to.include(RUN_LABEL);
    const fakeNode = await readFile(join(ROOT, 'templates', 'fake-node.yaml'), 'utf8');
    expect(fakeNode, 'the label is still called so').to.include(RUN_LABEL);
  });

  it('put the daemons where the fake nodes are, and tell the controller the same', async () => {
    const node = await loadTemplate(realHost(ROOT), 'fake-node.yaml');
    const values = { name: '', run: '', address: '', cpu: '', memory: '', pods: '', now: '' };
    expect(node(values)).to.have.nested.property('metadata.labels.type', 'kwok');
    const daemonSet = objects.get('daemon-set.yaml');
    const pod = 'spec.template.spec';
    expect(daemonSet).to.deep.nested.include({
      'metadata.name': 'multi-nicd',
      'metadata.namespace': 'multi-nic-cni-operator',
      'spec.selector.matchLabels': { app: 'multi-nicd' },
      'spec.template.metadata.labels': { app: 'multi-nicd' },
      [`${pod}.hostNetwork`]: true,
      [`${pod}.nodeSelector`]: { type: 'kwok' },
      [`${pod}.tolerations`]: [{ key: 'kwok.x-k8s.io/node', operator: 'Exists' }],
      [`${pod}.containers`]: [{ name: 'multi-nicd', image: 'fake-image' }],
      [`${pod}.serviceAccountName`]: 'multi-nic-cni-operator-controller-manager',
    });
    expect(objects.get('config.yaml')).to.deep.nested.include({
      'metadata.name': 'multi-nicd',
      'spec.daemon': {
        image: 'fake-image',
        port: 11000,
        nodeSelector: { type: 'kwok' },
        tolerations: [{ key: 'kwok.x-k8s.io/node', operator: 'Exists' }],
      },
    });
    expect(objects.get('namespace.yaml')).to.have.nested.property(
      'metadata.name',
      'multi-nic-cni-operator',
    );
    expect(objects.get('service-account.yaml')).to.nested.include({
      'metadata.name': 'multi-nic-cni-operator-controller-manager',
      'metadata.namespace': 'multi-nic-cni-operator',
    });
  });

  it('render a network with the JSON of its ipam as one text', async () => {
    const render = await loadTemplate(realHost(ROOT), 'operators/multi-nic/network.yaml');
    const ipam = JSON.stringify({ type: 'multi-nic-ipam', hostBlock: 8, vlanMode: "l3's: {{x}}" });
    const network = render({ name: 'net-a', subnet: '192.168.0.0/16', ipam });
    expect(network).to.deep.nested.include({
      'metadata.name': 'net-a',
      'spec.subnet': '192.168.0.0/16',
      'spec.ipam': ipam,
      'spec.plugin': { cniVersion: '0.3.0', type: 'ipvlan', args: { mode: 'l3' } },
    });
  });

  for (const { of, required } of kinds)
    describe(`define ${of.plural}`, () => {
      it('under names that agree', () => {
        const { metadata, spec } = definition(of.plural);
        expect(metadata.name).to.equal(`${of.plural}.${of.group}`);
        expect(spec).to.include({
          group: of.group,
          scope: of.namespaced ? 'Namespaced' : 'Cluster',
        });
        expect(spec.names).to.include({
          kind: of.kind,
          listKind: `${of.kind}List`,
          plural: of.plural,
        });
        expect(String(spec.names['singular']).replaceAll('-', '')).to.equal(of.kind.toLowerCase());
      });

      it('in one version, with its status apart where it has one', () => {
        const { versions } = definition(of.plural).spec;
        expect(versions).to.have.length(1);
        expect(versions[0]).to.include({ name: of.version, served: true, storage: true });
        expect(versions[0]?.subresources).to.deep.equal(
          of === NET_ATTACH_DEF ? undefined : { status: {} },
        );
      });

      it('with exactly the required fields of the published model', () => {
        const found = [...places(schemaOf(of.plural))]
          .filter(([, schema]) => schema.required !== undefined)
          .map(([place, schema]) => [place, schema.required?.toSorted()]);
        const expected = Object.entries(required).map(([place, names]) => [
          place,
          names.toSorted(),
        ]);
        expect(Object.fromEntries(found)).to.deep.equal(Object.fromEntries(expected));
        expect(schemaOf(of.plural).required, 'of the object itself').to.equal(undefined);
      });

      it('with exactly the fields of the published model', () => {
        const found = [...places(schemaOf(of.plural))].map(([place]) => place);
        expect(found.sort()).to.deep.equal([...placesOf(fullObject(of.kind))].sort());
      });

      it('without anything that the API server would add or decide itself', () => {
        for (const [place, schema] of places(schemaOf(of.plural))) {
          expect(KEYWORDS, place).to.include.members(Object.keys(schema));
          expect(FREE_FORM.includes(place), place).to.equal(FREE_FORM_MARK in schema);
          expect(MAPS.includes(place), place).to.equal(schema.additionalProperties !== undefined);
        }
      });

      it('with columns for the three counters, if it is a network', () => {
        const columns = definition(of.plural).spec.versions[0]?.additionalPrinterColumns ?? [];
        expect(columns.map(({ name }) => name)).to.deep.equal(
          of.kind === 'MultiNicNetwork' ? ['Total', 'Available', 'Processed'] : [],
        );
        const fields = new Map([...places(schemaOf(of.plural))]);
        for (const { jsonPath, type } of columns)
          expect(fields.get(jsonPath.slice(1))?.type, jsonPath).to.equal(type);
      });
    });
});
