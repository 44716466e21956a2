/** Files that are not what their manifest says, hosts that break off, and readers who lose patience. */
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import type { Engine } from '../../site/explorer/engine/engine.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { CHROMIUM, type Host, startPlainHost } from './browser.ts';
import { bundledThings } from './bundle.ts';
import { type EnginePage, openEnginePage } from './engine-page.ts';

const KEY = 'demo/things';
const MANIFEST = 'api/v1/demo/things/manifest.json';
const SLICE = 'api/v1/demo/things/year=2022/areas.parquet';
const YEAR = [
  ['year', '2022'],
  ['detail', 'areas'],
] as const;

/** The most that some hosts take as one file. */
const MOST_BYTES = 25 << 20;

test('the bundle is in files that every host takes', async () => {
  const assets = path.join(await bundledThings(), 'assets');
  for (const name of await readdir(assets))
    expect([name, (await stat(path.join(assets, name))).size < MOST_BYTES]).toEqual([name, true]);
});

describe.skipIf(CHROMIUM === null)('the engine', () => {
  let folder: string;
  let host: Host;
  let engine: EnginePage;
  beforeEach(async () => {
    folder = await temporaryFolder();
    await cp(await bundledThings(), folder, { recursive: true, preserveTimestamps: true });
    host = await startPlainHost(folder);
    engine = await openEnginePage(host.url);
    onTestFinished(async () => {
      await engine.close();
      await host.close();
    });
  });

  const change = async (file: string, edit: (bytes: Buffer) => Uint8Array) => {
    const name = path.join(folder, file);
    await writeFile(name, edit(await readFile(name)));
  };

  test.each([
    ['with a flipped bit', (bytes: Buffer) => bytes.with(-20, bytes.at(-20)! ^ 1)],
    ['that is shorter', (bytes: Buffer) => bytes.subarray(0, -9)],
    ['that is longer', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
  ])('refuses a file %s, and no other', async (_, edit) => {
    await change(SLICE, edit);
    const damaged = /areas\.parquet has (other bytes than the manifest says|\d+ bytes)/;
    await expect(engine.ask(KEY, YEAR)).rejects.toThrow(damaged);
    await expect(engine.sql("SELECT * FROM things WHERE year = 2022 AND detail = 'areas'")).rejects.toThrow(
      damaged,
    );
    expect((await engine.ask(KEY, [['year', '2020']])).rows.length).toBeGreaterThan(0);
  });

  test('refuses a manifest of another release, what the tree does not have, and what the API refuses', async () => {
    await expect(engine.ask(KEY, [['yaer', '2022']])).rejects.toThrow(/yaer/);
    await expect(engine.first(KEY, [['detail', 'area']], 5)).rejects.toThrow(/detail: .*'areas'/);
    await expect(engine.ask(KEY, [], [{ column: 'no', descending: false }])).rejects.toThrow(/no column no/);
    await change(MANIFEST, bytes => Buffer.from(bytes.toString().replace('ODC', 'XYZ')));
    const later = await openEnginePage(host.url);
    await expect(later.ask(KEY, YEAR)).rejects.toThrow(
      /manifest\.json has other bytes than the manifest says/,
    );
    await expect(later.ask('demo/nothing', [])).rejects.toThrow(/There is no dataset demo\/nothing/);
    await later.close();
  });

  test('reads the new release where one was put in place between two questions', async () => {
    const lastYear = [...YEAR.slice(1), ['year', '2023'] as const];
    expect((await engine.first(KEY, lastYear, 5)).rows[0]![0]).toBe(2023);
    // In the new one, the slice of 2023 has the rows of 2020.
    const read = async (file: string) => JSON.parse(await readFile(path.join(folder, file), 'utf8'));
    const manifest = (await read(MANIFEST)) as DatasetManifest;
    const [from, to] = [2020, 2023].map(year => {
      const slice = manifest.slices.find(one => one.year === year && one.detail === 'areas');
      return slice!.files.parquet[0]!;
    });
    const at = (name: string) => path.join(folder, path.dirname(MANIFEST), name);
    await cp(at(from!.path), at(to!.path));
    Object.assign(to!, { ...from, path: to!.path });
    const text = JSON.stringify(manifest);
    await writeFile(path.join(folder, MANIFEST), text);
    const root = (await read('manifest.json')) as TreeManifest;
    const sha256 = createHash('sha256').update(text).digest('hex');
    Object.assign(root.datasets[0]!, { bytes: Buffer.byteLength(text), sha256 });
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(root));
    expect((await engine.ask(KEY, lastYear)).rows[0]![0]).toBe(2020);
    const { rows } = await engine.sql("SELECT min(year) FROM things WHERE detail = 'areas' AND year < 2021");
    expect(rows).toEqual([[2019]]);
  });

  test('ends what nobody waits for, stops reading, and says that a host is gone', async () => {
    const found = await engine.page.evaluate(async () => {
      const { engine: asked } = globalThis as unknown as { engine: Engine };
      const control = new AbortController();
      const options = { signal: control.signal, onProgress: () => control.abort() };
      const nameOf = (reason: Error) => reason.name;
      return [
        await asked.ask('demo/things', [['detail', 'units']], [], options).catch(nameOf),
        await asked.ask('demo/things', [], [], { signal: AbortSignal.abort() }).catch(nameOf),
      ];
    });
    expect(found).toEqual(['AbortError', 'AbortError']);
    expect((await engine.ask(KEY, YEAR)).rows.length).toBeGreaterThan(0);
    expect(engine.faults).toEqual([]);
    await host.close();
    await expect(engine.ask(KEY, [['year', '2019']])).rejects.toThrow(
      /could not be read. The host cannot be reached/,
    );
    // What was read before is still there.
    expect((await engine.ask(KEY, YEAR)).rows.length).toBeGreaterThan(0);
    host = await startPlainHost(folder);
  });
});
