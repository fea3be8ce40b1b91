import { createServer, type Server, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Observation } from '../../src/sim/model/history.ts';
import { MetricsWatch } from '../../src/sim/observe/metrics-watch.ts';
import { eventually } from '../helpers/eventually.ts';
import { endServer, listenOnLoopback, urlOf } from '../helpers/loopback-server.ts';
import { ScriptedClock } from '../helpers/scripted-clock.ts';

const depth = (value: number) => ({ 'workqueue_depth{name="q"}': value });

describe('the watch on the metrics of a controller', () => {
  let server: Server;
  let asked: number;
  let answer: (response: ServerResponse) => void;
  let place: string | undefined;
  let recorded: Observation[];
  let clock: ScriptedClock;
  let watch: MetricsWatch;

  beforeEach(async () => {
    asked = 0;
    recorded = [];
    answer = (response) => response.end(`workqueue_depth{name="q"} ${asked}\n`);
    server = createServer((_, response) => {
      asked += 1;
      answer(response);
    });
    await listenOnLoopback(server);
    place = `${urlOf(server)}/metrics`;
    clock = new ScriptedClock();
    watch = new MetricsWatch({
      clock,
      recorder: { record: (observation) => recorded.push(observation) },
      place: () => Promise.resolve(place),
    });
  });
  afterEach(async () => {
    await watch.stop();
    await endServer(server);
  });

  const values = (): readonly unknown[] =>
    recorded.map((entry) => entry.kind === 'controller-metrics' && entry.values);
  const problems = (): readonly unknown[] =>
    recorded.map((entry) => entry.kind === 'controller-metrics' && entry.problem);

  it('asks at the start, every so often, and when it is told to', async () => {
    await watch.start();
    expect(values()).to.deep.equal([depth(1)]);
    clock.pass(5000);
    await eventually('the second answer', () => recorded.length === 2);
    await watch.sample();
    expect(values()).to.deep.equal([depth(1), depth(2), depth(3)]);
  });

  it('asks no more once it was stopped', async () => {
    await watch.start();
    await watch.stop();
    expect(clock.ticking).to.equal(0);
    expect(asked).to.equal(1);
  });

  it('asks nobody while there is nobody to ask, and says nothing of it', async () => {
    place = undefined;
    await watch.start();
    await watch.sample();
    expect([asked, recorded]).to.deep.equal([0, []]);
  });

  it('records once that there is no answer, until there is one', async () => {
    const there = place;
    place = 'http://127.0.0.1:1/metrics';
    await watch.start();
    await watch.sample();
    place = there;
    await watch.sample();
    place = 'http://127.0.0.1:1/metrics';
    await watch.sample();
    expect(values()).to.deep.equal([null, depth(1), null]);
    expect(problems()[0]).to.match(/ECONNREFUSED 127\.0\.0\.1:1/);
  });

  it('waits no longer than two seconds or so for one that hangs', async function () {
    this.timeout(10_000);
    answer = () => undefined;
    await watch.start();
    expect(values()).to.deep.equal([null]);
  });

  it('takes another status for no answer', async () => {
    answer = (response) => response.writeHead(403).end('workqueue_depth 1');
    await watch.start();
    expect(problems()).to.deep.equal([`${String(place)} answered 403`]);
  });

  it('takes an answer that has none of the metrics for no answer', async () => {
    answer = (response) => response.end('go_goroutines 7\n');
    await watch.start();
    expect(problems()).to.deep.equal([
      `${String(place)} answered with none of the metrics that are kept`,
    ]);
  });

  it('reads no answer without an end', async () => {
    answer = (response) => {
      const more = (): void => void response.write('# '.padEnd(2 ** 20, '.'), more);
      more();
    };
    await watch.start();
    expect(values()).to.deep.equal([null]);
  });
});
