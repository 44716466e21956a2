import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRows } from '../edge/tree/rows.ts';
import { writeTree } from '../edge/tree/write.ts';
import { CHROMIUM, type Host, launchBrowser, startPlainHost } from './browser.ts';
import { addBundle } from './bundle.ts';
import { type EnginePage, openEnginePage } from './engine-page.ts';

describe.skipIf(CHROMIUM === null)('SQL in Chromium', () => {
  let folder: string;
  let browser: Browser;
  let host: Host;
  let engine: EnginePage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sql-'));
    await writeTree(folder, { sample: true });
    await addBundle(folder);
    browser = await launchBrowser();
    host = await startPlainHost(folder, { base: '/repo/' });
    engine = await openEnginePage(browser, host.url);
  }, 120_000);

  afterAll(async () => {
    expect(engine.faults).toEqual([]);
    await browser?.close();
    await host?.close();
    await rm(folder, { recursive: true });
  });

  const everything = ['areas', 'units', 'whole'].flatMap(level => allRows(level).map(row => [level, ...row]));
  const NUMBERS = 12;

  test('counts all rows of all levels', async () => {
    const { rows, types } = await engine.sql('SELECT detail, count(*) FROM things GROUP BY ALL ORDER BY ALL');
    expect(types).toEqual(['string', 'integer']);
    const count = (level: string) => everything.filter(row => row[0] === level).length;
    expect(rows).toEqual(['areas', 'units', 'whole'].map(level => [level, count(level)]));
  });

  test('gives rows as they are', async () => {
    const { rows, columns } = await engine.sql(
      `SELECT * FROM "demo/things" WHERE detail = 'areas' AND year = 2022`,
    );
    expect(columns).toHaveLength(NUMBERS);
    expect(rows).toEqual(everything.filter(row => row[0] === 'areas' && row[1] === 2022));
  });
});
