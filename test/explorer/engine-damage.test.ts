/** Files that are not what their manifest says, hosts that break off, and readers who lose patience. */
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import type { Engine, Progress } from '../../site/explorer/engine/engine.ts';
import { writeChecksums, writeTree } from '../edge/tree/write.ts';
import { CHROMIUM, type Host, launchBrowser, startEdgeHost, startPlainHost } from './browser.ts';
import { addBundle } from './bundle.ts';
import { openEnginePage } from './engine-page.ts';

const KEY = 'demo/things';
const SLICE = 'api/v1/demo/things/year=2022/areas.parquet';
const YEAR = [
  ['year', '2022'],
  ['detail', 'areas'],
] as const;

/** The most that some hosts take as one file. */
const MOST_BYTES = 25 << 20;

describe.skipIf(CHROMIUM === null)('the engine', () => {
  let folder: string;
  let browser: Browser;
  let host: Host;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'engine-damage-'));
    await writeTree(folder, { sample: true });
    await addBundle(folder);
    host = await startPlainHost(folder);
    return async () => {
      await host.close();
      await rm(folder, { recursive: true });
    };
  }, 60_000);
  afterAll(() => browser?.close());

  const change = async (file: string, edit: (bytes: Buffer) => Buffer) => {
    const name = path.join(folder, file);
    await writeFile(name, edit(await readFile(name)));
  };

  test('refuses a file with other bytes, of the same length', async () => {
    await change(SLICE, bytes => {
      bytes[bytes.length - 20]! ^= 1;
      return bytes;
    });
    const engine = await openEnginePage(browser, host.url);
    await expect(engine.ask(KEY, YEAR)).rejects.toThrow(
      /areas\.parquet has other bytes than the manifest says/,
    );
    await expect(engine.sql("SELECT * FROM things WHERE year = 2022 AND detail = 'areas'")).rejects.toThrow(
      /has other bytes/,
    );
    expect((await engine.ask(KEY, [['year', '2020']])).rows.length).toBeGreaterThan(0);
    await engine.close();
  });

  test.each([
    ['shorter', (bytes: Buffer) => bytes.subarray(0, -9)],
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
  ])('refuses a file that is %s', async (_, edit) => {
    await change(SLICE, edit);
    const engine = await openEnginePage(browser, host.url);
    await expect(engine.ask(KEY, YEAR)).rejects.toThrow(/areas\.parquet has/);
    await engine.close();
  });

  test('refuses a manifest of another release, and names what the tree does not have', async () => {
    await change('api/v1/demo/things/manifest.json', bytes =>
      Buffer.from(bytes.toString().replace('ODC', 'XYZ')),
    );
    const engine = await openEnginePage(browser, host.url);
    await expect(engine.ask(KEY, YEAR)).rejects.toThrow(
      /manifest\.json has other bytes than the manifest says/,
    );
    await expect(engine.ask('demo/nothing', [])).rejects.toThrow(/There is no dataset demo\/nothing/);
    await engine.close();
  });

  test('refuses what the API refuses, in its words', async () => {
    const engine = await openEnginePage(browser, host.url);
    await expect(engine.ask(KEY, [['yaer', '2022']])).rejects.toThrow(/yaer/);
    await expect(engine.first(KEY, [['detail', 'area']], 5)).rejects.toThrow(/detail: .*'areas'/);
    await expect(engine.ask(KEY, [], [{ column: 'no', descending: false }])).rejects.toThrow(/no column no/);
    await engine.close();
  });

  test('reads the new release where one was put in place between two questions', async () => {
    const engine = await openEnginePage(browser, host.url);
    const lastYear = [...YEAR.slice(1), ['year', '2023'] as const];
    expect((await engine.first(KEY, lastYear, 5)).rows[0]![0]).toBe(2023);
    await releaseAgain();
    const { rows } = await engine.ask(KEY, lastYear);
    expect(rows[0]![0]).toBe(2020);
    expect(
      (await engine.sql("SELECT min(year) FROM things WHERE detail = 'areas' AND year < 2021")).rows,
    ).toEqual([[2019]]);
    await engine.close();
  });

  /** A release in which the slice of 2023 has the rows of 2020. */
  async function releaseAgain(): Promise<void> {
    const at = 'api/v1/demo/things/manifest.json';
    const read = async (file: string) => JSON.parse(await readFile(path.join(folder, file), 'utf8'));
    const manifest = (await read(at)) as DatasetManifest;
    const slice = (year: number) => manifest.slices.find(one => one.year === year && one.detail === 'areas')!;
    const [from] = slice(2020).files.parquet;
    const [to] = slice(2023).files.parquet;
    await cp(path.join(folder, path.dirname(at), from!.path), path.join(folder, path.dirname(at), to!.path));
    Object.assign(to!, { ...from, path: to!.path });
    const text = JSON.stringify(manifest);
    await writeFile(path.join(folder, at), text);
    const root = (await read('manifest.json')) as TreeManifest;
    const sha256 = createHash('sha256').update(text).digest('hex');
    Object.assign(root.datasets[0]!, { bytes: Buffer.byteLength(text), sha256 });
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(root));
  }

  test('ends what nobody waits for, and stops reading', async () => {
    await writeChecksums(folder);
    const edge = await startEdgeHost(folder);
    const engine = await openEnginePage(browser, edge.url);
    const found = await engine.page.evaluate(async () => {
      const { engine: asked } = globalThis as unknown as { engine: Engine };
      const control = new AbortController();
      const stages: Progress['stage'][] = [];
      const error = await asked
        .ask('demo/things', [['detail', 'units']], [], {
          signal: control.signal,
          onProgress: ({ stage }) => {
            stages.push(stage);
            control.abort();
          },
        })
        .catch((reason: unknown) => reason);
      const before = await asked
        .ask('demo/things', [], [], { signal: AbortSignal.abort() })
        .catch((reason: unknown) => reason);
      return { name: (error as Error).name, before: (before as Error).name, stages };
    });
    expect(found).toMatchObject({ name: 'AbortError', before: 'AbortError' });
    expect((await engine.ask(KEY, YEAR)).rows.length).toBeGreaterThan(0);
    expect(engine.faults).toEqual([]);
    await engine.close();
    await edge.close();
  });

  test('says that a host is gone', async () => {
    const engine = await openEnginePage(browser, host.url);
    await engine.ask(KEY, YEAR);
    await host.close();
    await expect(engine.ask(KEY, [['year', '2019']])).rejects.toThrow(
      /could not be read. The host cannot be reached/,
    );
    // What was read before is still there.
    expect((await engine.ask(KEY, YEAR)).rows.length).toBeGreaterThan(0);
    host = await startPlainHost(folder);
    await engine.close();
  });

  test('is in files that every host takes', async () => {
    const assets = path.join(folder, 'assets');
    for (const name of await readdir(assets))
      expect([name, (await stat(path.join(assets, name))).size < MOST_BYTES]).toEqual([name, true]);
  });
});
