import { expect } from 'chai';
import { realClock } from '../../src/sim/host/real-clock.ts';
import type { KubeClient } from '../../src/sim/kube/client.ts';
import { collectionPath } from '../../src/sim/kube/objects.ts';
import { RunFold } from '../../src/sim/ledger/run-fold.ts';
import type { ObservationOf } from '../../src/sim/model/history.ts';
import type { ObservedResource } from '../../src/sim/model/operator-profile.ts';
import { recordFinalLists } from '../../src/sim/observe/final-list.ts';
import { Recorder } from '../../src/sim/observe/recorder.ts';
import { ResourceWatch } from '../../src/sim/observe/resource-watch.ts';
import { MULTI_NIC_RESOURCES } from '../../src/sim/operators/multi-nic/resources.ts';
import { eventually } from '../helpers/eventually.ts';
import { FakeApiServer } from '../helpers/fake-apiserver.ts';
import { refuse } from '../helpers/fake-troubles.ts';
import { fasterClock } from '../helpers/faster-clock.ts';
import { headerFor } from '../helpers/history-header.ts';
import { draft, recordAt } from '../helpers/multi-nic-objects.ts';
import { multiNicScenario } from '../helpers/multi-nic-raw.ts';
import { plainClient } from '../helpers/plain-client.ts';
import { planned } from '../helpers/planned-scenario.ts';

const cidrs = MULTI_NIC_RESOURCES.find(({ id }) => id === 'cidrs') as ObservedResource;
const PATH = collectionPath(cidrs.kind);

/** A CIDR; with a change to its only row, one that the API server takes and sim cannot read. */
const cidr = (row: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> =>
  draft(cidrs.kind, 'any', (object) => {
    Object.assign(recordAt(object, 'spec.cidr[].hosts[]'), row);
  });

describe('what is recorded of objects', () => {
  let server: FakeApiServer;
  let client: KubeClient;
  let recorder: Recorder;
  let watch: ResourceWatch | undefined;
  let lines: string;

  beforeEach(async () => {
    server = await FakeApiServer.start();
    client = plainClient(server.url);
    lines = '';
    const given = planned(multiNicScenario());
    recorder = new Recorder({
      clock: realClock,
      file: {
        append: (text) => {
          lines += String(text);
          return Promise.resolve();
        },
        sync: () => Promise.resolve(),
        close: () => Promise.resolve(),
      },
      fold: new RunFold(given.plan, given.model),
      zero: realClock.now(),
      onFailure: ({ message }) => {
        throw new Error(message);
      },
    });
    recorder.record(headerFor(given));
  });
  afterEach(async () => {
    watch?.stop();
    await recorder.close();
    await client.close();
    await server.stop();
  });

  async function finalList(): Promise<ObservationOf<'snapshot'> | undefined> {
    const clock = fasterClock(50);
    await recordFinalLists(client, clock, [cidrs], recorder, new AbortController().signal);
    await recorder.sync();
    const last = lines.trimEnd().split('\n').at(-1) ?? '';
    return JSON.parse(last) as ObservationOf<'snapshot'>;
  }

  const reasons = (): readonly string[] =>
    recorder.fold.result().gaps.map(({ resource, reason }) => `${resource}: ${reason}`);
  const EXPECTED =
    /^cidrs: bad has an unexpected shape: spec\.cidr\[0\]\.hosts\[0\]\.podCIDR: [^\n]*expected string/;

  it('is a gap where the final list has one of an unexpected shape, which is left out of it', async () => {
    server.objects.put(PATH, 'bad', cidr({ podCIDR: 7 }));
    server.objects.put(PATH, 'good', cidr());
    const snapshot = await finalList();
    expect(snapshot?.objects.map(({ name }) => name)).to.deep.equal(['good']);
    expect(reasons()).to.have.length(1);
    expect(reasons()[0]).to.match(EXPECTED);
  });

  it('is a gap where the watch sees one of an unexpected shape, and its end all the same', async () => {
    watch = new ResourceWatch(client, realClock, cidrs, recorder);
    server.objects.put(PATH, 'bad', cidr());
    await watch.start();
    const open = await server.watch(1);
    open.event('MODIFIED', server.objects.put(PATH, 'bad', cidr({ podCIDR: 7 })));
    await eventually('the gap', () => reasons().length > 0 && true);
    expect(reasons()[0]).to.match(EXPECTED);
    const last = server.objects.put(PATH, 'bad', cidr({ podCIDR: 7 }));
    expect(recorder.fold.store.get('cidrs/bad')).to.be.an('object');
    open.event('DELETED', last);
    await eventually('its end', () => recorder.fold.store.get('cidrs/bad') === undefined && true);
    expect(reasons()).to.have.length(1);
  });

  it('has integers that are larger than a number can hold exactly', async () => {
    server.objects.put(PATH, 'good', cidr({ hostIndex: 2 ** 53 + 2 }));
    const snapshot = await finalList();
    expect(snapshot?.objects.map(({ name }) => name)).to.deep.equal(['good']);
    expect(reasons()).to.deep.equal([]);
  });

  it('is the list that was begun anew, when the first had become too old to be continued', async () => {
    server.objects.put(PATH, 'good', cidr());
    server.troubles.push(refuse(410, 'Expired'));
    const snapshot = await finalList();
    expect(snapshot?.objects.map(({ name }) => name)).to.deep.equal(['good']);
  });
});
