import { expect } from 'chai';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { KINDS, type KubeObject } from '../../src/sim/kube/objects.ts';
import { eventually } from '../helpers/eventually.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import {
  answerLate,
  cutAnswer,
  garbleAnswer,
  loseAnswer,
  refuse,
  reset,
  silence,
} from '../helpers/fake-troubles.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { ScriptedClock } from '../helpers/scripted-clock.ts';

const NODES = '/api/v1/nodes';
const NODE = { metadata: { name: 'sim-1' }, spec: { ours: true } };

describe('a request that fails for a passing reason', () => {
  let server: FakeApiServer;
  let clock: ScriptedClock;
  let client: KubeClient;

  beforeEach(async () => {
    server = await FakeApiServer.start();
    clock = new ScriptedClock();
    client = plainClient(server.url, { clock, timeoutMs: 5000 });
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });

  const create = (): Promise<KubeObject> => client.create(KINDS.node, NODE, { name: 'sim-1' });
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('it should have failed'),
      (error: unknown) => error,
    );
  const methods = (): readonly string[] => server.calls.map(({ method }) => method);

  it('waits as long as the server asks', async () => {
    server.troubles.push(refuse(429, 'TooManyRequests', { 'retry-after': '2' }));
    server.troubles.push(refuse(503, 'ServiceUnavailable', { 'retry-after': '4' }));
    expect(await client.list(KINDS.node)).to.deep.equal([]);
    expect(clock.sleeps).to.deep.equal([2000, 4000]);
    expect(client.retries).to.equal(2);
  });

  it('is given up when the server asks for more time than there is', async () => {
    server.troubles.push(refuse(429, 'TooManyRequests', { 'retry-after': '3600' }));
    expect(await failureOf(client.list(KINDS.node))).to.have.property('status', 429);
    expect(clock.sleeps).to.deep.equal([]);
  });

  it('is repeated after 503 without a Retry-After, with growing waits', async () => {
    for (let i = 0; i < 4; i++) server.troubles.push(refuse(503, 'ServiceUnavailable'));
    await client.list(KINDS.node);
    expect(clock.sleeps).to.deep.equal([50, 100, 200, 400]);
  });

  for (const [title, trouble] of [
    ['reset', reset],
    ['broken off in the middle of the answer', cutAnswer],
    ['closed without an answer', loseAnswer],
    ['answered with half of the JSON', garbleAnswer],
    ['answered too late', answerLate],
  ] as const)
    it(`is repeated after its connection was ${title}`, async () => {
      server.objects.put(NODES, 'sim-1');
      server.troubles.push(trouble);
      expect((await client.get(KINDS.node, 'sim-1'))?.metadata.name).to.equal('sim-1');
      expect(client.retries).to.equal(1);
    });

  it('is repeated when no answer came in time', async () => {
    const hasty = plainClient(server.url, { clock, timeoutMs: 100 });
    try {
      server.troubles.push(silence);
      expect(await hasty.list(KINDS.node)).to.deep.equal([]);
      expect(hasty.retries).to.be.at.least(1);
    } finally {
      await hasty.close();
    }
  });

  it('is repeated while nobody listens, until somebody does', async () => {
    await server.stop();
    const patient = plainClient(server.url);
    try {
      const listed = patient.list(KINDS.node);
      await eventually('a repetition', () => patient.retries >= 2);
      await server.start();
      expect(await listed).to.deep.equal([]);
    } finally {
      await patient.close();
    }
  });

  it('that deletes is content with what an attempt before it has done', async () => {
    server.objects.put(NODES, 'sim-1');
    server.troubles.push(loseAnswer);
    await client.delete(KINDS.node, 'sim-1');
    expect(methods()).to.deep.equal(['DELETE', 'DELETE']);
    expect(server.objects.has(`${NODES}/sim-1`)).to.be.false;
  });

  describe('and creates an object', () => {
    for (const [title, trouble] of [
      ['the answer was lost', loseAnswer],
      ['the answer was cut', cutAnswer],
      ['the answer could not be read', garbleAnswer],
      ['the server took too long', answerLate],
    ] as const)
      it(`takes the object that is there for its own when ${title}`, async () => {
        server.troubles.push(trouble);
        const created = await create();
        expect(created).to.have.property('spec').that.deep.equals({ ours: true });
        expect(methods()).to.deep.equal(['POST', 'POST', 'GET']);
        expect(server.objects.version).to.equal('1');
      });

    it('creates it again when the connection broke before anything was done', async () => {
      server.troubles.push(reset);
      await create();
      expect(methods()).to.deep.equal(['POST', 'POST']);
    });

    it('tells of the conflict when the object is gone by the time one looks', async () => {
      server.troubles.push(loseAnswer, refuse(409, 'AlreadyExists'), refuse(404, 'NotFound'));
      expect(await failureOf(create())).to.have.property('reason', 'AlreadyExists');
      expect(methods()).to.deep.equal(['POST', 'POST', 'GET']);
    });

    it('fails when the object was already there', async () => {
      server.objects.put(NODES, 'sim-1', { spec: { ours: false } });
      expect(await failureOf(create())).to.have.property('reason', 'AlreadyExists');
      expect(methods()).to.deep.equal(['POST']);
    });

    it('fails when the object was already there and no attempt before can have made it', async () => {
      server.objects.put(NODES, 'sim-1', { spec: { ours: false } });
      server.troubles.push(refuse(429, 'TooManyRequests', { 'retry-after': '1' }));
      expect(await failureOf(create())).to.have.property('reason', 'AlreadyExists');
      expect(methods()).to.deep.equal(['POST', 'POST']);
    });
  });

  describe('and patches an object', () => {
    beforeEach(() => {
      server.objects.put(NODES, 'sim-1');
    });

    for (const type of ['merge', 'strategic', 'apply'] as const)
      it(`is repeated with a patch of type ${type}, which does the same twice as once`, async () => {
        server.troubles.push(loseAnswer);
        await client.patch(KINDS.node, 'sim-1', type, {});
        expect(methods()).to.deep.equal(['PATCH', 'PATCH']);
      });

    it('is not repeated with a JSON patch whose answer was lost: it may append', async () => {
      server.troubles.push(loseAnswer);
      await failureOf(client.patch(KINDS.node, 'sim-1', 'json', []));
      expect(methods()).to.deep.equal(['PATCH']);
    });

    it('is repeated with a JSON patch that the server had no time for', async () => {
      server.troubles.push(refuse(429, 'TooManyRequests'));
      await client.patch(KINDS.node, 'sim-1', 'json', []);
      expect(methods()).to.deep.equal(['PATCH', 'PATCH']);
    });
  });
});
