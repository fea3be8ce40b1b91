import { expect } from 'chai';
import {
  cidrShape,
  hostInterfaceShape,
  interfaceShape,
  ipamShape,
  MULTI_NIC,
  networkShape,
  podShape,
  poolShape,
} from '../../../../src/stubs/controller/objects.ts';
import { hostInterface } from '../../../../src/stubs/daemon/contract.ts';
import { MULTI_NIC_KINDS } from '../../../helpers/multi-nic-model.ts';
import { draft, type Draft } from '../../../helpers/multi-nic-objects.ts';
import { nic } from '../../../helpers/test-fleet.ts';

const SHAPES = {
  MultiNicNetwork: networkShape,
  HostInterface: hostInterfaceShape,
  CIDR: cidrShape,
  IPPool: poolShape,
} as const;
const kindOf = (name: string) => {
  const found = MULTI_NIC_KINDS.find(({ of }) => of.kind === name);
  if (!found) throw new RangeError(name);
  return found.of;
};
const full = (kind: keyof typeof SHAPES): Draft => draft(kindOf(kind), 'some');
const specOf = (object: unknown): Draft => (object as { readonly spec: Draft }).spec;

describe('the objects that the controller reads and writes', () => {
  it('are of the published kinds', () => {
    for (const kind of Object.values(MULTI_NIC)) expect(kind).to.deep.equal(kindOf(kind.kind));
  });

  it('are read without a loss where the controller compares them with what it plans', () => {
    const cidr = full('CIDR');
    expect(specOf(cidrShape.parse(cidr))).to.deep.equal(specOf(cidr));
    const host = full('HostInterface');
    expect(specOf(hostInterfaceShape.parse(host))).to.deep.equal(specOf(host));
    const { allocations, excludes, ...rest } = specOf(full('IPPool'));
    expect([allocations, excludes]).not.to.include(undefined);
    expect(specOf(poolShape.parse(full('IPPool')))).to.deep.equal(rest);
  });

  it('are networks with a subnet and the text of their IPAM, named interface networks or not', () => {
    const { subnet, ipam, masterNets } = specOf(full('MultiNicNetwork'));
    expect(specOf(networkShape.parse(full('MultiNicNetwork')))).to.deep.equal({
      subnet,
      ipam,
      masterNets,
    });
    const plain = { metadata: { name: 'a' }, spec: { subnet, ipam } };
    expect(networkShape.parse(plain)).to.deep.equal(plain);
  });

  for (const [kind, shape] of Object.entries(SHAPES))
    it(`are no ${kind} without a spec or a name`, () => {
      const object = full(kind as keyof typeof SHAPES);
      expect(shape.safeParse({ ...object, spec: undefined }).success).to.equal(false);
      expect(shape.safeParse({ ...object, metadata: {} }).success).to.equal(false);
      expect(shape.safeParse(object).success).to.equal(true);
    });
});

describe('the IPAM settings of a network', () => {
  const least = { hostBlock: 8, interfaceBlock: 2 };

  it('need both block sizes; nothing is excluded and there are routes unless it is said', () => {
    expect(ipamShape.parse({ type: 'multi-nic-ipam', ...least })).to.deep.equal({
      ...least,
      excludeCIDRs: [],
      vlanMode: 'l3',
    });
    const all = { ...least, excludeCIDRs: ['192.168.0.0/28'], vlanMode: 'l2' };
    expect(ipamShape.parse(all)).to.deep.equal(all);
  });

  it('are refused without one, or with a fraction or a text in its place', () => {
    for (const wrong of [
      { hostBlock: 8 },
      { ...least, hostBlock: 1.5 },
      { ...least, hostBlock: '8' },
    ])
      expect(ipamShape.safeParse(wrong).success).to.equal(false);
  });
});

describe('an interface', () => {
  it('reads as the daemon wrote it', () => {
    const written = hostInterface.parse(nic('eth1', 7));
    expect(interfaceShape.parse(written)).to.deep.equal(written);
  });

  it('needs no vendor, product or place on the bus', () => {
    const { interfaceName, netAddress, hostIP } = nic('eth1', 7);
    expect(interfaceShape.parse({ interfaceName, netAddress, hostIP })).to.deep.equal({
      interfaceName,
      netAddress,
      hostIP,
      vendor: '',
      product: '',
      pciAddress: '',
    });
  });
});

describe('a pod', () => {
  it('is read before it has a node, an address or a container', () => {
    for (const status of [undefined, {}, { hostIP: '127.64.0.1' }]) {
      const pod = { metadata: {}, spec: {}, ...(status ? { status } : {}) };
      expect(podShape.parse(pod)).to.deep.equal(pod);
    }
  });
});
