/** Several releases on one day: whoever goes by times, or by an ETag that is made of one, sees what changed. */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../build/format/paths.ts';
import {
  buildPublisher,
  contents,
  inability,
  RELEASE_DATE,
  snapshot,
  verify,
} from '../publishers/built-tree.ts';
import {
  copyTree,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
} from '../publishers/publisher-folder.ts';
import { rainFile, rainfallRows } from '../publishers/weather.ts';
import { isInstalled, type MirrorHost, run, startEdge, startNginx } from '../tree/mirror-hosts.ts';

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
  // Told of it by its manifest, which says no time of pages: those that did not change may have a later one.
  const { out: original } = await copyTree(folder, await temporaryFolder());
  await revise(folder, 2021, 'regions', 3);
  const out = path.join(folder.root, 'elsewhere');
  await buildPublisher({ ...folder, out }, { previous: path.join(original, ROOT.manifest) });
  await buildPublisher(folder);
  const before = await contents(original);
  const changed = (tree: Awaited<ReturnType<typeof times>>) =>
    tree.filter(([name = '', sha256]) => before[name] !== sha256);
  expect(changed(await times(out))).toEqual(changed(await times(folder.out)));
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

const hosts = [
  { name: 'civic serve', start: startEdge, absent: false },
  {
    name: 'nginx',
    start: (folder: string) => startNginx(folder, path.join(path.dirname(folder), 'nginx')),
    absent: spawnSync('nginx', ['-v']).error !== undefined,
  },
];

describe.each(hosts)('$name', ({ name, start, absent }) => {
  const missing = absent || !isInstalled('wget');
  test.skipIf(missing)(
    `conditional requests and wget --mirror${missing ? ` (skipped: no ${absent ? name : 'wget'})` : ''}`,
    async () => {
      const folder = await ownPublisher();
      const host: MirrorHost = await start(folder.out);
      onTestFinished(() => host.close());
      const copy = path.join(folder.root, 'copy');
      await mkdir(copy);
      const mirror = () => run('wget', ['--mirror', '-nH', '-nv', `${host.url}/index.html`], copy);
      await mirror();
      for (const [year, level, digit, releaseDate] of [
        [2021, 'regions', 2, RELEASE_DATE],
        [2021, 'regions', 3, RELEASE_DATE],
        [2022, 'nation', 2, NEXT_DAY],
      ] as const) {
        const before = await contents(folder.out);
        const validators = await headersOf(host, Object.keys(before));
        await revise(folder, year, level, digit);
        await buildPublisher(folder, { releaseDate });
        const after = await contents(folder.out);
        for (const [file, { etag, modified }] of validators) {
          const expected = [file, before[file] === after[file] ? 304 : 200];
          const status = async (headers: Record<string, string>) =>
            (await fetch(`${host.url}/${file}`, { method: 'HEAD', headers })).status;
          expect([file, await status({ 'If-None-Match': etag })]).toEqual(expected);
          expect([file, await status({ 'If-Modified-Since': modified })]).toEqual(expected);
        }
        // The copy is not brought up to date on the second of them: times are all that tells of both.
        if (digit === 2 && releaseDate === RELEASE_DATE) continue;
        expect(await mirror()).toMatchObject({ code: 0 });
        expect(await contents(copy)).toEqual(after);
      }
      expect(await readFile(path.join(copy, SLICE), 'utf8')).toContain(',3,');
    },
  );
});

async function headersOf(host: MirrorHost, files: readonly string[]) {
  return Promise.all(
    files.map(async file => {
      const { headers } = await fetch(`${host.url}/${file}`, { method: 'HEAD' });
      return [
        file,
        { etag: headers.get('etag') ?? '', modified: headers.get('last-modified') ?? '' },
      ] as const;
    }),
  );
}
