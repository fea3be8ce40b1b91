import { expect } from 'chai';
import { nodeIpamProfile } from '../../../../src/sim/operators/node-ipam/profile.ts';
import { PROFILES } from '../../../../src/sim/operators/profiles.ts';
import {
  knownKeysAt,
  profileJsonSchema,
  scenarioJsonSchema,
} from '../../../../src/sim/scenario/json-schema.ts';

describe('knownKeysAt', () => {
  const schema = profileJsonSchema(nodeIpamProfile);

  const rows: readonly (readonly [string, readonly PropertyKey[], readonly string[]])[] = [
    ['an operator', ['operator'], ['profile', 'controller', 'leaderElect', 'metrics']],
    ['a network of a list', ['networks', 1], ['name', 'range', 'nodeMask']],
    ['a step', ['steps', 0], ['scale', 'hold', 'restart']],
    [
      'a scale step',
      ['steps', 3, 'scale'],
      ['to', 'remove', 'during', 'name', 'within', 'settle', 'onMiss'],
    ],
    ['what happens during it', ['steps', 0, 'scale', 'during', 0], ['at', 'restart']],
    ['the capacity of nodes', ['nodes', 'capacity'], ['cpu', 'memory', 'pods']],
  ];
  for (const [title, path, keys] of rows)
    it(`gives the keys of ${title}`, () => {
      expect(knownKeysAt(schema, path)).to.deep.equal(keys);
    });

  it('gives the keys of the scenario itself', () => {
    expect(knownKeysAt(schema, [])).to.include.members(['name', 'operator', 'networks', 'steps']);
  });

  for (const path of [['nowhere'], ['name', 'first'], ['nodes', 'labels'], ['steps', 'scale']])
    it(`knows none at ${path.join('.')}`, () => {
      expect(knownKeysAt(schema, path)).to.be.empty;
    });

  it('knows none in what is no schema', () => {
    expect(knownKeysAt(undefined, [])).to.be.empty;
    expect(knownKeysAt('text', ['name'])).to.be.empty;
  });
});

describe('the JSON schema of a profile', () => {
  const schema = profileJsonSchema(nodeIpamProfile);

  it('is of the form in which a person writes it: what has a default need not be given', () => {
    expect(schema['required']).to.deep.equal(['name', 'steps', 'operator', 'networks']);
  });

  it('takes durations as text', () => {
    expect(schema).to.have.nested.property('properties.settle.type', 'string');
  });

  it('allows no unknown keys', () => {
    expect(schema).to.have.property('additionalProperties', false);
  });
});

describe('scenarioJsonSchema', () => {
  it('has a branch for every profile, decided by operator.profile', () => {
    const names = PROFILES.map(({ name }) => name);
    const schema = scenarioJsonSchema();
    expect(schema).to.have.nested.property('allOf.length', names.length);
    names.forEach((name, i) => {
      expect(schema).to.have.nested.property(
        `allOf[${i}].if.properties.operator.properties.profile.const`,
        name,
      );
      expect(schema).to.have.nested.property(`allOf[${i}].then.properties.networks`);
    });
    expect(schema).to.have.deep.nested.property(
      'properties.operator.properties.profile.enum',
      names,
    );
  });
});
