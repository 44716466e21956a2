/**
 * Bundles the explorer, `civic` into `lib/bin/` and the scripts of hosts into `lib/workers/`, and lists the explorer's
 * files. It does nothing where nothing has changed since it last did, so that a command of npm starts at once.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'fflate';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';
import { build as buildExplorer } from 'vite';
import { LISTING, listExplorer } from '../site/explorer/page-maker.ts';
import { renderValidators } from './validators.ts';

const lib = (place: string) => fileURLToPath(new URL(`../${place}`, import.meta.url));

/** What the bundles are made of. The lock file stands for all packages. */
const SOURCES = ['build', 'site', 'scripts', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];
const BUNDLED = lib('.bundled');

/** Differs where a source was added, removed or written since. */
function stateOfSources(): string {
  const files = SOURCES.flatMap(source =>
    statSync(source).isFile()
      ? [source]
      : readdirSync(source, { recursive: true, withFileTypes: true })
          .filter(entry => entry.isFile())
          .map(entry => path.join(entry.parentPath, entry.name)),
  );
  const lines = files.sort().map(file => {
    const { size, mtimeMs } = statSync(file);
    return `${file} ${size} ${mtimeMs}`;
  });
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

const state = stateOfSources();
const isComplete = [BUNDLED, lib('bin'), lib('workers'), lib(LISTING)].every(place => existsSync(place));
if (isComplete && readFileSync(BUNDLED, 'utf8') === state) process.exit();
// A run that is interrupted leaves no mark.
rmSync(BUNDLED, { force: true });

await buildExplorer();

async function write(input: InputOptions, output: OutputOptions): Promise<void> {
  // A warning, such as an unresolved import, fails the bundling.
  const onLog: InputOptions['onLog'] = (level, log) => {
    if (level === 'warn') throw new Error(log.message);
  };
  // A slow machine is no fault of a plugin's.
  const bundle = await rolldown({ ...input, onLog, checks: { pluginTimings: false } });
  await bundle.write({ format: 'esm', ...output });
  await bundle.close();
}

/** This module compiles schemas when it runs. The bundle contains them compiled instead. */
const VALIDATOR = lib('build/contract/validator.js');

// Node takes longer to find some 400 modules than to run a build with nothing to do.
// The bundle leaves out packages that load files from their own folder.
await write(
  {
    input: {
      civic: lib('build/cli/launcher.js'),
      // What other programs import of the package.
      edge: lib('site/edge/adapters/exports.js'),
      query: lib('site/query/exports.js'),
    },
    platform: 'node',
    external: ['@duckdb/node-bindings', '@resvg/resvg-wasm'],
    plugins: [{ name: 'validators', load: id => (id === VALIDATOR ? renderValidators() : null) }],
  },
  {
    dir: lib('bin'),
    cleanDir: true,
    comments: { annotation: false, jsdoc: false, legal: true },
  },
);
// `npx` makes a program executable only when it installs it.
chmodSync(lib('bin/civic.js'), 0o755);

// Pictures for link previews are drawn with these fonts on every machine.
const FONTS = 'node_modules/dejavu-fonts-ttf';
for (const [name, font] of [
  ['regular', 'DejaVuSans'],
  ['bold', 'DejaVuSans-Bold'],
] as const)
  writeFileSync(
    lib(`bin/preview-${name}.ttf.gz`),
    gzipSync(readFileSync(`${FONTS}/ttf/${font}.ttf`), { level: 9, mtime: 0 }),
  );
copyFileSync(`${FONTS}/LICENSE`, lib('bin/preview-fonts.license.txt'));

// The worker reaches neither DuckDB nor Node's modules.
await write(
  { input: lib('site/edge/adapters/cloudflare-worker.js'), platform: 'browser' },
  { file: lib('workers/cloudflare-worker.js'), comments: false },
);

// The engines of rewriting hosts run an old JavaScript.
const REWRITING = 'site/edge/adapters/rewrite';
const OLD = { platform: 'neutral', transform: { target: 'es2015' } } as const;
const PLAIN: OutputOptions = { format: 'iife', name: 'civic', generatedCode: { symbols: false } };
/** Properties to shorten, since CloudFront limits a function's size. No host and no response uses these names. */
const OWN =
  /^(at|cell|choices|conditions|domain|file|first|format|html|key|kind|last|least|level|mostAsJson|of|origin|param|query|root|route|skip|status|take|text|topic|url|vague|year)$/;
await write(
  { ...OLD, input: lib(`${REWRITING}/cloudfront.js`) },
  {
    ...PLAIN,
    file: lib('workers/cloudfront.js'),
    comments: false,
    minify: { compress: true, mangle: true, mangleProps: { include: OWN }, codegen: true },
  },
);
await write({ ...OLD, input: lib(`${REWRITING}/nginx.js`) }, { ...PLAIN, file: lib('workers/nginx.js') });

writeFileSync(lib(LISTING), JSON.stringify(listExplorer(lib(''))));
writeFileSync(BUNDLED, state);
