import { expect } from 'chai';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { KINDS } from '../../src/sim/kube/objects.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { answerThen, cutAnswer, garbleAnswer, refuse } from '../helpers/fake-troubles.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { RecordedWatch } from '../helpers/recorded-watch.ts';

const NODES = '/api/v1/nodes';

describe('a long list', () => {
  let server: FakeApiServer;
  let client: KubeClient;

  beforeEach(async () => {
    server = await FakeApiServer.start();
    client = plainClient(server.url);
    for (let i = 1; i <= 1234; i++) server.objects.put(NODES, `sim-${i}`);
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });

  const starts = (): number => server.calls.filter(({ query }) => !query.has('continue')).length;
  const expireAfterOnePage = (): void => {
    server.troubles.push(
      answerThen(() => {
        server.objects.expireContinueTokens();
      }),
    );
  };

  it('comes in pages of 500, each asked for by the token of the one before', async () => {
    const sizes: number[] = [];
    for await (const { items } of client.pages(KINDS.node)) sizes.push(items.length);
    expect(sizes).to.deep.equal([500, 500, 234]);
    expect(server.calls.map(({ query }) => query.get('limit'))).to.deep.equal([
      '500',
      '500',
      '500',
    ]);
    expect(server.calls.map(({ query }) => query.get('continue'))).to.deep.equal([
      null,
      '0.1234.500',
      '0.1234.1000',
    ]);
  });

  it('is whole and in order', async () => {
    const names = (await client.list(KINDS.node)).map(({ metadata }) => metadata.name);
    expect(names).to.deep.equal(Array.from({ length: 1234 }, (_, i) => `sim-${i + 1}`));
  });

  it('asks for the same selectors with every page', async () => {
    await client.list(KINDS.node, { labelSelector: 'sim/run=a b', fieldSelector: 'x=1' });
    expect(server.calls).to.have.length(3);
    for (const { query } of server.calls) {
      expect(query.get('labelSelector')).to.equal('sim/run=a b');
      expect(query.get('fieldSelector')).to.equal('x=1');
    }
  });

  it('stops asking when nobody wants the rest', async () => {
    for await (const { items } of client.pages(KINDS.node)) if (items.length > 0) break;
    expect(server.calls).to.have.length(1);
  });

  it('is begun again when its token has expired in the middle', async () => {
    expireAfterOnePage();
    expect(await client.list(KINDS.node)).to.have.length(1234);
    expect(starts()).to.equal(2);
    expect(server.calls).to.have.length(5);
  });

  it('is given up when it expires again', async () => {
    expireAfterOnePage();
    server.troubles.push(refuse(410, 'Expired'));
    server.troubles.push(refuse(410, 'Expired'));
    const error: unknown = await client.list(KINDS.node).catch((e: unknown) => e);
    expect(error).to.have.property('status', 410);
    expect(starts()).to.equal(2);
  });

  it('tells those who take it by pages that it has expired', async () => {
    expireAfterOnePage();
    let error: unknown;
    let count = 0;
    try {
      for await (const { items } of client.pages(KINDS.node)) count += items.length;
    } catch (thrown) {
      error = thrown;
    }
    expect(error).to.have.property('status', 410);
    expect(count).to.equal(500);
  });

  it('asks again for the one page that was lost on the way', async () => {
    server.troubles.push(answerThen(() => undefined));
    server.troubles.push(cutAnswer);
    server.troubles.push(garbleAnswer);
    expect(await client.list(KINDS.node)).to.have.length(1234);
    expect(client.retries).to.equal(2);
    expect(starts()).to.equal(1);
  });

  describe('of a reflector', () => {
    it('is told page by page, and then as complete', async () => {
      const watch = new RecordedWatch(client);
      await watch.reflector.start();
      watch.reflector.stop();
      expect(watch.told).to.deep.equal(['first page', 'page', 'page', 'listed 1234']);
      expect(watch.present).to.have.property('size', 1234);
    });

    it('does not keep what an expired list had told and the new one does not', async () => {
      server.troubles.push(
        answerThen(() => {
          server.objects.expireContinueTokens();
          server.objects.remove(`${NODES}/sim-7`);
        }),
      );
      const watch = new RecordedWatch(client);
      await watch.reflector.start();
      watch.reflector.stop();
      expect(watch.told.slice(0, 3)).to.deep.equal(['first page', 'first page', 'page']);
      expect(watch.present).to.have.property('size', 1233);
      expect(watch.present.has('sim-7')).to.be.false;
    });

    it('that cannot be had at all fails the start', async () => {
      server.troubles.push(refuse(403, 'Forbidden'));
      const { reflector } = new RecordedWatch(client);
      const error: unknown = await reflector.start().catch((e: unknown) => e);
      expect(error).to.have.property('status', 403);
      expect(server.watches).to.deep.equal([]);
    });
  });
});
