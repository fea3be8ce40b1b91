import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { aLittleLater, eventually } from '../helpers/eventually.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { silence } from '../helpers/fake-troubles.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { RecordedWatch } from '../helpers/recorded-watch.ts';
import { ScriptedClock } from '../helpers/scripted-clock.ts';

const NODES = '/api/v1/nodes';
const run = promisify(execFile);

describe('a watch over its life', () => {
  let server: FakeApiServer;
  let client: KubeClient;
  let watch: RecordedWatch;

  beforeEach(async () => {
    server = await FakeApiServer.start();
    client = plainClient(server.url);
    watch = new RecordedWatch(client);
    server.objects.put(NODES, 'sim-1');
  });
  afterEach(async () => {
    watch.reflector.stop();
    await client.close();
    await server.stop();
  });

  const told = (what: string): Promise<true> =>
    eventually(what, () => watch.told.includes(what) && true);

  describe('that falls silent', () => {
    let clock: ScriptedClock;

    beforeEach(async () => {
      clock = new ScriptedClock();
      watch = new RecordedWatch(client, {}, clock);
      await watch.reflector.start();
    });

    it('is closed by us after ninety seconds, and resumed from where it was', async () => {
      const silent = await server.watch(1);
      silent.event('ADDED', server.objects.put(NODES, 'sim-2'));
      await told('ADDED sim-2');
      clock.pass(90_000);
      expect((await server.watch(2)).fromVersion).to.equal('2');
      await eventually('the end of the silent watch', () => silent.isOver);
      await told('resume');
      expect(watch.resumes[0]?.reason).to.equal('no event or bookmark for too long');
      expect(watch.gaps).to.deep.equal([]);
    });

    it('is left alone until then', async () => {
      const quiet = await server.watch(1);
      clock.pass(60_000);
      quiet.event('ADDED', server.objects.put(NODES, 'sim-2'));
      await told('ADDED sim-2');
      clock.pass(89_999);
      await aLittleLater();
      expect(quiet.isOver).to.be.false;
    });

    it('is closed too when not even its headers come', async () => {
      const open = await server.watch(1);
      server.watchTroubles.push(silence);
      open.end();
      await eventually('the second watch', () => server.requests.length === 3);
      clock.pass(90_000);
      await server.watch(2);
      await told('resume');
      expect(watch.resumes).to.have.length(1);
      expect(watch.gaps).to.deep.equal([]);
    });

    it('leaves no timer behind when it is stopped', async () => {
      const open = await server.watch(1);
      expect(clock.ticking).to.equal(1);
      watch.reflector.stop();
      await eventually('the end of the watch', () => open.isOver);
      await eventually('the end of the timer', () => clock.ticking === 0);
    });
  });

  it('is not closed while bookmarks come, though no event does', async () => {
    watch = new RecordedWatch(client, { idleTimeoutMs: 2000 });
    await watch.reflector.start();
    const open = await server.watch(1);
    for (let i = 0; i < 25; i++) {
      open.bookmark(String(10 + i));
      await aLittleLater(100);
    }
    expect(open.isOver).to.be.false;
    expect(watch.told).to.deep.equal(['first page', 'listed 1']);
  });

  it('whose server is away for a while is resumed when it is back', async () => {
    await watch.reflector.start();
    const open = await server.watch(1);
    open.event('ADDED', server.objects.put(NODES, 'sim-2'));
    await told('ADDED sim-2');
    await server.stop();
    await aLittleLater(300);
    await server.start();
    const next = await server.watch(2);
    expect(next.fromVersion).to.equal('2');
    next.event('ADDED', server.objects.put(NODES, 'sim-3'));
    await told('ADDED sim-3');
    expect(watch.told.slice(3)).to.deep.equal(['resume', 'ADDED sim-3']);
    expect(watch.resumes[0]?.durationMs).to.be.at.least(250);
  });

  it('that was lost while the server is away is listed again when it is back', async () => {
    await watch.reflector.start();
    const open = await server.watch(1);
    open.error(410, 'Expired');
    server.troubles.push(silence);
    await told('gap');
    await eventually('the second list', () => server.calls.length === 2);
    await server.stop();
    await aLittleLater(300);
    server.objects.put(NODES, 'sim-2');
    await server.start();
    await server.watch(2);
    expect([...watch.present]).to.deep.equal(['sim-1', 'sim-2']);
    expect(watch.gaps).to.have.length(1);
  });

  describe('that is stopped', () => {
    it('is closed, and tells nothing more', async () => {
      await watch.reflector.start();
      const open = await server.watch(1);
      watch.reflector.stop();
      await eventually('the end of the watch', () => open.isOver);
      await aLittleLater();
      expect(server.watches).to.have.length(1);
      expect(watch.told).to.deep.equal(['first page', 'listed 1']);
    });

    it('in the middle of a burst tells nothing of the rest', async () => {
      await watch.reflector.start();
      const open = await server.watch(1);
      watch.onEachEvent = () => {
        watch.reflector.stop();
      };
      const lines = [2, 3, 4].map((i) => {
        const object = server.objects.put(NODES, `sim-${i}`);
        return `${JSON.stringify({ type: 'ADDED', object })}\n`;
      });
      open.raw(lines.join(''));
      await eventually('the end of the watch', () => open.isOver);
      expect(watch.events.map(({ name }) => name)).to.deep.equal(['sim-2']);
    });

    it('while its server is away does not come back', async () => {
      await watch.reflector.start();
      await server.watch(1);
      await server.stop();
      watch.reflector.stop();
      await server.start();
      await aLittleLater(200);
      expect(server.watches).to.have.length(1);
      expect(watch.resumes).to.deep.equal([]);
    });

    it('during its first list ends the start with an error', async () => {
      server.troubles.push(() => {
        watch.reflector.stop();
      });
      const error: unknown = await watch.reflector.start().catch((e: unknown) => e);
      expect(error).to.have.property('name', 'AbortError');
      expect(watch.told).to.deep.equal([]);
    });

    it('lets the process end by itself', async function () {
      this.timeout(30_000);
      const program = fileURLToPath(new URL('../fixtures/kube/watch-and-stop.ts', import.meta.url));
      const { stdout } = await run(process.execPath, ['--import', 'tsx/esm', program, server.url], {
        timeout: 25_000, // it would be killed, and the test would fail by that
      });
      expect(stdout).to.equal('listed\nstopped\n');
      expect(server.watches.length).to.be.at.least(1);
    });
  });
});
