/** `civic verify` finds what is not as it was published. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RefusedError } from '../../build/failure.ts';
import { diff } from '../../build/tree/diff.ts';
import { buildPublisher, snapshot, verify } from '../publishers/built-tree.ts';
import {
  duckdb,
  type PublisherFolder,
  quoted,
  temporaryFolder,
  writePublisher,
} from '../publishers/publisher-folder.ts';

const FACTS = 'api/v1/climate/rainfall';
const REGIONS = 'api/v1/climate/_dimensions/regions';

let publisher: PublisherFolder;
/** A copy of the tree, to be damaged. */
let tree: string;
beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'));
  await buildPublisher(publisher, { only: 'climate/*' });
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));
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

const KINDS = [
  'index.json',
  'index.html',
  'manifest.json',
  'healthz.json',
  'urls.txt',
  'api/v1/SHA256SUMS',
  'api/v1/datasets/index.json',
  'api/v1/datasets/climate/rainfall/index.json',
  'api/v1/datasets/climate/rainfall/contract.yaml',
  'api/v1/datasets/climate/rainfall/contract.json',
  `${FACTS}/manifest.json`,
  `${FACTS}/values.json`,
  `${FACTS}/quality.json`,
  `${FACTS}/year=2021/stations.json`,
  `${FACTS}/year=2021/stations.csv`,
  `${FACTS}/year=2021/stations.parquet`,
  `${FACTS}/history/stations.parquet`,
  `${FACTS}/year=2021/index.html`,
  `${REGIONS}/rows.json`,
  `${REGIONS}/rows.csv`,
  `${REGIONS}/rows.parquet`,
  `${REGIONS}/schema.json`,
  `${REGIONS}/manifest.json`,
];

test('a whole tree is whole, and verifying touches nothing', async () => {
  const before = await snapshot(tree);
  await expect(verify(tree)).resolves.toMatchObject({ slices: 11, files: before.size });
  expect(await snapshot(tree)).toEqual(before);
});

test.each(KINDS)('one bit of %s', async name => {
  const bytes = await readFile(at(name));
  const place = Math.floor(bytes.length / 2);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  await writeFile(at(name), bytes);
  expect(await findings()).toContain(`tree-corrupt-file ${name}`);
});

test('one bit of SHA256SUMS', async () => {
  const text = await readFile(at('SHA256SUMS'), 'utf8');
  await writeFile(
    at('SHA256SUMS'),
    text.replace(/^./, digit => (digit === '0' ? '1' : '0')),
  );
  expect(await findings()).toEqual(['tree-corrupt-file SHA256SUMS']);
});

test.each(KINDS.filter((_, i) => i % 4 === 2))('%s is missing', async name => {
  await rm(at(name));
  expect(await findings()).toContain(`tree-missing-file ${name}`);
});

test.each(['extra.txt', `${FACTS}/year=2021/cities.json`, '.hidden', 'api/v2/index.json'])(
  '%s is extra',
  async name => {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), '');
    expect(await findings()).toEqual([`tree-extra-file ${name}`]);
  },
);

describe('what is no file is not opened', () => {
  const pipe = (name: string) => execFileSync('mkfifo', [at(name)]);

  test.each([`${FACTS}/values.json`, `${FACTS}/manifest.json`, 'manifest.json', 'api/v1/SHA256SUMS'])(
    'a pipe in place of %s',
    async name => {
      await rm(at(name));
      pipe(name);
      expect(await findings()).toEqual([`tree-missing-file ${name}`]);
    },
  );

  test('a pipe in place of SHA256SUMS', async () => {
    await rm(at('SHA256SUMS'));
    pipe('SHA256SUMS');
    await expect(verify(tree)).rejects.toMatchObject({ code: 'not-a-tree' });
  });

  test('a pipe, and a link that leads nowhere, that no list has', async () => {
    pipe('api/pipe');
    await symlink('nowhere', at('link'));
    expect(await findings()).toEqual(['tree-extra-file api/pipe', 'tree-extra-file link']);
  });

  test('a link that leads to a device', async () => {
    await rm(at('urls.txt'));
    await symlink('/dev/zero', at('urls.txt'));
    expect(await findings()).toEqual(['tree-missing-file urls.txt']);
  });
});

test('without its checksums it is no tree', async () => {
  await rm(at('SHA256SUMS'));
  await expect(verify(tree)).rejects.toMatchObject({ code: 'not-a-tree' });
});

test('nor is any other folder', async () => {
  await expect(verify(path.join(tree, 'api'))).rejects.toMatchObject({ code: 'not-a-tree' });
  await expect(verify(path.join(tree, 'nowhere'))).rejects.toMatchObject({ code: 'not-a-tree' });
});

describe('rows that differ between formats, every hash made right again', () => {
  const CASES: readonly { what: string; name: string; found: string | RegExp; instead: string }[] = [
    {
      what: 'a number in JSON',
      name: 'year=2021/nation.json',
      found: '"rain_mm":213.1',
      instead: '"rain_mm":213.2',
    },
    { what: 'a text in JSON', name: 'year=2021/nation.json', found: 'in full', instead: 'in part' },
    {
      what: 'a NULL in JSON',
      name: 'year=2021/nation.json',
      found: '"wet_days":14',
      instead: '"wet_days":null',
    },
    {
      what: 'a row less in JSON',
      name: 'year=2021/nation.json',
      found: /\n\{"year":2021[^\n]*/,
      instead: '',
    },
    { what: 'a number in CSV', name: 'year=2021/nation.csv', found: '214.1', instead: '214.11' },
    {
      what: 'an empty text for NULL in CSV',
      name: 'year=2021/nation.csv',
      found: ',1000,',
      instead: ',1000,""',
    },
    {
      what: 'rows exchanged in CSV',
      name: 'year=2021/regions.csv',
      found: '2021,n,North,,,,all',
      instead: '2021,n,North,,,,wet',
    },
  ];

  const JSON_NATION = 'year=2021/nation.json';
  const REST: typeof CASES = [
    { what: 'a total in a head', name: JSON_NATION, found: '"total":', instead: '"total":1' },
    { what: 'a count in a head', name: JSON_NATION, found: '"count":', instead: '"count":1' },
    { what: 'another level in a head', name: JSON_NATION, found: '"detail":"n', instead: '"detail":"m' },
    { what: 'another year in a head', name: JSON_NATION, found: '"years":[2021]', instead: '"years":[2020]' },
    { what: 'a next page that is none', name: JSON_NATION, found: '"next":null', instead: '"next":"x.json"' },
    { what: 'a field too many in a head', name: JSON_NATION, found: '"offset":', instead: '"x":1,"offset":' },
    { what: 'a field after the rows', name: JSON_NATION, found: '\n]}\n', instead: '\n],"x":1}\n' },
    { what: 'no end', name: JSON_NATION, found: '\n]}\n', instead: '\n' },
    { what: 'an end too many', name: JSON_NATION, found: '\n]}\n', instead: '\n]}\n]}\n' },
    { what: 'a blank before a row', name: JSON_NATION, found: '\n{', instead: '\n {' },
    { what: 'a row after a blank', name: JSON_NATION, found: '\n{', instead: '\n {"year":1999},\n{' },
    { what: 'an empty line', name: JSON_NATION, found: ',\n{', instead: ',\n\n{' },
    { what: 'a line that is no row', name: JSON_NATION, found: ',\n{', instead: ',\nnull,\n{' },
    { what: 'no comma between rows', name: JSON_NATION, found: ',\n{', instead: '\n{' },
    { what: 'two commas between rows', name: JSON_NATION, found: ',\n{', instead: ',,\n{' },
    { what: 'a comma after the last row', name: JSON_NATION, found: '\n]}\n', instead: ',\n]}\n' },
    { what: 'a key too many', name: JSON_NATION, found: '\n{', instead: '\n{"x":1,' },
    { what: 'a key that stands twice', name: JSON_NATION, found: '\n{', instead: '\n{"year":2021,' },
    { what: 'a number as a text', name: JSON_NATION, found: '"wet_days":14', instead: '"wet_days":"14"' },
    { what: 'another name in a header', name: 'year=2021/nation.csv', found: 'rain_mm', instead: 'rain_cm' },
    { what: 'no header', name: 'year=2021/nation.csv', found: /^.*\r\n/, instead: '' },
  ];

  test.each([...CASES, ...REST])('$what', async ({ name, found, instead }) => {
    const file = at(`${FACTS}/${name}`);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(found);
    const changed = text.replace(found, instead);
    await rewrite(`${FACTS}/${name}`, changed);
    const parquet = `${FACTS}/${name.replace(/\.\w+$/, '.parquet')}`;
    expect(await findings()).toEqual([`tree-formats-differ ${parquet}`]);
  });

  test('a Parquet file of other rows', async () => {
    const name = `${FACTS}/year=2021/nation.parquet`;
    const other = at('../other.parquet');
    await duckdb(
      `COPY (SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM ${quoted(at(name))}) TO ${quoted(other)} (FORMAT parquet)`,
    );
    await rewrite(name, await readFile(other));
    expect(await findings()).toContain(`tree-formats-differ ${name}`);
  });

  test('a history of other rows than its slices', async () => {
    const name = `${FACTS}/history/nation.parquet`;
    const other = at('../other.parquet');
    for (const rows of ['* REPLACE (rain_mm + 1 AS rain_mm)', '* REPLACE (2021 AS year)']) {
      await duckdb(`COPY (SELECT ${rows} FROM ${quoted(at(name))}) TO ${quoted(other)} (FORMAT parquet)`);
      await rewrite(name, await readFile(other));
      expect(await findings()).toEqual([`tree-history-differs ${name}`]);
      await cp(path.join(publisher.out, name), at(name));
      await cp(publisher.out, tree, { recursive: true, force: true });
    }
  });

  test('a dimension', async () => {
    const text = await readFile(at(`${REGIONS}/rows.json`), 'utf8');
    await rewrite(`${REGIONS}/rows.json`, text.replace('South', 'Sooth'));
    expect(await findings()).toEqual([`tree-formats-differ ${REGIONS}/rows.parquet`]);
  });

  test('a file that is right by the checksums and not by its manifest', async () => {
    const name = `${FACTS}/values.json`;
    const text = await readFile(at(name), 'utf8');
    await writeFile(at(name), `${text}\n`);
    await replaceEverywhere([['SHA256SUMS', sha256(text), sha256(`${text}\n`)]]);
    expect(await findings()).toContain(`tree-manifest-mismatch ${name}`);
  });
});

describe('manifests that have not the shape of the format, every hash made right again', () => {
  const CASES: readonly { what: string; name: string; found: RegExp; instead: string; part: string }[] = [
    {
      what: 'no list of slices',
      name: FACTS,
      found: /"slices"/,
      instead: '"slices": null, "x"',
      part: 'slices',
    },
    {
      what: 'a slice that is none',
      name: FACTS,
      found: /"slices": \[/,
      instead: '$& null,',
      part: 'slices[0]',
    },
    { what: 'no files of a dimension', name: REGIONS, found: /"files"/, instead: '"x"', part: 'files' },
    {
      what: 'a dataset that is none',
      name: '',
      found: /"datasets": \[/,
      instead: '$& null,',
      part: 'datasets[0]',
    },
    { what: 'no date', name: '', found: /"date"/, instead: '"x"', part: 'date' },
    { what: 'another version', name: '', found: /tree\/1\.0/, instead: 'tree/9.0', part: 'format' },
  ];

  test.each(CASES)('$what', async ({ name, found, instead, part }) => {
    const file = path.posix.join(name, 'manifest.json');
    const text = await readFile(at(file), 'utf8');
    expect(text).toMatch(found);
    await rewrite(file, text.replace(found, instead));
    await expect(verify(tree)).rejects.toThrow(`${file} tree-manifest-shape`);
    await expect(verify(tree)).rejects.toThrow(`its ${part} is missing`);
    const options = { jobs: 1, memory: '400MB' };
    for (const [old, now] of [
      [publisher.out, tree],
      [tree, publisher.out],
    ] as const)
      await expect(diff(old, now, options)).rejects.toThrow(`${file} tree-manifest-shape`);
  });
});

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function replaceEverywhere(list: readonly (readonly [name: string, found: string, instead: string])[]) {
  for (const [name, found, instead] of list) {
    const text = await readFile(at(name), 'utf8');
    await writeFile(at(name), text.replaceAll(found, instead));
  }
}

/** Writes a file over, and its hash into its manifest, the manifest's into the root's, and all into the checksums. */
async function rewrite(name: string, content: string | Uint8Array): Promise<void> {
  const folder = name.startsWith(FACTS) ? FACTS : REGIONS;
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
