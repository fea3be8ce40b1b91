import { expect } from 'chai';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { whoAmI } from '../../src/sim/kube/identity.ts';
import { FakeApiServer, send, type Trouble } from '../helpers/fake-apiserver.ts';
import { refuse } from '../helpers/fake-troubles.ts';
import { plainClient } from '../helpers/plain-client.ts';

const SCHEMAS = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';

describe('whoAmI', () => {
  let server: FakeApiServer;
  let client: KubeClient;

  beforeEach(async () => {
    server = await FakeApiServer.start();
    client = plainClient(server.url);
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });

  const review: Trouble = ({ response }) => {
    send(response, { status: 201, body: { status: { userInfo: { username: 'kwok-admin' } } } });
  };
  const sortedInto =
    (uid: string): Trouble =>
    ({ response, carryOut }) => {
      send(response, carryOut(), { 'x-kubernetes-pf-flowschema-uid': uid });
    };
  const schemas: Trouble = ({ response }) => {
    const names = ['exempt', 'global-default'];
    const items = names.map((name) => ({ metadata: { name, uid: `uid-of-${name}` } }));
    send(response, { status: 200, body: { metadata: {}, items } });
  };

  it('tells the user and the flow schema by their names', async () => {
    server.troubles.push(review, sortedInto('uid-of-exempt'), schemas);
    expect(await whoAmI(client)).to.deep.equal({ identity: 'kwok-admin', flowSchema: 'exempt' });
    expect(server.calls.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      'POST /apis/authentication.k8s.io/v1/selfsubjectreviews',
      'GET /api/v1/namespaces',
      `GET ${SCHEMAS}`,
    ]);
  });

  it('tells no flow schema when Priority and Fairness is off', async () => {
    server.troubles.push(review);
    expect(await whoAmI(client)).to.deep.equal({ identity: 'kwok-admin', flowSchema: null });
  });

  it('tells no flow schema when it is an unknown one, or when we may not list them', async () => {
    server.troubles.push(review, sortedInto('uid-of-none'), schemas);
    expect(await whoAmI(client)).to.have.property('flowSchema', null);
    server.troubles.push(review, sortedInto('uid-of-exempt'), refuse(403, 'Forbidden'));
    expect(await whoAmI(client)).to.have.property('flowSchema', null);
  });

  it('tells no user when the server does not know the question', async () => {
    server.troubles.push(({ response }) => response.writeHead(404).end('404 page not found'));
    expect(await whoAmI(client)).to.deep.equal({ identity: null, flowSchema: null });
  });
});
