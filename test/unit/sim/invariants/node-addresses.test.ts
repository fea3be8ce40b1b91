import { expect } from 'chai';
import { nodeAddresses } from '../../../../src/sim/invariants/node-addresses.ts';
import type { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { pod, twoNodes, twoRemoved } from '../../../helpers/two-nodes.ts';

function messagesOf(history: HistoryBuilder): readonly string[] {
  const verdict = nodeAddresses.check(history.result());
  return verdict.status === 'broken' ? verdict.findings.map(({ message }) => message) : [];
}

describe('INV011, node addresses', () => {
  it('catches a node without an address', () => {
    expect(messagesOf(twoNodes().at(500).node(1, { internalIP: null }))).to.deep.equal([
      'sim-1 has no InternalIP',
    ]);
  });

  it('lets an address be used again when its node is gone', () => {
    const history = twoRemoved().at(6000).node(1, { internalIP: '127.64.0.2' });
    expect(messagesOf(history)).to.be.empty;
  });

  it('does not hold real nodes against each other', () => {
    const history = twoNodes().node(8, { run: null, internalIP: '127.64.0.1' });
    expect(messagesOf(history)).to.be.empty;
  });

  describe('of a host-network pod', () => {
    const wrong = 'pod default/pod-1 on sim-1 has the address 127.64.0.9 instead of 127.64.0.1';

    it('must be that of its node, by hostIP', () => {
      expect(messagesOf(pod(twoNodes(), 1, { hostIP: '127.64.0.9' }))).to.deep.equal([wrong]);
    });

    it('must be that of its node, by podIP', () => {
      expect(messagesOf(pod(twoNodes(), 1, { podIPs: ['127.64.0.9'] }))).to.deep.equal([wrong]);
    });

    it('may not be known yet', () => {
      expect(messagesOf(pod(twoNodes(), 1, { hostIP: null, podIPs: [] }))).to.be.empty;
    });

    it('may be one that the node had before, because pods and nodes are seen apart', () => {
      const history = twoNodes().node(1, { internalIP: '127.64.0.9' });
      expect(messagesOf(pod(history, 1))).to.be.empty;
    });
  });

  it('does not look at pods with an address of their own', () => {
    const fields = { hostNetwork: false, podIPs: ['10.244.0.5'] };
    expect(messagesOf(pod(twoNodes(), 1, fields))).to.be.empty;
  });

  it('does not look at pods on real nodes', () => {
    const fields = { nodeName: 'worker', hostIP: '192.168.0.1', podIPs: ['192.168.0.1'] };
    expect(nodeAddresses.check(pod(twoNodes(), 1, fields).result())).to.deep.equal({
      status: 'held',
      checked: 2,
    });
  });
});
