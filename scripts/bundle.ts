/** Bundles programs: `civic` into `lib/bin/`, and what hosts take as one file into `lib/workers/`. Lists the explorer. */
import { chmodSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';
import { LISTING, listExplorer } from '../site/explorer/page-maker.ts';
import { renderValidators } from './validators.ts';

const lib = (place: string) => fileURLToPath(new URL(`../${place}`, import.meta.url));

async function write(input: InputOptions, output: OutputOptions): Promise<void> {
  // Anything unresolved is an error, and so is whatever else the bundler warns of.
  const onLog: InputOptions['onLog'] = (level, log) => {
    if (level === 'warn') throw new Error(log.message);
  };
  const bundle = await rolldown({ ...input, onLog });
  await bundle.write({ format: 'esm', ...output });
  await bundle.close();
}

/** Compiles schemas where they are used; the bundle has them compiled. */
const VALIDATOR = lib('build/contract/validator.js');

// Some 400 modules, ours and those of packages, take longer to be found than a build with nothing to do takes.
// Packages whose code looks for files beside itself stay where they are.
await write(
  {
    input: { civic: lib('build/cli/launcher.js') },
    platform: 'node',
    external: ['@duckdb/node-bindings', '@bokuweb/zstd-wasm'],
    plugins: [{ name: 'validators', load: id => (id === VALIDATOR ? renderValidators() : null) }],
  },
  {
    dir: lib('bin'),
    cleanDir: true,
    comments: { annotation: false, jsdoc: false, legal: true },
  },
);
// `npx` makes the program executable only when it installs it.
chmodSync(lib('bin/civic.js'), 0o755);

// DuckDB and Node's own modules are never reached from there.
await write(
  { input: lib('site/edge/adapters/cloudflare-worker.js'), platform: 'browser' },
  { file: lib('workers/cloudflare-worker.js'), comments: false },
);

// Engines of hosts that only rewrite know an old JavaScript.
const REWRITING = 'site/edge/adapters/rewrite';
const OLD = { platform: 'neutral', transform: { target: 'es2015' } } as const;
const PLAIN: OutputOptions = { format: 'iife', name: 'civic', generatedCode: { symbols: false } };
/** Properties of the rules' own values, which neither hosts nor answers have: CloudFront counts the bytes of a function. */
const OWN =
  /^(at|base|cell|conditions|contract|document|file|first|format|html|key|last|level|origin|query|root|skip|status|take|text|url|vague|year)$/;
for (const name of ['cloudfront-table', 'cloudfront-store'])
  await write(
    { ...OLD, input: lib(`${REWRITING}/${name}.js`) },
    {
      ...PLAIN,
      file: lib(`workers/${name}.js`),
      comments: false,
      minify: { compress: true, mangle: true, mangleProps: { include: OWN }, codegen: true },
    },
  );
await write({ ...OLD, input: lib(`${REWRITING}/nginx.js`) }, { ...PLAIN, file: lib('workers/nginx.js') });

writeFileSync(lib(LISTING), JSON.stringify(listExplorer(lib(''))));
