/**
 * Bundles the explorer, `civic` into `lib/bin/` and the scripts of hosts into `lib/workers/`, and lists the explorer's
 * files. It does nothing if no source has changed, because npm commands run it each time.
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
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { gzipSync } from 'fflate';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';
import { build as buildExplorer } from 'vite';
import { CONTRACT_SHAPE } from '../build/contract/contract-profile.ts';
import { COLUMN_SHAPE, OBJECT_SHAPE, ROOT_SHAPE } from '../build/contract/custom-profile.ts';
import { PUBLISHER_SHAPE } from '../build/contract/publisher.ts';
import { VALIDATOR_OPTIONS } from '../build/contract/validator.ts';
import { DATASET_MANIFEST, DIMENSION_MANIFEST, TREE_MANIFEST } from '../build/tree/manifest-shape.ts';
import { LISTING, listExplorer } from '../site/explorer/page-maker.ts';
import { recordPackages, writeBundledPackages } from './bundled-packages.ts';

const lib = (place: string) => fileURLToPath(new URL(`../${place}`, import.meta.url));

/**
 * What the bundles are made of; the lock file covers all packages. Compiled files rather than their sources: a source
 * saved while `tsc` runs would count as bundled.
 */
const SOURCES = [
  'lib/build',
  'lib/site',
  'lib/scripts',
  'site',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
];
const BUNDLED = lib('.bundled');

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

/** Modules whose bundled version is computed. */
const COMPUTED: ReadonlyMap<string, () => string> = new Map([
  [lib('build/contract/validator.js'), renderValidators],
  [lib('build/cache/program.js'), () => `export const PROGRAM = '${digestOfProgram()}';\n`],
]);

const SHAPES = [
  CONTRACT_SHAPE,
  ROOT_SHAPE,
  OBJECT_SHAPE,
  COLUMN_SHAPE,
  PUBLISHER_SHAPE,
  TREE_MANIFEST,
  DATASET_MANIFEST,
  DIMENSION_MANIFEST,
];

const state = stateOfSources();
const isComplete = [BUNDLED, lib('bin'), lib('workers'), lib(LISTING)].every(place => existsSync(place));
if (isComplete && readFileSync(BUNDLED, 'utf8') === state) process.exit();
// An interrupted run must not count as complete.
rmSync(BUNDLED, { force: true });

await buildExplorer({ plugins: [recordPackages], worker: { plugins: () => [recordPackages] } });

async function write(input: InputOptions, output: OutputOptions): Promise<void> {
  // A warning, such as an unresolved import, fails the bundling.
  const onLog: InputOptions['onLog'] = (level, log) => {
    if (level === 'warn') throw new Error(log.message);
  };
  // On a slow machine every plugin seems slow.
  const plugins = [input.plugins, recordPackages];
  const bundle = await rolldown({ ...input, plugins, onLog, checks: { pluginTimings: false } });
  await bundle.write({ format: 'esm', ...output });
  await bundle.close();
}

// Node takes longer to load 400 modules than to run a build with nothing to do.
// The bundle leaves out packages that load files from their own folder.
await write(
  {
    input: {
      civic: lib('build/cli/launcher.js'),
      // The package's exports.
      edge: lib('site/edge/adapters/exports.js'),
      query: lib('site/query/exports.js'),
    },
    platform: 'node',
    external: ['@duckdb/node-bindings', '@resvg/resvg-wasm'],
    plugins: [
      {
        name: 'computed',
        load: id => COMPUTED.get(id)?.() ?? null,
      },
    ],
  },
  {
    dir: lib('bin'),
    cleanDir: true,
    comments: { annotation: false, jsdoc: false, legal: true },
  },
);
// `npx` makes a program executable only when it installs it.
chmodSync(lib('bin/civic.js'), 0o755);

// Link previews must look the same on every machine.
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

// The worker must not import DuckDB or Node's modules.
await write(
  { input: lib('site/edge/adapters/cloudflare-worker.js'), platform: 'browser' },
  // One file, in which workbooks and the tools for language models run only when they are asked for.
  { file: lib('workers/cloudflare-worker.js'), comments: false, codeSplitting: false },
);

// The engines of rewriting hosts run an old JavaScript.
const REWRITING = 'site/edge/adapters/rewrite';
const OLD = { platform: 'neutral', transform: { target: 'es2015' } } as const;
const PLAIN: OutputOptions = { format: 'iife', name: 'civic', generatedCode: { symbols: false } };
/** Properties to shorten, since CloudFront limits a function's size. No host and no response uses these names. */
const OWN =
  /^(at|cell|choices|conditions|domain|file|first|format|html|key|kind|last|least|level|mostOnPage|of|origin|param|query|root|route|skip|status|take|text|topic|url|vague|year)$/;
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

writeBundledPackages();
writeFileSync(lib(LISTING), JSON.stringify(listExplorer(lib(''))));
writeFileSync(BUNDLED, state);

/** Of the compiled code of builds, and of the versions of all packages. */
function digestOfProgram(): string {
  const digest = createHash('sha256').update(readFileSync('package-lock.json'));
  for (const file of readdirSync(lib('build'), { recursive: true, encoding: 'utf8' }).sort())
    if (file.endsWith('.js')) digest.update(file).update(readFileSync(lib(`build/${file}`)));
  return digest.digest('hex');
}

/**
 * The bundle's version of build/contract/validator.ts, with the shapes compiled: `civic` then doesn't load Ajv. A CommonJS
 * module, because Ajv's generated code uses `require`.
 */
function renderValidators(): string {
  const groups = (['all', 'first'] as const).map(errors => {
    const ajv = new Ajv({ ...VALIDATOR_OPTIONS[errors], code: { source: true } });
    const shapes = SHAPES.filter(shape => shape.errors === errors);
    for (const { name, schema } of shapes) ajv.addSchema(schema, name);
    const names = Object.fromEntries(shapes.map(({ name }) => [name, name]));
    // Both modules use the same names for their constants.
    return `(() => {\n${standalone.default(ajv, names)}\n})();\n`;
  });
  return `${groups.join('')}exports.validatorOf = shape => exports[shape.name];\n`;
}
