import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readinessCheck, type ReadinessCheck } from '../../src/sim/controllers/readiness.ts';
import { realFiles } from '../../src/sim/host/files.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { controllerShapes, type Readiness } from '../../src/sim/model/controller-spec.ts';
import { FakeApiServer, type Trouble } from '../helpers/fake-apiserver.ts';
import { refuse } from '../helpers/fake-troubles.ts';
import { temporaryDirectory } from '../helpers/kubeconfig.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { ScriptedClock } from '../helpers/scripted-clock.ts';

/** As a scenario says it, with what is left out filled in. */
const readinessOf = (readiness?: unknown): Readiness =>
  controllerShapes.command.parse({ command: 'c', readiness }).readiness;

describe('whether a controller is ready', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: FakeApiServer;
  let kube: KubeClient;
  let clock: ScriptedClock;
  let logFile: string;
  let check: ReadinessCheck | undefined;

  beforeEach(async () => {
    directory = await temporaryDirectory();
    logFile = join(directory.path, 'controller.log');
    server = await FakeApiServer.start();
    kube = plainClient(server.url, { retryBudgetMs: 0 });
    clock = new ScriptedClock();
    check = undefined;
  });
  afterEach(async () => {
    await check?.close();
    await kube.close();
    await server.stop();
    await directory.remove();
  });

  const checkOf = (readiness?: unknown, logStart = 0): ReadinessCheck =>
    (check = readinessCheck(readinessOf(readiness), {
      host: { files: realFiles, clock },
      kube,
      logFile,
      logStart,
    }));

  describe('by an address', () => {
    const answer =
      (status: number, text: string): Trouble =>
      ({ response }) =>
        response.writeHead(status).end(text);

    it('is seen when it answers 200, and by no other answer', async () => {
      const ready = checkOf({ http: `${server.url}/readyz` });
      expect(ready.describe).to.equal(`${server.url}/readyz to answer 200`);
      expect(ready.lastState()).to.equal('no answer yet');
      for (const [status, text] of [
        [503, 'informers are not synced'],
        [404, ''],
        [204, ''],
      ] as const) {
        server.troubles.push(answer(status, text));
        expect(await ready.isReady(), String(status)).to.equal(false);
        expect(ready.lastState()).to.equal(`${status} ${text}`.trim());
      }
      server.troubles.push(answer(200, 'ok'));
      expect(await ready.isReady()).to.equal(true);
      expect(server.requests.map(({ path }) => path)).to.deep.equal(Array(4).fill('/readyz'));
    });

    it('is not seen while nobody listens there, which is no error', async () => {
      const ready = checkOf({ http: `${server.url}/readyz` });
      await server.stop();
      expect(await ready.isReady()).to.equal(false);
      expect(ready.lastState()).to.include('ECONNREFUSED');
      await server.start();
      server.troubles.push(answer(200, 'ok'));
      expect(await ready.isReady()).to.equal(true);
    });

    it('is not described by the whole of a long answer', async () => {
      const ready = checkOf({ http: server.url });
      server.troubles.push(answer(500, 'x'.repeat(10_000)));
      await ready.isReady();
      expect(ready.lastState()).to.have.length(200);
    });
  });

  describe('by its log', () => {
    it('is seen in a line that matches, wherever it stands', async () => {
      const ready = checkOf({ log: '^ready to serve$' });
      expect(ready.describe).to.equal('a line of its log to match /^ready to serve$/m');
      expect(await ready.isReady()).to.equal(false); // there is no log yet
      await writeFile(logFile, 'not ready to serve\nready to serve later\n');
      expect(await ready.isReady()).to.equal(false);
      expect(ready.lastState()).to.equal('40 characters of log without a match');
      await appendFile(logFile, 'ready to serve\nmore\n');
      expect(await ready.isReady()).to.equal(true);
      expect(await ready.isReady()).to.equal(true);
    });

    it('is not seen in what an earlier process has written', async () => {
      const before = 'größer\nready\n';
      await writeFile(logFile, before);
      const ready = checkOf({ log: 'ready' }, before.length);
      expect(await ready.isReady()).to.equal(false);
      await appendFile(logFile, 'ready\n');
      expect(await ready.isReady()).to.equal(true);
    });
  });

  describe('by its being alive', () => {
    for (const [readiness, ms] of [
      [undefined, 2000],
      [{ aliveFor: '250ms' }, 250],
      [{ aliveFor: '1m' }, 60_000],
    ] as const)
      it(`is seen after ${ms} ms${readiness ? '' : ', unless it is said otherwise'}`, async () => {
        const ready = checkOf(readiness);
        expect(ready.describe).to.equal(`it to stay alive for ${ms} ms`);
        clock.pass(ms - 1);
        expect(await ready.isReady()).to.equal(false);
        clock.pass(1);
        expect(await ready.isReady()).to.equal(true);
      });
  });

  describe('by a condition', () => {
    const NODES = '/api/v1/nodes';
    const withConditions = (conditions: unknown) => ({ status: { conditions } });

    it('is seen when it is True, and otherwise said what it is', async () => {
      const ready = checkOf({ condition: { plural: 'nodes', name: 'sim-1' } });
      expect(ready.describe).to.equal('condition Ready of nodes/sim-1 to be True');
      expect(await ready.isReady()).to.equal(false);
      expect(ready.lastState()).to.equal('the object is not there');
      for (const [fields, state] of [
        [{}, 'there is no such condition'],
        [withConditions('none'), 'there is no such condition'],
        [withConditions([null, { type: 'Other', status: 'True' }]), 'there is no such condition'],
        [withConditions([{ type: 'Ready', status: 'Unknown' }]), 'it is Unknown'],
        [withConditions([{ type: 'Ready', status: 'False' }]), 'it is False'],
      ] as const) {
        server.objects.put(NODES, 'sim-1', fields);
        expect(await ready.isReady(), JSON.stringify(fields)).to.equal(false);
        expect(ready.lastState()).to.equal(state);
      }
      const conditions = [
        { type: 'Other', status: 'False' },
        { type: 'Ready', status: 'True' },
      ];
      server.objects.put(NODES, 'sim-1', withConditions(conditions));
      expect(await ready.isReady()).to.equal(true);
    });

    it('is looked for in the namespace, group and version that are named', async () => {
      const place = '/apis/apps/v1/namespaces/ns/deployments';
      const condition = { plural: 'deployments', name: 'c', namespace: 'ns', group: 'apps' };
      const ready = checkOf({ condition: { ...condition, type: 'Available' } });
      server.objects.put(place, 'c', withConditions([{ type: 'Available', status: 'True' }]));
      expect(await ready.isReady()).to.equal(true);
      expect(server.requests.map(({ path }) => path)).to.deep.equal([`${place}/c`]);
    });

    it('is an error where the API server does not let us look', async () => {
      const ready = checkOf({ condition: { plural: 'nodes', name: 'sim-1' } });
      server.troubles.push(refuse(403, 'Forbidden'));
      const error = await ready.isReady().catch((reason: unknown) => reason);
      expect(String(error)).to.include('403 Forbidden');
    });
  });
});
