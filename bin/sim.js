#!/usr/bin/env node
// The program itself is dist/main.js, which `npm ci` builds. Where it could not, this says how to.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  console.error(
    'SIM_USAGE sim is not built: dist/main.js is missing\n' +
      '  This happens after `npm ci --omit=dev` or with scripts ignored.\n' +
      '  hint: run `npm ci` with development dependencies and scripts, or `npm run build`',
  );
  process.exitCode = 2;
}
