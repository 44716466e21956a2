/** Several releases on one day: whoever goes by times, or by an ETag that is made of one, sees what changed. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../build/format/paths.ts';
import { buildPublisher, inability, RELEASE_DATE, snapshot, verify } from '../publishers/built-tree.ts';
import {
  copyTree,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
} from '../publishers/publisher-folder.ts';
import { rainFile, rainfallRows } from '../publishers/weather.ts';

const NEXT_DAY = '2031-05-18';
const SLICE = 'api/v1/climate/rainfall/year=2021/regions.csv';
const OTHER = 'api/v1/climate/rainfall/year=2022/nation.csv';
const midnight = Date.parse(`${RELEASE_DATE}T00:00:00Z`);

/** One digit becomes another, so that lengths tell nothing. */
async function revise(folder: PublisherFolder, year: number, level: string, digit: number): Promise<void> {
  const rows = `SELECT * REPLACE (${digit} AS wet_days) FROM (${rainfallRows(year, level)})`;
  await writeRows(folder.data, { [rainFile(year, level)]: rows });
}

async function ownPublisher(): Promise<PublisherFolder> {
  const folder = await writePublisher(await temporaryFolder());
  await revise(folder, 2021, 'regions', 1);
  await buildPublisher(folder);
  return folder;
}

test('other bytes have a later time, be the file in a manifest or in none', async () => {
  const folder = await ownPublisher();
  for (const [digit, releaseDate] of [
    [2, RELEASE_DATE],
    [1, RELEASE_DATE],
    [3, NEXT_DAY],
    [4, NEXT_DAY],
  ] as const) {
    const before = await snapshot(folder.out);
    await revise(folder, 2021, 'regions', digit);
    await buildPublisher(folder, { releaseDate });
    for (const [name, { sha256, modified }] of await snapshot(folder.out)) {
      const old = before.get(name);
      const later = Math.max(Date.parse(`${releaseDate}T00:00:00Z`), (old?.modified ?? 0) + 1000);
      expect([name, modified]).toEqual([name, old?.sha256 === sha256 ? old.modified : later]);
    }
    await verify(folder.out);
  }
  const times = await snapshot(folder.out);
  expect(times.get(SLICE)?.modified).toBe(Date.parse(`${NEXT_DAY}T00:00:01Z`));
  expect(times.get(ROOT.checksums)?.modified).toBe(Date.parse(`${NEXT_DAY}T00:00:01Z`));
  expect(times.get(OTHER)?.modified).toBe(midnight);
});

test('an earlier day than the last release’s is refused, and nothing is written', async () => {
  const folder = await ownPublisher();
  await revise(folder, 2021, 'regions', 2);
  const before = await snapshot(folder.out);
  const earlier = { releaseDate: '2031-05-16' };
  const out = path.join(folder.root, 'elsewhere');
  const previous = path.join(folder.out, ROOT.manifest);
  for (const { code, message } of [
    await inability(folder, earlier),
    await inability({ ...folder, out }, { ...earlier, previous }),
  ]) {
    expect(code).toBe('release-date');
    expect(message).toMatch(/of 2031-05-16, .* is of 2031-05-17: .*--release-date 2031-05-17 or a later day/);
  }
  expect(await snapshot(folder.out)).toEqual(before);
});

test('the same inputs and the same tree before: the same times', async () => {
  const folder = await ownPublisher();
  await revise(folder, 2021, 'regions', 2);
  const times = async (out: string) =>
    [...(await snapshot(out))].map(([name, { sha256, modified }]) => [name, sha256, modified]);
  const copy = await copyTree(folder, await temporaryFolder());
  await buildPublisher(folder);
  await buildPublisher({ ...folder, out: copy.out });
  expect(await times(copy.out)).toEqual(await times(folder.out));
});

test('what was damaged or lost is mended with the time that it had', async () => {
  const folder = await ownPublisher();
  await revise(folder, 2021, 'regions', 2);
  await buildPublisher(folder);
  const before = await snapshot(folder.out);
  await rm(path.join(folder.out, SLICE));
  await writeFile(path.join(folder.out, ROOT.health), '{}');
  await buildPublisher(folder);
  const after = await snapshot(folder.out);
  for (const name of [SLICE, ROOT.health, ROOT.manifest, ROOT.checksums])
    expect([name, after.get(name)?.modified]).toEqual([name, before.get(name)?.modified]);
});
