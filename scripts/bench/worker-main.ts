/** Runs the edge under workerd: `node worker-main.js TREE FILES…` prints its address as JSON. */
import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Miniflare } from 'miniflare';

const [tree = '', ...folders] = process.argv.slice(2);

/** The largest asset that a Worker may have. */
const MOST_BYTES = 25 << 20;

const assets = await mkdtemp(path.join(os.tmpdir(), 'civic-assets-'));
for (const part of ['manifest.json', ...folders])
  await cp(path.join(tree, part), path.join(assets, part), {
    recursive: true,
    filter: async file => (await stat(file)).size <= MOST_BYTES,
  });
const worker = new Miniflare({
  name: 'worker',
  host: '127.0.0.1',
  port: 0,
  modules: true,
  scriptPath: path.resolve(import.meta.dirname, '../../workers/cloudflare-worker.js'),
  compatibilityDate: '2025-12-01',
  assets: {
    directory: assets,
    binding: 'ASSETS',
    routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
    assetConfig: { html_handling: 'none', not_found_handling: 'none' },
  },
});
console.log(JSON.stringify({ url: (await worker.ready).href.replace(/\/$/, '') }));
process.once('SIGTERM', async () => {
  await worker.dispose();
  await rm(assets, { recursive: true, force: true });
  process.exit();
});
