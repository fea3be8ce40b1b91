import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { planScenario } from '../../../../src/sim/plan/plan.ts';
import { loadScenario } from '../../../../src/sim/scenario/load.ts';
import { formatProblem } from '../../../../src/sim/scenario/problem.ts';

const FOLDER = new URL('../../../../scenarios/', import.meta.url);
const SCHEMA_LINE = '# yaml-language-server: $schema=../schema/scenario.schema.json';
const files = readdirSync(FOLDER);

describe('the scenarios that come with sim', () => {
  it('are there, and are YAML', () => {
    expect(files).not.to.be.empty;
    expect(files.filter((file) => !file.endsWith('.yaml'))).to.be.empty;
  });

  for (const file of files)
    describe(file, () => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      const result = loadScenario(file, text);

      it('has no problem', () => {
        expect(result.ok ? [] : result.problems.map(formatProblem)).to.deep.equal([]);
      });

      it('can be planned', () => {
        if (!result.ok) return expect.fail('it cannot even be read');
        const { scenario, profile } = result.loaded;
        expect(planScenario(scenario, profile)).to.have.property('ok', true);
      });

      it('begins with the line that tells editors its schema', () => {
        expect(text.split('\n')[0]).to.equal(SCHEMA_LINE);
      });

      it('is called as its file is', () => {
        expect(result).to.have.nested.property('loaded.scenario.name', file.replace('.yaml', ''));
      });

      it('says which question it answers', () => {
        expect(result.ok && result.loaded.scenario.description).to.match(/\?/);
      });
    });
});
