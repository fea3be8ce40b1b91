import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { SimError } from '../../../../src/sim/base/errors.ts';
import { realFiles } from '../../../../src/sim/host/files.ts';
import { readPins, setHashOf } from '../../../../src/sim/toolchain/pins.ts';
import { PROGRAM_NAMES } from '../../../../src/sim/toolchain/sources.ts';
import { failureOf } from '../../../helpers/toolchain-sandbox.ts';

const packageRoot = fileURLToPath(new URL('../../../..', import.meta.url));
const platform = { os: 'linux', arch: 'amd64' } as Parameters<typeof readPins>[0]['platform'];

describe('readPins', () => {
  it('takes the version of every program from toolchain/go.mod', async () => {
    const pins = await readPins({ files: realFiles, packageRoot, platform });
    expect(Object.keys(pins.versions)).to.deep.equal(PROGRAM_NAMES);
    for (const version of Object.values(pins.versions)) expect(version).to.match(/^v\d+\.\d+\.\d+$/);
    expect(pins.versions['kube-scheduler']).to.equal(pins.versions['kube-apiserver']);
    expect(pins.goVersion).to.match(/^1\.\d+\.0$/);
    expect(pins.setHash).to.match(/^[0-9a-f]{16}$/);
  });

  it('gives each architecture a set of its own', async () => {
    const host = { files: realFiles, packageRoot };
    const amd64 = await readPins({ ...host, platform });
    const arm64 = await readPins({ ...host, platform: { ...platform, arch: 'arm64' } });
    expect(arm64.setHash).not.to.equal(amd64.setHash);
  });

  it('says which file is not there', async () => {
    const error = await failureOf(readPins({ files: realFiles, packageRoot: '/nowhere', platform }));
    expect(error).to.be.instanceOf(SimError).with.property('code', 'SIM_TOOLCHAIN');
    expect(error).to.have.property('message').that.includes('/nowhere/toolchain/go.mod');
  });
});

describe('setHashOf', () => {
  it('changes with every part, and with the border between parts', () => {
    const hashes = [['ab', 'c'], ['a', 'bc'], ['ab', 'd'], ['ab']].map(setHashOf);
    expect(new Set(hashes).size).to.equal(4);
  });
});
