/** The measurement of servers: what it compares must be the same, and what is not on the machine is said. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLiveService } from '../../scripts/bench/live-service.ts';
import { runLoad } from '../../scripts/bench/load.ts';
import { hasProgram, startNginx } from '../../scripts/bench/nginx.ts';
import { chooseScenarios } from '../../scripts/bench/serve-questions.ts';
import { type RunningServer, startServer } from '../../site/edge/adapters/node.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';

const sample = useSampleTree();
const withWrk = await hasProgram('wrk', '-v');
const withNginx = await hasProgram('nginx', '-v');

let edge: RunningServer;
let live: Awaited<ReturnType<typeof createLiveService>>;
let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), 'bench-'));
  edge = await startServer({ folder: sample.tree, port: 0 });
  live = await createLiveService(sample.tree);
});
afterAll(async () => {
  await edge.close();
  await live.close();
  await rm(scratch, { recursive: true });
});

test('the live service gives the rows that the edge gives', async () => {
  for (const { name, urls } of await chooseScenarios(sample.tree)) {
    for (const url of urls.slice(0, 3)) {
      const [own, other] = [await (await fetch(edge.url + url)).text(), (await live.inject(url)).body];
      expect([name, url, rowsOf(other)]).toEqual([name, url, rowsOf(own, totalOf(other) === null)]);
    }
  }
});

/** A page without what names the release and the server. The edge knows totals that the live service does not count. */
function rowsOf(text: string, hidesTotal = false): unknown {
  if (!text.startsWith('{')) return text;
  const { dataset, detail, years, filters, offset, count, data } = JSON.parse(text);
  return { dataset, detail, years, filters, offset, count, total: hidesTotal ? null : totalOf(text), data };
}

function totalOf(text: string): number | null {
  return text.startsWith('{') ? JSON.parse(text).total : null;
}

describe.skipIf(!withWrk)('with wrk', () => {
  test('load is counted, and wrong answers with it', async () => {
    const options = { connections: 2, seconds: 1, scratch };
    const right = await runLoad(edge.url, ['/healthz', '/api/v1/census/employment?limit=3'], options);
    expect(right).toMatchObject({ errors: 0 });
    expect(right.requests).toBeGreaterThan(10);
    expect(right.p99).toBeGreaterThanOrEqual(right.p50);
    const wrong = await runLoad(edge.url, ['/nothing'], options);
    expect(wrong.errors).toBeGreaterThan(10);
  });
});

describe.skipIf(!withNginx)('with nginx', () => {
  test('it serves the files', async () => {
    const nginx = await startNginx(sample.tree, scratch);
    try {
      const [{ files, urls }] = (await chooseScenarios(sample.tree)) as [
        Awaited<ReturnType<typeof chooseScenarios>>[0],
      ];
      const own = await (await fetch(edge.url + urls[0])).text();
      expect(await (await fetch(nginx.url + files![0])).text()).toBe(own);
      expect(Number((await nginx.usage()).processor)).toBeGreaterThanOrEqual(0);
    } finally {
      await nginx.stop();
    }
  });
});

test('a machine without wrk is told what is missing', async () => {
  const program = path.resolve(import.meta.dirname, '../../lib/scripts/bench/main.js');
  const ended = await promisify(execFile)(process.execPath, [program, 'serve', '--tree', sample.tree], {
    env: { PATH: '/nothing' },
  }).catch((error: { code: number; stdout: string }) => error);
  expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining('apt-get install wrk') });
});
