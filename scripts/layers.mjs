// Holds src/ against the layers of .dependency-cruiser.cjs. dependency-cruiser is content with nothing at all, for
// example beside a TypeScript that it does not know; this is not.
import { createRequire } from 'node:module';
import { cruise } from 'dependency-cruiser';

const require = createRequire(import.meta.url);
const rules = require('../.dependency-cruiser.cjs');

const { output } = await cruise(['src'], {
  ...rules.options,
  ruleSet: { forbidden: rules.forbidden },
  validate: true,
});
const { summary, modules } = output;
const own = modules.filter(({ source }) => source.startsWith('src/')).length;
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
console.log(
  `layers: ${own} modules, ${summary.totalDependenciesCruised} imports, ${summary.violations.length} violations`,
);
if (own < 50) {
  console.error('layers: too few modules were seen; the check itself is broken');
  process.exitCode = 1;
}
if (summary.violations.length > 0) process.exitCode = 1;
