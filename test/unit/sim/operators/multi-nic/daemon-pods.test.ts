import { expect } from 'chai';
import type { JsonObject } from '../../../../../src/sim/base/json.ts';
import { PODS } from '../../../../../src/sim/model/core-resources.ts';
import type { Fact } from '../../../../../src/sim/model/facts.ts';
import { DAEMON_PODS } from '../../../../../src/sim/operators/multi-nic/daemon-pods.ts';
import { rawDaemonPod } from '../../../../helpers/multi-nic-raw.ts';

const NAMESPACE = 'multi-nic-cni-operator';

const factsOf = (raw: unknown, namespace = NAMESPACE): readonly Fact[] => {
  const { fields } = DAEMON_PODS.project(raw);
  return DAEMON_PODS.facts({ name: 'multi-nicd-1', namespace, uid: 'u', fields });
};
const kindsOf = (raw: unknown, namespace?: string): readonly string[] =>
  factsOf(raw, namespace).map(({ kind }) => kind);

describe('the pods of multi-nic', () => {
  it('take the place of those that are watched for every operator', () => {
    expect(DAEMON_PODS.id).to.equal(PODS.id);
    expect(DAEMON_PODS.kind).to.deep.equal(PODS.kind);
  });

  it('are kept like all pods, with what they are part of', () => {
    const raw = rawDaemonPod(1);
    expect(DAEMON_PODS.project(raw).fields).to.deep.equal({
      ...PODS.project(raw).fields,
      app: 'multi-nicd',
    });
    const other = { ...raw, metadata: { name: 'p' } };
    expect(DAEMON_PODS.project(other).fields).to.have.property('app', null);
  });

  it('say what all pods say, and of a daemon where it can be dialled', () => {
    const [pod, daemon] = factsOf(rawDaemonPod(1));
    expect(pod).to.include({ kind: 'pod', node: 'sim-1', hostIP: '127.64.0.1' });
    expect(daemon).to.deep.equal({
      kind: 'daemon',
      node: 'sim-1',
      pod: 'multi-nicd-1',
      address: '127.64.0.1',
      ready: true,
    });
  });

  it('say that a daemon has no address yet, or is not ready', () => {
    const raw = rawDaemonPod(1);
    const fresh = { ...raw, status: { phase: 'Pending' } };
    expect(factsOf(fresh)[1]).to.deep.include({ address: undefined, ready: false });
    const conditions = [{ type: 'Ready', status: 'False' }];
    expect(factsOf(rawDaemonPod(1, { conditions }))[1]).to.deep.include({
      address: '127.64.0.1',
      ready: false,
    });
  });

  describe('are daemons', () => {
    const labelled = (labels: JsonObject): JsonObject => ({
      ...rawDaemonPod(1),
      metadata: { name: 'p', labels },
    });

    it('only with the label of daemons', () => {
      expect(kindsOf(labelled({ app: 'multi-nicd' }))).to.deep.equal(['pod', 'daemon']);
      expect(kindsOf(labelled({ app: 'other' }))).to.deep.equal(['pod']);
      expect(kindsOf(labelled({ name: 'multi-nicd' }))).to.deep.equal(['pod']);
    });

    it('only in the namespace of the operator', () => {
      expect(kindsOf(rawDaemonPod(1), 'default')).to.deep.equal(['pod']);
    });

    it('only when they are bound to a node', () => {
      expect(kindsOf({ ...rawDaemonPod(1), spec: {} })).to.be.empty;
    });
  });

  it('cannot be read from another shape: that is a gap, never silence', () => {
    const raw = rawDaemonPod(1);
    expect(() => DAEMON_PODS.project({})).to.throw();
    expect(() => DAEMON_PODS.project({ ...raw, metadata: { labels: ['app'] } })).to.throw();
    expect(() => DAEMON_PODS.project({ ...raw, status: { hostIP: 5 } })).to.throw();
  });
});
