/** Bundles programs: `civic` into `lib/bin/`, compiled, and what hosts take as one file into `lib/workers/`. Lists the explorer. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChunkingContext, type InputOptions, type OutputOptions, rolldown } from 'rolldown';
import { writeCode } from '../build/compiled-chunk.ts';
import { LISTING, listExplorer } from '../site/explorer/page-maker.ts';

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

/** Code in this form is what V8 lets be kept compiled. */
const COMMON_JS: OutputOptions = { format: 'cjs', strict: true };

const CLI = lib('build/cli.js');
/** What a build loads, and loads more of where it has something to do. */
const BUILD = [lib('build/pipeline.js'), lib('site/explorer/page-maker.js')];

/** Modules that builds load together, by the name of their chunk: each chunk takes its time, however small it is. */
function buildChunks(context: ChunkingContext): Record<'start' | 'work', ReadonlySet<string>> {
  const imported = (from: readonly string[]) => {
    const found = new Set(from);
    // A set that grows is walked to its end.
    for (const one of found)
      for (const next of context.getModuleInfo(one)?.importedIds ?? []) found.add(next);
    return found;
  };
  const later = BUILD.flatMap(one => context.getModuleInfo(one)?.dynamicallyImportedIds ?? []);
  return { start: imported([CLI, ...BUILD]), work: imported(later) };
}

function compileChunks(folder: string): void {
  const names = readdirSync(folder).filter(name => name.endsWith('.js'));
  for (const name of names) writeCode(path.join(folder, name));
}

let chunks: ReturnType<typeof buildChunks> | undefined;

function chunkOf(id: string, context: ChunkingContext): string | null {
  chunks ??= buildChunks(context);
  // What waits for the whole command cannot stand where its parts are loaded from.
  if (id === CLI) return null;
  return chunks.start.has(id) ? 'start' : chunks.work.has(id) ? 'work' : null;
}

// A build with little to do is mostly its own loading: some 400 modules, ours and those of packages. Packages whose
// code looks for files beside itself stay where they are.
await write(
  {
    input: { program: CLI },
    platform: 'node',
    external: ['@duckdb/node-bindings', '@bokuweb/zstd-wasm'],
  },
  {
    ...COMMON_JS,
    dir: lib('bin'),
    cleanDir: true,
    comments: { annotation: false, jsdoc: false, legal: true },
    codeSplitting: { groups: [{ name: chunkOf, debugName: 'builds' }] },
  },
);

compileChunks(lib('bin'));
await write(
  { input: lib('build/launcher.js'), platform: 'node' },
  { ...COMMON_JS, file: lib('bin/civic.js'), comments: false },
);
writeFileSync(lib('bin/package.json'), '{"type":"commonjs"}\n');

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
