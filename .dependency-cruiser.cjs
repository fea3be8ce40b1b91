/**
 * The architecture in runnable form: which folder of src/sim may import which. Imports only ever point down; the
 * rows are those of docs/architecture.md. `npm run layers` holds it, and fails when it saw no module at all.
 */
const BASE = ['base'];
const FOUNDATION = ['base', 'model'];
/** A profile may be of several files; only the driver of the same folder is no part of it. */
const PROFILE = 'operators/[^/]+/(?!driver)[^/]+';
const PROFILES = [PROFILE, 'operators/profiles'];
const OUTSIDE = ['base', 'model', 'host'];

/** Folder (or file, without its ending) → what it may import besides itself. */
const LAYERS = {
  base: [],
  model: BASE,
  host: FOUNDATION,
  [PROFILE]: FOUNDATION,
  'operators/profiles': [...FOUNDATION, ...PROFILES],
  kube: OUTSIDE,
  templates: OUTSIDE,
  toolchain: OUTSIDE,
  scenario: [...FOUNDATION, ...PROFILES],
  plan: [...FOUNDATION, 'scenario', ...PROFILES],
  ledger: [...FOUNDATION, 'scenario', ...PROFILES],
  invariants: FOUNDATION,
  judge: FOUNDATION,
  report: FOUNDATION,
  runtimes: [...OUTSIDE, 'kube', 'templates', 'toolchain'],
  controllers: [...OUTSIDE, 'kube', 'templates', 'toolchain'],
  fleet: [...OUTSIDE, 'kube', 'templates', 'toolchain'],
  'operators/driver': [...OUTSIDE, 'kube', 'templates', 'controllers', 'fleet'],
  'operators/[^/]+/driver': [
    ...OUTSIDE,
    'kube',
    'templates',
    'controllers',
    'operators/driver',
    ...PROFILES,
  ],
  'operators/drivers': ['operators/driver', 'operators/[^/]+/driver'],
  steps: [
    ...OUTSIDE,
    'kube',
    'templates',
    'runtimes',
    'controllers',
    'fleet',
    'plan',
    'operators/driver',
  ],
  observe: [...OUTSIDE, 'kube', 'ledger', 'plan', ...PROFILES],
  run: [
    ...OUTSIDE,
    'kube',
    'templates',
    'toolchain',
    'scenario',
    'plan',
    'ledger',
    'invariants',
    'judge',
    'report',
    'runtimes',
    'controllers',
    'fleet',
    'operators',
    'steps',
    'observe',
  ],
};

const place = (name) =>
  name.includes('/') && !name.endsWith('operators') ? `${name}\\.ts$` : `${name}/`;

const layerRules = Object.entries(LAYERS).map(([layer, allowed]) => ({
  name: `layer-${layer.replace('/[^/]+/', '-')}`,
  severity: 'error',
  comment: `${layer} may import only: ${[layer, ...allowed].join(', ')}`,
  from: { path: `^src/sim/${place(layer)}` },
  to: {
    path: '^src/sim/',
    pathNot: `^src/sim/(${[layer, ...allowed].map(place).join('|')})`,
  },
}));

const fence = (pkg, folder, extra = {}) => ({
  name: `fence-${pkg}`,
  severity: 'error',
  comment: `${pkg} is used in src/sim/${folder}/ only`,
  from: { path: '^src/sim/', pathNot: `^src/sim/${folder}/` },
  to: { path: `node_modules/${pkg}/`, ...extra },
});

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'every-file-has-a-place',
      severity: 'error',
      comment: 'A file outside the layers would escape all their rules: give it a row in LAYERS.',
      from: {
        path: '^src/sim/',
        pathNot: `^src/sim/(${[...Object.keys(LAYERS).map(place), 'commands/', 'cli\\.ts$', 'main\\.ts$'].join('|')})`,
      },
      to: {},
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Files that import each other cannot be understood or tested one at a time.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-commands-on-top',
      severity: 'error',
      comment: 'main.ts, cli.ts and commands/ are the top: nothing imports them.',
      from: { path: '^src/sim/', pathNot: '^src/sim/(commands/|cli\\.ts$|main\\.ts$)' },
      to: { path: '^src/sim/(commands/|cli\\.ts$|main\\.ts$)' },
    },
    {
      name: 'sim-knows-contracts-only',
      severity: 'error',
      comment: 'Of the stubs, src/sim may import files named contract.ts only.',
      from: { path: '^src/sim/' },
      to: { path: '^src/stubs/', pathNot: '/contract\\.ts$' },
    },
    {
      name: 'stubs-keep-their-own-arithmetic',
      severity: 'error',
      comment: 'A stub that shared the address arithmetic of the judge would share its bugs.',
      from: { path: '^src/stubs/' },
      to: { path: '^src/sim/', pathNot: '^src/sim/(base|kube)/' },
    },
    fence('execa', 'host'),
    fence('handlebars', 'templates'),
    fence('@kubernetes/client-node', 'kube', { dependencyTypesNot: ['type-only'] }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
