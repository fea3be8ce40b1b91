import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { SimError } from '../../src/sim/base/errors.ts';
import { realFiles } from '../../src/sim/host/files.ts';
import { realClock } from '../../src/sim/host/real-clock.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import {
  applyObjects,
  deleteObjects,
  readManifest,
  type ManifestObject,
} from '../../src/sim/kube/manifest-file.ts';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { FakeApiServer, send } from '../helpers/fake-apiserver.ts';
import { answerThen, refuse } from '../helpers/fake-troubles.ts';
import { fasterClock } from '../helpers/faster-clock.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { failureOf } from '../helpers/toolchain-sandbox.ts';

const errorOf = async (work: Promise<unknown>): Promise<SimError> =>
  (await failureOf(work)) as SimError;

describe('a manifest', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let path: string;
  beforeEach(async () => {
    directory = await temporaryDirectory();
    path = join(directory.path, 'm.yaml');
  });
  afterEach(() => directory.remove());

  async function read(text: string): Promise<readonly ManifestObject[]> {
    await writeFile(path, text);
    return readManifest({ files: realFiles }, path);
  }
  const object = (name: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;

  it('is read document by document, lists taken apart, empty ones passed over', async () => {
    const list =
      'kind: List\nitems:\n  - { apiVersion: v1, kind: Secret, metadata: { name: b } }\n';
    const objects = await read(
      `# nothing\n---\n${object('a')}---\n${list}---\n---\n${object('c')}`,
    );
    expect(objects.map(({ kind, metadata: { name } }) => [kind, name])).to.deep.equal([
      ['ConfigMap', 'a'],
      ['Secret', 'b'],
      ['ConfigMap', 'c'],
    ]);
  });

  const bad: readonly (readonly [string, string, string])[] = [
    ['nothing', '---\n', 'it holds no object'],
    [
      'no object',
      `apiVersion: v1\nkind: A\nmetadata: { name: a }\n---\nkind: B\n`,
      'document 2 is no object: expected apiVersion, kind, metadata.name',
    ],
    ['a sentence', 'hello\n', 'document 1 is no object: expected apiVersion, kind, metadata.name'],
  ];
  for (const [what, text, why] of bad)
    it(`is refused when it holds ${what}`, async () => {
      const error = await errorOf(read(text));
      expect(error.code).to.equal('SIM_MANIFEST');
      expect(error.message).to.equal(`cannot read the manifest ${path}: ${why}`);
    });

  it('is refused where it is no YAML, with the place', async () => {
    const error = await errorOf(read('kind: [a\nmetadata: {'));
    expect(error.code).to.equal('SIM_MANIFEST');
    expect(error.message).to.match(
      /^cannot read the manifest .*m\.yaml: .* at line \d+, column \d+/,
    );
  });

  it('is refused where there is no such file', async () => {
    const error = await errorOf(readManifest({ files: realFiles }, join(directory.path, 'none')));
    expect(error.message).to.match(/none: there is no such file$/);
  });
});

describe('the objects of a manifest', () => {
  let server: FakeApiServer;
  let kube: KubeClient;
  const options = { runId: 'r1', signal: new AbortController().signal, clock: realClock };

  beforeEach(async () => {
    server = await FakeApiServer.start();
    kube = plainClient(server.url);
    knows('/api', 'v1', ['configmaps', 'ConfigMap', true], ['namespaces', 'Namespace', false]);
  });
  afterEach(async () => {
    await kube.close();
    await server.stop();
  });

  /** The API server tells of these kinds. */
  function knows(
    at: string,
    version: string,
    ...kinds: readonly [string, string, boolean][]
  ): void {
    const resources = kinds.flatMap(([name, kind, namespaced]) => [
      { name: `${name}/status`, kind, namespaced },
      { name, kind, namespaced },
    ]);
    server.objects.put(at, version, { resources });
  }
  const manifest = (
    kind: string,
    name: string,
    more: object = {},
    apiVersion = 'v1',
  ): ManifestObject => ({
    apiVersion,
    kind,
    metadata: { name, ...more },
  });
  const calls = (method: string): readonly string[] =>
    server.calls.filter((call) => call.method === method).map(({ path }) => path);

  it('are applied in their order, under the label of the run, in their namespace or the default', async () => {
    const objects = [
      manifest('Namespace', 'n'),
      manifest('ConfigMap', 'a', { namespace: 'n', labels: { own: 'x' } }),
      manifest('ConfigMap', 'b'),
    ];
    await applyObjects(kube, objects, options);
    expect(calls('PATCH')).to.deep.equal([
      '/api/v1/namespaces/n',
      '/api/v1/namespaces/n/configmaps/a',
      '/api/v1/namespaces/default/configmaps/b',
    ]);
    const sent = JSON.parse(
      server.calls.findLast(({ path }) => path.endsWith('/a'))?.body ?? '',
    ) as ManifestObject;
    expect(sent.metadata['labels']).to.include({ own: 'x' });
    expect(Object.values(sent.metadata['labels'] as object)).to.include('r1');
  });

  it('may be of a kind that the cluster learns a moment later', async () => {
    const applied = applyObjects(kube, [manifest('Thing', 't', {}, 'x.io/v1')], options);
    await eventually('a question for the kind', () => calls('GET').includes('/apis/x.io/v1'));
    knows('/apis/x.io', 'v1', ['things', 'Thing', false]);
    await applied;
    expect(server.objects.has('/apis/x.io/v1/things/t')).to.be.true;
  });

  it('are refused when they are of a kind that nobody knows', async () => {
    const clock = fasterClock(50);
    const work = applyObjects(kube, [manifest('Ghost', 'g', {}, 'x.io/v1')], { ...options, clock });
    const error = await errorOf(work);
    expect(error.code).to.equal('SIM_MANIFEST');
    expect(error.message).to.contain('the API server to know Ghost of x.io/v1');
  });

  it('are refused with the reason of the cluster, and those after them are not applied', async () => {
    server.troubles.push(
      answerThen(() => undefined),
      refuse(422, 'Invalid'),
    );
    const objects = [manifest('ConfigMap', 'a'), manifest('ConfigMap', 'b')];
    const error = await errorOf(applyObjects(kube, objects, options));
    expect(error.code).to.equal('SIM_MANIFEST');
    expect(error.message).to.match(/^ConfigMap a: PATCH .*422 Invalid/);
    expect(calls('PATCH')).to.have.length(1);
  });

  it('are deleted, the last first; such as are gone already are none to wait for', async () => {
    server.objects.put('/api/v1/namespaces', 'n');
    server.objects.put('/api/v1/namespaces/default/configmaps', 'a');
    await deleteObjects(
      kube,
      [manifest('Namespace', 'n'), manifest('ConfigMap', 'a'), manifest('ConfigMap', 'gone')],
      options,
    );
    expect(calls('DELETE')).to.deep.equal([
      '/api/v1/namespaces/default/configmaps/gone',
      '/api/v1/namespaces/default/configmaps/a',
      '/api/v1/namespaces/n',
    ]);
    expect(server.objects.has('/api/v1/namespaces/n')).to.be.false;
  });

  it('are waited for until the last finalizer has let them go', async () => {
    server.objects.put('/api/v1/namespaces', 'n');
    server.troubles.push(
      answerThen(() => undefined),
      ({ response }) => {
        send(response, { status: 200, body: {} });
      },
    );
    let isOver = false;
    const work = deleteObjects(kube, [manifest('Namespace', 'n')], options).then(() => {
      isOver = true;
    });
    await eventually(
      'two looks',
      () => calls('GET').filter((path) => path.endsWith('/n')).length >= 2,
    );
    await aLittleLater();
    expect(isOver).to.be.false;
    server.objects.remove('/api/v1/namespaces/n');
    await work;
  });
});
