import { expect } from 'chai';
import { SimError } from '../../../../src/sim/base/errors.ts';
import {
  explicitVariable,
  readMirror,
  readMode,
  throughMirror,
} from '../../../../src/sim/toolchain/settings.ts';

describe('readMode', () => {
  it('chooses by itself when SIM_TOOLCHAIN is not set or empty', () => {
    expect([{}, { SIM_TOOLCHAIN: '' }].map(readMode)).to.deep.equal(['auto', 'auto']);
  });

  it('can be forced one way', () => {
    const words = ['download', 'build', 'system'];
    expect(words.map((word) => readMode({ SIM_TOOLCHAIN: word }))).to.deep.equal(words);
  });

  it('refuses another word and says which there are', () => {
    expect(() => readMode({ SIM_TOOLCHAIN: 'docker' }))
      .to.throw(SimError, 'SIM_TOOLCHAIN is "docker"')
      .with.property('hint', 'set it to download, build, system, or leave it out to let sim choose');
  });
});

describe('the download mirror', () => {
  it('replaces the scheme and the host of a URL', () => {
    const mirror = readMirror({ SIM_DOWNLOAD_MIRROR: 'http://mirror.example:8080/cache/' });
    expect(throughMirror('https://dl.k8s.io/release/v1/a', mirror)).to.equal(
      'http://mirror.example:8080/cache/dl.k8s.io/release/v1/a',
    );
  });

  it('is not used when it is not set', () => {
    expect(readMirror({})).to.equal(undefined);
    expect(throughMirror('https://dl.k8s.io/a', undefined)).to.equal('https://dl.k8s.io/a');
  });

  for (const text of ['mirror.example', 'ftp://mirror.example', 'https://', 'https://m/?q=']) {
    it(`refuses "${text}"`, () => {
      expect(() => readMirror({ SIM_DOWNLOAD_MIRROR: text }))
        .to.throw(SimError)
        .with.property('code', 'SIM_USAGE');
    });
  }
});

describe('explicitVariable', () => {
  it('is the name of the program in capitals', () => {
    expect(explicitVariable('kube-controller-manager')).to.equal('SIM_KUBE_CONTROLLER_MANAGER');
    expect(explicitVariable('etcd')).to.equal('SIM_ETCD');
  });
});
