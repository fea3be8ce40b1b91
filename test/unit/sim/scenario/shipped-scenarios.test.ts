import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { planScenario } from '../../../../src/sim/plan/plan.ts';
import { loadScenario } from '../../../../src/sim/scenario/load.ts';
import { formatProblem } from '../../../../src/sim/scenario/problem.ts';

const FOLDER = new URL('../../../../scenarios/', import.meta.url);
const SMALL = 'ci/';
const schemaLine = (up: string): string =>
  `# yaml-language-server: $schema=${up}schema/scenario.schema.json`;
const large = readdirSync(FOLDER).filter((file) => `${file}/` !== SMALL);
const small = readdirSync(new URL(SMALL, FOLDER));

describe('the scenarios that come with sim', () => {
  it('are there, and are YAML', () => {
    expect(large).not.to.be.empty;
    expect([...large, ...small].filter((file) => !file.endsWith('.yaml'))).to.be.empty;
  });

  it('have their small versions under the same names', () => {
    expect(small).not.to.be.empty;
    expect(large).to.include.members(small);
  });

  for (const file of [...large, ...small.map((name) => `${SMALL}${name}`)])
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
        const up = file.startsWith(SMALL) ? '../../' : '../';
        expect(text.split('\n')[0]).to.equal(schemaLine(up));
      });

      it('is called as its file is', () => {
        const name = file.replace('.yaml', '').replace('/', '-');
        expect(result).to.have.nested.property('loaded.scenario.name', name);
      });

      it('says which question it answers', () => {
        if (file.startsWith(SMALL)) return; // that of the large one
        expect(result.ok && result.loaded.scenario.description).to.match(/\?/);
      });
    });
});
