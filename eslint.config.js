import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const effectGlobals = ['process', 'console', 'setTimeout', 'setInterval', 'setImmediate'].map(
  (name) => ({
    name,
    message: 'Effects go through Host (src/sim/host); see docs/architecture.md.',
  }),
);
const effectModules = ['fs', 'fs/promises', 'child_process', 'os', 'net', 'process', 'timers'].map(
  (name) => ({
    name: `node:${name}`,
    message: 'Effects go through Host (src/sim/host); see docs/architecture.md.',
  }),
);

export default defineConfig([
  globalIgnores(['dist/', 'coverage/', 'runs/']),
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { varsIgnorePattern: '^_', argsIgnorePattern: '^_' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        {
          selector: 'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
          message: 'Time comes from Clock.',
        },
      ],
      'max-lines': ['error', { max: 250, skipBlankLines: false, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/sim/**/*.ts'],
    ignores: ['src/sim/main.ts', 'src/sim/host/**'],
    rules: {
      'no-restricted-globals': ['error', ...effectGlobals],
      'no-restricted-imports': ['error', { paths: effectModules }],
    },
  },
  {
    files: ['src/sim/host/real-clock.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off', // expect(x).to.be.true
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines-per-function': 'off', // a describe block is one function
      'no-restricted-syntax': 'off', // tests measure the program from outside, by wall time
    },
  },
  {
    files: ['scripts/**/*.mjs', 'bin/*.js', 'test/fixtures/**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { process: 'readonly', console: 'readonly' },
    },
  },
]);
