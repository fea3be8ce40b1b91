// Runs after `npm ci`. Without the development dependencies there is nothing to build with: `bin/sim.js` then says
// what to do, and the installation itself must not fail.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const esbuild = fileURLToPath(new URL('../node_modules/esbuild', import.meta.url));
if (existsSync(esbuild)) await import('./build.mjs');
else console.error('cni-sim: not built, because the development dependencies are not installed');
