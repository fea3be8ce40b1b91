import { expect } from 'chai';
import {
  goBuildEnvironment,
  goQueryEnvironment,
} from '../../../../src/sim/toolchain/go-environment.ts';

const CALLER = {
  PATH: '/bin',
  HOME: '/home/me',
  XDG_CONFIG_HOME: '/xdg',
  SSL_CERT_FILE: '/certs.pem',
  https_proxy: 'http://proxy:3128',
  GOPROXY: 'https://from.the.shell',
  GOENV: '/my/go/env',
  GOFLAGS: '-mod=mod',
  GOWORK: '/my/go.work',
  GOARCH: 'wasm',
  GO111MODULE: 'off',
  GOEXPERIMENT: 'noregabi',
  KWOK_WORKDIR: '/kwok',
  CGO_ENABLED: '1',
  LD_PRELOAD: '/lib/tricks.so',
};

describe('the environment of go', () => {
  it('for a build holds the way to disk and network, and fixed settings, and nothing else', () => {
    const settings = { GOPROXY: 'https://from.go.env', GOCACHE: '/cache' };
    expect(goBuildEnvironment(CALLER, settings, '/work')).to.deep.equal({
      PATH: '/bin',
      HOME: '/home/me',
      XDG_CONFIG_HOME: '/xdg',
      SSL_CERT_FILE: '/certs.pem',
      https_proxy: 'http://proxy:3128',
      GOPROXY: 'https://from.go.env',
      GOCACHE: '/cache',
      CGO_ENABLED: '0',
      GOENV: 'off',
      GOTMPDIR: '/work',
      GOTOOLCHAIN: 'local',
      GOWORK: 'off',
    });
  });

  it('for `go env` leaves the file of `go env -w` on, so that a proxy set there is found', () => {
    const environment = goQueryEnvironment(CALLER);
    expect(environment).to.include({ GOENV: '/my/go/env', GOPROXY: 'https://from.the.shell' });
    expect(environment).not.to.have.any.keys('GOFLAGS', 'GOARCH', 'KWOK_WORKDIR', 'LD_PRELOAD');
    expect('GOENV' in goQueryEnvironment({ PATH: '/bin' })).to.equal(false);
  });
});
