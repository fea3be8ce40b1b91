import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimHome } from '../helpers/sim-process.ts';

const MANIFEST = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: things, kind: Thing }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: example.com/v1
kind: Thing
metadata: { name: first, namespace: shop }
`;

const scenario = (manifest: string): string => `
name: manifests
operator: { profile: node-ipam }
networks:
  - { name: pods, range: 10.244.0.0/16, nodeMask: 24 }
settle: 1s
steps:
  - scale: { to: 1, within: 60s }
  - apply: { manifest: ${manifest} }
  - delete: { manifest: ${manifest} }
`;

describe('manifests', function () {
  this.timeout(120_000);
  let home: SimHome;
  beforeEach(async () => {
    home = await SimHome.make();
    await writeFile(join(home.path, 'things.yaml'), MANIFEST);
  });
  afterEach(() => home.remove());

  const run = (manifest: string) =>
    home.run(['run', '-', '--output', home.output], {}, scenario(manifest));

  it('are applied, definitions and what is of them, and deleted again', async () => {
    const { code, stdout, stderr } = await run('things.yaml');
    expect(code, stdout + stderr).to.equal(0);
    const { steps } = await home.report();
    expect(steps.map(({ name, status }) => [name, status])).to.deep.equal([
      ['scale-1', 'converged'],
      ['apply', 'converged'],
      ['delete', 'converged'],
    ]);
  });

  it('that are not there are told before anything is started', async () => {
    const { code, stderr } = await run('none.yaml');
    expect(code).to.equal(2);
    expect(stderr).to.match(
      /SIM_MANIFEST cannot read the manifest .*none\.yaml: there is no such file/,
    );
    expect(await home.leftovers()).to.deep.equal([]);
  });

  it('that the cluster refuses end the run with what it said', async () => {
    await writeFile(
      join(home.path, 'wrong.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: NotAName }\n',
    );
    const { code, stderr } = await run('wrong.yaml');
    expect(code).to.equal(2);
    expect(stderr).to.match(/SIM_MANIFEST ConfigMap NotAName: .*422/);
  });
});
