/** Bundles what hosts take as one file: `lib/workers/`, which `civic build --host` copies beside a tree. */
import { rolldown } from 'rolldown';

const compiled = new URL('../', import.meta.url);

const bundle = await rolldown({
  input: new URL('site/edge/adapters/cloudflare-worker.js', compiled).pathname,
  platform: 'browser',
  // DuckDB and Node's own modules are never reached from there; anything else unresolved is an error.
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message);
  },
});
await bundle.write({
  file: new URL('workers/cloudflare-worker.js', compiled).pathname,
  format: 'esm',
  comments: false,
});
await bundle.close();
