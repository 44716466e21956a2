/** `civic verify` finds what is not as it was published. */
import { execFileSync } from 'node:child_process';
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { RefusedError } from '../../build/failure.ts';
import { NO_TEXTS } from '../../build/format/documents.ts';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { withSession } from '../../build/lake/database.ts';
import { compareFormats } from '../../build/slice/format-comparison.ts';
import { diff } from '../../build/tree/diff-trees.ts';
import { sha256, snapshot, verify } from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import { duckdb, quoted, temporaryFolder, writeTexts } from '../publishers/publisher-folder.ts';

const FACTS = 'api/v1/climate/rainfall';
const STATIONS = 'api/v1/climate/_dimensions/stations';

const publisher = await keptWeather();
let tree: string;
beforeEach(async () => {
  tree = path.join(await temporaryFolder(), 'tree');
  await cp(publisher.out, tree, { recursive: true, preserveTimestamps: true });
});

/** `code file` of everything that is found. */
async function findings(): Promise<string[]> {
  const error: unknown = await verify(tree).catch((reason: unknown) => reason);
  if (!(error instanceof RefusedError)) throw new Error('Nothing was found.');
  return error.diagnostics.map(one => `${one.code} ${one.file}`);
}

const at = (name: string) => path.join(tree, name);

/** All files except those that are read first. */
const files = Object.keys(await publisher.contents()).filter(
  name => !['manifest.json', 'SHA256SUMS'].includes(name),
);

test('a whole tree is valid, and verifying changes nothing', async () => {
  const before = await snapshot(tree);
  await expect(verify(tree)).resolves.toMatchObject({ slices: 16, files: before.size });
  expect(await snapshot(tree)).toEqual(before);
});

test('one bit of any file', async () => {
  for (const name of files) {
    const bytes = await readFile(at(name));
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(at(name), bytes);
  }
  expect(await findings()).toEqual(expect.arrayContaining(files.map(name => `tree-corrupt-file ${name}`)));
});

test('one bit of SHA256SUMS', async () => {
  const text = await readFile(at('SHA256SUMS'), 'utf8');
  // Both lists and a manifest have this file.
  const changed = text.replace(/^.(?=.* {2}healthz\.json$)/m, digit => (digit === '0' ? '1' : '0'));
  expect(changed).not.toBe(text);
  await writeFile(at('SHA256SUMS'), changed);
  expect(await findings()).toEqual(['tree-corrupt-file SHA256SUMS']);
});

test('files that are missing, and files that are extra', async () => {
  for (const name of files) await rm(at(name));
  expect(await findings()).toEqual(expect.arrayContaining(files.map(name => `tree-missing-file ${name}`)));
  await cp(publisher.out, tree, { recursive: true });
  const extra = ['.hidden', 'api/v2/index.json', `${FACTS}/year=2021/cities.json`, 'extra.txt'];
  await writeTexts(tree, Object.fromEntries(extra.map(name => [name, ''])));
  expect((await findings()).sort()).toEqual(extra.map(name => `tree-extra-file ${name}`).sort());
});

test('only files are opened: not pipes, or links that lead nowhere or to a device', async () => {
  const pipe = (name: string) => execFileSync('mkfifo', [at(name)]);
  const lost = [`${FACTS}/values.json`, `${FACTS}/manifest.json`, 'api/v1/SHA256SUMS', 'urls.txt'];
  for (const name of lost) {
    await rm(at(name));
    if (name === 'urls.txt') await symlink('/dev/zero', at(name));
    else pipe(name);
  }
  pipe('api/pipe');
  await symlink('nowhere', at('link'));
  const extra = ['tree-extra-file api/pipe', 'tree-extra-file link'];
  expect((await findings()).sort()).toEqual([
    ...extra,
    ...lost.map(name => `tree-missing-file ${name}`).sort(),
  ]);
  await rm(at('SHA256SUMS'));
  pipe('SHA256SUMS');
  await expect(verify(tree)).rejects.toMatchObject({ code: 'not-a-tree' });
});

test("a folder without checksums isn't a tree", async () => {
  await rm(at('SHA256SUMS'));
  for (const folder of [tree, at('api'), at('nowhere')])
    await expect(verify(folder)).rejects.toMatchObject({ code: 'not-a-tree' });
});

describe('rows that differ between formats', () => {
  const SLICES = path.join(publisher.out, FACTS, 'year=2021');

  /** The message about a slice with another text in one file. */
  async function difference(file: string, text: string): Promise<string | null> {
    const [level = ''] = file.split('.');
    const folder = await temporaryFolder();
    await cp(SLICES, folder, { recursive: true });
    const page = path.join(folder, `${level}.json`);
    const whole = await readFile(page, 'utf8');
    const head = whole.slice(0, whole.indexOf('\n{') + 1);
    await writeFile(path.join(folder, file), text);
    const { columns } = await publisher.json<DatasetManifest>(`${FACTS}/manifest.json`);
    const files = {
      ...NO_TEXTS,
      parquet: path.join(folder, `${level}.parquet`),
      csv: [path.join(folder, `${level}.csv`)],
    };
    const json = [{ file: page, head, rows: whole.match(/^\{"year"/gm)?.length ?? 0 }];
    return withSession({ threads: 1, memoryLimit: '400MB', temporaryFolder: folder }, session =>
      compareFormats(session, { ...files, columns, json }),
    );
  }

  test.each<readonly [what: string, name: string, found: string | RegExp, instead: string]>([
    ['a number in JSON', 'nation.json', '"rain_mm":213.1', '"rain_mm":213.2'],
    ['a text in JSON', 'nation.json', 'in full', 'in part'],
    ['a NULL in JSON', 'nation.json', '"wet_days":14', '"wet_days":null'],
    ['a row less in JSON', 'nation.json', /\n\{"year":2021[^\n]*/, ''],
    ['a number in CSV', 'nation.csv', '214.1', '214.11'],
    ['an empty text for NULL in CSV', 'nation.csv', ',1000,', ',1000,""'],
    ['rows exchanged in CSV', 'regions.csv', '2021,n,North,,,,all', '2021,n,North,,,,wet'],
    ['a total in a head', 'nation.json', '"total":', '"total":1'],
    ['a count in a head', 'nation.json', '"count":', '"count":1'],
    ['another level in a head', 'nation.json', '"detail":"n', '"detail":"m'],
    ['another year in a head', 'nation.json', '"years":[2021]', '"years":[2020]'],
    ['a next page that is none', 'nation.json', '"next":null', '"next":"x.json"'],
    ['a field too many in a head', 'nation.json', '"offset":', '"x":1,"offset":'],
    ['a field after the rows', 'nation.json', '\n]}\n', '\n],"x":1}\n'],
    ['no end', 'nation.json', '\n]}\n', '\n'],
    ['an end too many', 'nation.json', '\n]}\n', '\n]}\n]}\n'],
    ['a blank before a row', 'nation.json', '\n{', '\n {'],
    ['a row after a blank', 'nation.json', '\n{', '\n {"year":1999},\n{'],
    ['an empty line', 'nation.json', ',\n{', ',\n\n{'],
    ['a line that is no row', 'nation.json', ',\n{', ',\nnull,\n{'],
    ['no comma between rows', 'nation.json', ',\n{', '\n{'],
    ['two commas between rows', 'nation.json', ',\n{', ',,\n{'],
    ['a comma after the last row', 'nation.json', '\n]}\n', ',\n]}\n'],
    ['a key too many', 'nation.json', '\n{', '\n{"x":1,'],
    ['a key that stands twice', 'nation.json', '\n{', '\n{"year":2021,'],
    ['a number as a text', 'nation.json', '"wet_days":14', '"wet_days":"14"'],
    ['another name in a header', 'nation.csv', 'rain_mm', 'rain_cm'],
    ['no header', 'nation.csv', /^.*\r\n/, ''],
  ])('%s', async (_, file, found, instead) => {
    const text = await readFile(path.join(SLICES, file), 'utf8');
    expect(text).toMatch(found);
    expect(await difference(file, text)).toBeNull();
    expect(await difference(file, text.replace(found, instead))).not.toBeNull();
  });
});

describe('files that differ from others, with updated hashes', () => {
  test.each([
    ['year=2021/nation.parquet', '* REPLACE (rain_mm + 1 AS rain_mm)', 'tree-formats-differ'],
    ['_copies/nation.parquet', '* REPLACE (rain_mm + 1 AS rain_mm)', 'tree-copy-differs'],
    ['_copies/nation.parquet', '* REPLACE (2021 AS year)', 'tree-copy-differs'],
  ])('%s of other rows: %s', async (file, rows, code) => {
    const name = `${FACTS}/${file}`;
    const other = at('../other.parquet');
    await duckdb(`COPY (SELECT ${rows} FROM ${quoted(at(name))}) TO ${quoted(other)} (FORMAT parquet)`);
    await rewrite(name, await readFile(other));
    expect(await findings()).toContain(`${code} ${name}`);
  });

  test('a dimension', async () => {
    const text = await readFile(at(`${STATIONS}/rows.json`), 'utf8');
    await rewrite(`${STATIONS}/rows.json`, text.replace('Station S1', 'Station S9'));
    expect(await findings()).toEqual([`tree-formats-differ ${STATIONS}/rows.parquet`]);
  });

  test('a file that matches the checksums and not its manifest', async () => {
    const name = `${FACTS}/values.json`;
    const text = await readFile(at(name), 'utf8');
    await writeFile(at(name), `${text}\n`);
    await replaceEverywhere([['SHA256SUMS', sha256(text), sha256(`${text}\n`)]]);
    expect(await findings()).toContain(`tree-manifest-mismatch ${name}`);
  });
});

describe("manifests that don't have the format's shape, with updated hashes", () => {
  test.each([
    ['no list of slices', FACTS, /"slices"/, '"slices": null, "x"', 'slices'],
    ['a slice that is none', FACTS, /"slices": \[/, '$& null,', 'slices[0]'],
    ['no files of a dimension', STATIONS, /"files"/, '"x"', 'files'],
    ['a dataset that is none', '', /"datasets": \[/, '$& null,', 'datasets[0]'],
    ['no bounds', FACTS, /"min"/, '"x"', 'slices[0].files.parquet[0].row_groups[0].min'],
    ['no date', '', /"date"/, '"x"', 'date'],
    ['another version', '', /tree\/2\.\d+/, 'tree/9.0', 'format'],
  ])('%s', async (_, name, found, instead, part) => {
    const file = path.posix.join(name, 'manifest.json');
    const text = await readFile(at(file), 'utf8');
    expect(text).toMatch(found);
    await rewrite(file, text.replace(found, instead));
    const said = await verify(tree).catch((error: Error) => error.message);
    expect(said).toContain(`${file} tree-manifest-shape`);
    expect(said).toContain(`its ${part} is missing`);
    const options = { jobs: 1, memory: '400MB' };
    for (const [old, now] of [
      [publisher.out, tree],
      [tree, publisher.out],
    ] as const)
      await expect(diff(old, now, options)).rejects.toThrow(`${file} tree-manifest-shape`);
  });
});

async function replaceEverywhere(list: readonly (readonly [name: string, found: string, instead: string])[]) {
  for (const [name, found, instead] of list) {
    const text = await readFile(at(name), 'utf8');
    await writeFile(at(name), text.replaceAll(found, instead));
  }
}

/** Replaces a file, and updates its hash in its manifest, the manifest's in the root's, and all in the checksums. */
async function rewrite(name: string, content: string | Uint8Array): Promise<void> {
  const folder = name.startsWith(FACTS) ? FACTS : STATIONS;
  const all = [name, `${folder}/manifest.json`, 'manifest.json'];
  const chain = all.slice(all.lastIndexOf(name));
  const lists = ['SHA256SUMS', 'api/v1/SHA256SUMS'];
  let old = sha256(await readFile(at(name)));
  await writeFile(at(name), content);
  for (const [i, file] of chain.entries()) {
    const now = sha256(await readFile(at(file)));
    const next = chain[i + 1];
    const after = next === undefined ? null : sha256(await readFile(at(next)));
    await replaceEverywhere([...(next === undefined ? [] : [next]), ...lists].map(list => [list, old, now]));
    old = after ?? '';
  }
  const sums = await readFile(at('SHA256SUMS'), 'utf8');
  const own = sha256(await readFile(at('api/v1/SHA256SUMS')));
  await writeFile(at('SHA256SUMS'), sums.replace(/^\w+(?= {2}api\/v1\/SHA256SUMS$)/m, own));
}
