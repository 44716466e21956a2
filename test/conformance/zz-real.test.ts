import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createDuckdbExecutor } from '../../site/edge/executors/duckdb.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { renderCsv } from '../../site/edge/render/csv.ts';
import { renderJson } from '../../site/edge/render/json.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { planRequest } from '../../site/query/planner.ts';
import { prepareDataset } from '../../site/query/table.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
const root = resolve('dist');
const BUDGET = { bytes: 1e12, rows: 1e9 };
const files = createFolderFiles(root);
const hy = createHyparquetExecutor(BUDGET);
const tree = JSON.parse(readFileSync(`${root}/manifest.json`, 'utf8'));
test('bytes', async () => {
  let n = 0;
  for (const entry of tree.datasets) {
    const folder = entry.path.replace('/manifest.json', '');
    const m = JSON.parse(readFileSync(`${root}/${entry.path}`, 'utf8'));
    const schema = JSON.parse(readFileSync(`${root}/api/v1/datasets/${entry.key}/index.json`, 'utf8'));
    const table = prepareDataset(folder, { ...m, slices: m.slices.map((s: any) => ({ ...s, files: { ...s.files, csv: [], json: [] } })) }, schema);
    for (const s of m.slices) {
      const plan = planRequest(table, { format: 'json', detail: s.detail, years: { exact: s.year, min: null, max: null }, conditions: [], offset: 0, limit: null });
      if (plan.kind !== 'scan') throw new Error(plan.kind);
      const batches = []; for await (const b of hy.scan(plan, null, { files, signal: undefined })) batches.push(b);
      const parts = []; for await (const p of renderCsv(table, (async function* () { yield* batches; })())) parts.push(p);
      expect(Buffer.concat(parts).toString()).toBe(readFileSync(`${root}/${folder}/${s.files.csv[0].path}`, 'utf8'));
      const next = s.files.json[1]?.path.split('/').at(-1) ?? null;
      expect(renderJson({ ...plan, request: { ...plan.request, limit: 10000 } }, batches, { count: Math.min(10000, s.rows), total: s.rows, next })).toBe(readFileSync(`${root}/${folder}/${s.files.json[0].path}`, 'utf8'));
      n++;
    }
  }
  console.log(n);
}, 300000);
test('time', async () => {
  const server = await startServer({ folder: root, port: 0, host: '127.0.0.1', onError: console.log });
  for (const [name, url] of [['slice', '/api/v1/education/attendance?year=2020'], ['page', '/api/v1/education/attendance?year=2020&limit=300&offset=300'], ['place year', '/api/v1/education/attendance?year=2020&district_code=601'], ['place all', '/api/v1/education/attendance?district_code=601&school_code=0101'], ['place2', '/api/v1/education/attendance?district_code=601&demographic=all'], ['axis', '/api/v1/education/attendance?demographic=all'], ['big csv', '/api/v1/immigration/ice_arrests?format=csv&demographic=all']] as const) {
    const one = async () => { const t = performance.now(); const r = await fetch(server.url + url); const b = await r.arrayBuffer(); return [performance.now() - t, r.status, b.byteLength] as const; };
    for (let i = 0; i < 10; i++) await one();
    const N = name === 'big csv' ? 10 : 100; const t = performance.now(); let last; for (let i = 0; i < N / 10; i++) { const rs = await Promise.all(Array.from({ length: 10 }, one)); last = rs[0]; }
    console.log(name, last![1], last![2], ((performance.now() - t) / N).toFixed(2), 'ms/request');
  }
  for (const [name, ex] of [['hy', hy], ['duck', createDuckdbExecutor({ folder: root, budget: BUDGET })]] as const) {
    const h = createHandler(files, { executors: [ex] });
    for (const q of ['education/attendance?district_code=601&school_code=0101', 'education/attendance?demographic=all', 'immigration/ice_arrests?demographic=all&format=csv', 'immigration/ice_arrests?month=3&format=csv']) {
      const one = async () => (await h(new Request(`http://e/api/v1/${q}`))).arrayBuffer();
      for (let i = 0; i < 5; i++) await one();
      const t = performance.now(); let b; for (let i = 0; i < 20; i++) b = await one();
      console.log(name, q, b!.byteLength, ((performance.now() - t) / 20).toFixed(1), 'ms');
    }
  }
  await server.close();
}, 300000);
