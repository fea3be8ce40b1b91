import { expect } from 'chai';
import type { KubeClient, PATCH } from '../../src/sim/kube/client.ts';
import { KINDS } from '../../src/sim/kube/objects.ts';
import { FakeApiServer, send } from '../helpers/fake-apiserver.ts';
import { refuse } from '../helpers/fake-troubles.ts';
import { plainClient } from '../helpers/plain-client.ts';

const NODES = '/api/v1/nodes';

describe('a client', () => {
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

  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('it should have failed'),
      (error: unknown) => error,
    );
  const lastCall = () => server.calls.at(-1)!;

  it('gets an object with all its fields, also those that nobody knows', async () => {
    server.objects.put(NODES, 'sim-1', { spec: { unheardOf: [1, { deep: true }] } });
    const found = await client.get(KINDS.node, 'sim-1');
    expect(found?.['spec']).to.deep.equal({ unheardOf: [1, { deep: true }] });
  });

  it('answers undefined for an object that is not there', async () => {
    expect(await client.get(KINDS.node, 'sim-1')).to.be.undefined;
  });

  it('tells a refusal with what was asked and why', async () => {
    server.troubles.push(refuse(403, 'Forbidden'));
    const error = await failureOf(client.get(KINDS.node, 'sim-1'));
    expect(error).to.have.property('message', `GET ${NODES}/sim-1: 403 Forbidden: Forbidden`);
    expect(server.calls).to.have.length(1);
  });

  it('creates what it is given, as JSON, in the namespace', async () => {
    const pod = { metadata: { name: 'stub' }, spec: { nodeName: 'sim-1' } };
    await client.create(KINDS.pod, pod, { namespace: 'sim', name: 'stub' });
    expect(lastCall().path).to.equal('/api/v1/namespaces/sim/pods');
    expect(lastCall().headers['content-type']).to.equal('application/json');
    expect(JSON.parse(lastCall().body)).to.deep.equal(pod);
  });

  it('deletes an object, with the grace period it is given', async () => {
    server.objects.put(NODES, 'sim-1');
    await client.delete(KINDS.node, 'sim-1', { gracePeriodSeconds: 0 });
    expect(server.objects.has(`${NODES}/sim-1`)).to.be.false;
    expect(lastCall().query.toString()).to.equal('gracePeriodSeconds=0');
  });

  it('leaves the grace period to the server when none is given', async () => {
    server.objects.put(NODES, 'sim-1');
    await client.delete(KINDS.node, 'sim-1');
    expect(lastCall().query.toString()).to.equal('');
  });

  it('is content when what it deletes is not there', async () => {
    await client.delete(KINDS.node, 'sim-1');
    expect(lastCall().method).to.equal('DELETE');
  });

  it('is not content when it may not delete', async () => {
    server.troubles.push(refuse(403, 'Forbidden'));
    expect(await failureOf(client.delete(KINDS.node, 'sim-1'))).to.have.property('status', 403);
  });

  describe('patches', () => {
    const types: readonly (keyof typeof PATCH)[] = ['merge', 'strategic', 'json', 'apply'];

    beforeEach(() => {
      server.objects.put(NODES, 'sim-1');
    });

    it('with the content type that Kubernetes has for each kind of patch', async () => {
      for (const type of types) await client.patch(KINDS.node, 'sim-1', type, {});
      expect(server.calls.map(({ headers }) => headers['content-type'])).to.deep.equal([
        'application/merge-patch+json',
        'application/strategic-merge-patch+json',
        'application/json-patch+json',
        'application/apply-patch+yaml',
      ]);
    });

    it('with a field manager and by force when it applies, and without a query otherwise', async () => {
      for (const type of types) await client.patch(KINDS.node, 'sim-1', type, {});
      expect(server.calls.map(({ query }) => query.toString())).to.deep.equal([
        '',
        '',
        '',
        'fieldManager=cni-sim&force=true',
      ]);
    });

    it('the subresource that is named, with the body that is given', async () => {
      const body = { status: { phase: 'Running' } };
      server.objects.put('/api/v1/namespaces/sim/pods', 'stub');
      await client.patch(KINDS.pod, 'stub', 'merge', body, {
        namespace: 'sim',
        subresource: 'status',
      });
      expect(lastCall().path).to.equal('/api/v1/namespaces/sim/pods/stub/status');
      expect(JSON.parse(lastCall().body)).to.deep.equal(body);
    });

    it('nothing that is not there', async () => {
      const error = await failureOf(client.patch(KINDS.node, 'sim-2', 'merge', {}));
      expect(error).to.have.property('status', 404);
    });
  });

  describe('reads text', () => {
    it('as it is, without asking twice', async () => {
      server.troubles.push(({ response }) => response.writeHead(200).end('apiserver_up 1\n'));
      expect(await client.getText('/metrics')).to.equal('apiserver_up 1\n');
    });

    it('and tells a failure at once: who asks for readiness wants to know it now', async () => {
      server.troubles.push(({ response }) => response.writeHead(503).end('etcd failed'));
      expect(await failureOf(client.getText('/readyz'))).to.have.property(
        'message',
        'GET /readyz: 503: etcd failed',
      );
      expect(server.calls).to.have.length(1);
    });
  });

  it('breaks a request off when its signal aborts', async () => {
    const stop = new AbortController();
    server.troubles.push(() => {
      stop.abort(new Error('enough'));
    });
    const error = await failureOf(client.list(KINDS.node, { signal: stop.signal }));
    expect(error).to.have.property('message', 'enough');
    expect(client.retries).to.equal(0);
  });

  it('takes any answer below 300 for a success', async () => {
    server.troubles.push(({ response }) => {
      send(response, { status: 202, body: { metadata: { name: 'sim-1' } } });
    });
    await client.delete(KINDS.node, 'sim-1');
    expect(client.retries).to.equal(0);
  });
});
