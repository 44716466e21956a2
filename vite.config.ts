/** Bundles the explorer: what a browser loads, in files whose names carry their hash, into lib/explorer. */
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'site/explorer',
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../lib/explorer',
    emptyOutDir: true,
    assetsDir: '',
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      // The engine is an entry of its own, so that tests and measurements can ask it without a page around it.
      input: {
        explorer: 'site/explorer/app/explorer.ts',
        engine: 'site/explorer/engine/open-engine.ts',
      },
      preserveEntrySignatures: 'exports-only',
    },
  },
  worker: { format: 'es' },
  logLevel: 'warn',
});
