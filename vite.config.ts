/** Bundles the explorer: what a browser loads, in files whose names carry their hash, into lib/explorer. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'fflate';
import { rolldown } from 'rolldown';
import { defineConfig, type Plugin } from 'vite';

const DUCKDB = path.resolve('node_modules/@duckdb/duckdb-wasm');

/**
 * DuckDB's module as it is published: compressed, since it is 34 MB and some hosts take no file of more than 25. The
 * compressor is our own dependency, so that the bytes are the same on any machine; its work is kept in lib/.
 */
function compressModule(): string {
  const { version } = JSON.parse(readFileSync(path.join(DUCKDB, 'package.json'), 'utf8'));
  const file = path.resolve(`lib/bundled/${version}/duckdb-eh.wasm.gz`);
  if (existsSync(file)) return file;
  const module = readFileSync(path.join(DUCKDB, 'dist/duckdb-eh.wasm'));
  mkdirSync(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, gzipSync(module, { level: 9, mtime: 0 }));
  renameSync(unfinished, file);
  return file;
}

const resolve = {
  alias: [
    { find: /^@duckdb\/duckdb-wasm\/dist\/duckdb-eh\.wasm\.gz/, replacement: compressModule() },
    // The package's own entry for browsers without a worker of its own names a file that it does not have.
    {
      find: '@duckdb/duckdb-wasm/blocking',
      replacement: path.join(DUCKDB, 'dist/duckdb-browser-blocking.mjs'),
    },
  ],
  // One Arrow for DuckDB and for us.
  dedupe: ['apache-arrow'],
};

/** Of the compressors one is used; that the others need not be kept their package does not say. */
const treeshake = { moduleSideEffects: [{ test: /hyparquet-compressors/, sideEffects: false }] };

/** A service worker is one script of a fixed name, which older browsers take only where it imports nothing. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  async closeBundle() {
    const bundle = await rolldown({
      input: 'site/edge/adapters/service-worker.ts',
      platform: 'browser',
      treeshake,
    });
    await bundle.write({ file: 'lib/explorer/service-worker.js', format: 'iife', minify: true });
    await bundle.close();
  },
};

/** The shapes of the map: an atlas of one country, of which a build takes what its places need. */
const atlas: Plugin = {
  name: 'atlas',
  closeBundle() {
    mkdirSync('lib/bundled', { recursive: true });
    copyFileSync('node_modules/us-atlas/counties-10m.json', 'lib/bundled/atlas.json');
  },
};

interface Graph {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null;
}

/** Whether a script needs the module to start. */
function isNeededBy(script: string, id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (id.endsWith(script)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return (graph.getModuleInfo(id)?.importers ?? []).some(one => isNeededBy(script, one, graph, seen));
}

/** What pages load to start, apart from the view of a dataset. */
const OTHERS = ['app/search.tsx', 'app/place-page.tsx', 'app/check.tsx'];
const EVERY = 'app/explorer.ts';
const VIEW = 'app/explore/panel.tsx';

/** The texts of a page need these, before the page's own script runs. */
const TEXTS = [
  'site/explorer/messages/numbers.ts',
  'build/format/envelope.ts',
  'build/format/change-words.ts',
];

for (const script of [...OTHERS, EVERY, VIEW].map(one => `site/explorer/${one}`).concat(TEXTS))
  if (!existsSync(script)) throw new Error(`${script} has moved: name it as it is now.`);

/**
 * What every page loads is one file, what a dataset's view shares with other pages is another, and the rest of the view
 * a third: many small ones compress badly, and each is a request.
 */
const together = {
  name: (id: string, graph: Graph) => {
    if (TEXTS.some(one => id.endsWith(one))) return 'texts';
    if (isNeededBy(EVERY, id, graph)) return 'explorer';
    if (!isNeededBy(VIEW, id, graph)) return null;
    return OTHERS.some(script => isNeededBy(script, id, graph)) ? 'shared' : 'dataset';
  },
};

/** DuckDB has code for modules of its own that are loaded later. Ours loads none, and its policy allows no eval. */
const checks = { eval: false, pluginTimings: false };

export default defineConfig({
  root: 'site/explorer',
  base: './',
  publicDir: false,
  resolve,
  plugins: [serviceWorker, atlas],
  assetsInclude: ['**/*.wasm.gz'],
  // Development mode would write the folder of the sources into what is published.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  worker: { format: 'es', rolldownOptions: { checks, treeshake } },
  build: {
    outDir: '../../lib/explorer',
    emptyOutDir: true,
    assetsDir: '',
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      checks,
      treeshake,
      // The engine is an entry of its own, so that tests and measurements can ask it without a page around it.
      input: {
        explorer: 'site/explorer/app/explorer.ts',
        engine: 'site/explorer/engine/open-engine.ts',
        'messages-en': 'site/explorer/messages/page-en.ts',
        'messages-es': 'site/explorer/messages/page-es.ts',
      },
      preserveEntrySignatures: 'allow-extension',
      output: { codeSplitting: { groups: [together], includeDependenciesRecursively: false } },
    },
  },
  logLevel: 'warn',
});
