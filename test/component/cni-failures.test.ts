import { expect } from 'chai';
import { cniWorlds, only, type CniWorld } from '../helpers/cni-world.ts';
import { eventually } from '../helpers/eventually.ts';

describe('the CNI stub, asking daemons that fail', function () {
  this.timeout(30_000);
  const startWorld = cniWorlds();
  let world: CniWorld;
  beforeEach(async () => {
    world = await startWorld();
    world.pool(1);
  });

  const askFaulty = async (attempts = 2) => {
    const end = await world.run(world.plan([world.pod(1, 'a')], { attempts, timeoutMs: 200 }));
    expect(end.code).to.equal(1);
    expect(end.stderr).to.equal('');
    return only(end);
  };
  const where = (path: string): string => {
    const { loopback } = world.daemons;
    return `POST ${path} on ${loopback.address(1)}:${loopback.port}: `;
  };
  it('is told of a connection that is refused', async () => {
    await world.fault(1, { kind: 'refuse' });
    const result = await askFaulty(3);
    expect(result).to.deep.include({ status: 'failed', asked: [], granted: [], retries: 2 });
    expect(result.problem).to.equal(
      `${where('/select')}connect ECONNREFUSED ${world.pod(1, 'a').address}`,
    );
  });

  it('gives up each call that hangs after its time', async () => {
    await world.fault(1, { kind: 'hang', paths: ['/allocate'] });
    const result = await askFaulty();
    expect(result).to.deep.include({ status: 'failed', asked: ['eth1', 'eth2'], retries: 1 });
    expect(result.problem).to.equal(`${where('/allocate')}Headers Timeout Error`);
    expect(result.endMs - result.startMs).to.be.at.least(400);
  });

  it('is told of an error', async () => {
    await world.fault(1, { kind: 'error', status: 503 });
    const result = await askFaulty();
    expect(result).to.deep.include({ status: 'failed', retries: 1 });
    expect(result.problem).to.equal(`${where('/select')}503 {"error":"a fault: status 503"}`);
  });

  it('is told of a body that cannot be read', async () => {
    await world.fault(1, { kind: 'malformed' });
    const result = await askFaulty();
    expect(result).to.deep.include({ status: 'failed', retries: 1 });
    expect(result.problem).to.match(/^POST \/select on .*JSON/);
  });

  it('is told of a connection that breaks', async () => {
    await world.fault(1, { kind: 'reset' });
    const result = await askFaulty();
    expect(result).to.deep.include({ status: 'failed', retries: 1 });
    expect(result.problem).to.match(/^POST \/select on .*(ECONNRESET|other side closed)/);
  });

  it('counts the tries of every kind of call', async () => {
    await world.fault(1, { kind: 'empty', paths: ['/allocate'] });
    const result = await askFaulty(4);
    expect(result).to.deep.include({ status: 'empty', retries: 3 });
    await world.fault(1, { kind: 'error', status: 500, paths: ['/allocate'] });
    expect(await askFaulty(4)).to.deep.include({ status: 'failed', retries: 3 });
  });

  it('fails to give addresses back, too', async () => {
    await world.fault(1, { kind: 'error', status: 500 });
    const plan = world.plan([world.pod(1, 'a')], { verb: 'deallocate', attempts: 2 });
    const end = await world.run(plan);
    expect(end.code).to.equal(1);
    expect(only(end)).to.deep.include({ verb: 'deallocate', status: 'failed', retries: 1 });
  });

  it('is served once the daemon is well again, and has counted what that took', async () => {
    await world.fault(1, { kind: 'error', status: 503 });
    const { ended } = world.start(world.plan([world.pod(1, 'a')], { attempts: 1000 }));
    await eventually('three calls', () => world.daemons.log.last >= 3);
    await world.fault(1, undefined);
    const end = await ended;
    expect(end.code, end.stderr).to.equal(0);
    expect(only(end).status).to.equal('complete');
    const failures = (await world.daemons.records()).filter(({ status }) => status === 503);
    expect(only(end).retries).to.equal(failures.length).and.at.least(3);
  });

  it('holds up nobody on other nodes', async () => {
    world.pool(2);
    await world.fault(1, { kind: 'hang' });
    const pods = [world.pod(1, 'a'), world.pod(2, 'b')];
    const running = world.start(world.plan(pods, { timeoutMs: 1000 }));
    const { results } = await running.ended;
    expect(results.map(({ pod, status }) => [pod, status])).to.deep.equal([
      ['b', 'complete'],
      ['a', 'failed'],
    ]);
  });
});
