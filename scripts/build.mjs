// Bundles src/ into dist/. One file per lazily loaded command: the Kubernetes client alone is a thousand modules,
// and `sim --help` must not wait for them.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
await rm('dist', { recursive: true, force: true });

/** The client library does not say so itself, but its modules have no side effects: what is not used can go. */
const dropUnusedClientCode = {
  name: 'drop-unused-client-code',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./, namespace: 'file' }, async (args) => {
      if (args.pluginData === 'seen') return undefined;
      if (!args.path.includes('client-node') && !args.importer.includes('client-node'))
        return undefined;
      const { path, errors } = await resolve(args.path, {
        kind: args.kind,
        importer: args.importer,
        resolveDir: args.resolveDir,
        pluginData: 'seen',
      });
      return errors.length > 0 || !path.includes('@kubernetes/client-node')
        ? undefined
        : { path, sideEffects: false };
    });
  },
};

await build({
  entryPoints: {
    main: 'src/sim/main.ts',
    'stubs/fleet': 'src/stubs/fleet/main.ts',
    'stubs/controller': 'src/stubs/controller/main.ts',
    'stubs/cni': 'src/stubs/cni/main.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  minifyWhitespace: true,
  minifySyntax: true,
  keepNames: true,
  legalComments: 'linked',
  plugins: [dropUnusedClientCode],
  // An old dependency of the client library takes Node's own, which warns of its removal from Node 21 on.
  alias: { punycode: 'punycode/punycode.js' },
  // CommonJS dependencies inside an ESM bundle still call require().
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
