/** The code on a dataset's page works where a reader pastes it: on a host of files, under a sub-path. */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { isInstalled } from '../installed.ts';
import { duckdb, temporaryFolder } from '../publishers/publisher-folder.ts';
import { startPlainHost, useHost } from './browser.ts';

const run = promisify(execFile);

const DATASET = 'education/attendance';
const CHARACTERS = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
const sample = useSampleTree();
const host = useHost(() => startPlainHost(sample.tree, { base: '/repo/' }));
const code = new Map<string, string>();
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  const html = await (await fetch(`${host.url}datasets/${DATASET}/`)).text();
  const blocks = html.matchAll(/data-label="([^"]*)"><pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs);
  for (const [, label = '', block = ''] of blocks) {
    // The page's script puts the site's address here.
    const here = block.replaceAll(/<span class="tree-address">[^<]*<\/span>/g, host.url);
    const text = Object.entries(CHARACTERS).reduce((all, [name, one]) => all.replaceAll(name, one), here);
    code.set(label.replace('Code for ', ''), text);
  }
});
const shell = (text: string) => run('sh', ['-ec', text], { cwd: folder });
const own = (file: string) => readFile(path.join(folder, file), 'utf8');
const published = (file: string) => readFile(path.join(sample.tree, 'api/v1', DATASET, file), 'utf8');

test('there is code for every language', () => {
  const sheets = ['Power Query', 'Google Sheets'];
  const names = ['curl', 'wget', 'DuckDB', 'pandas', 'polars', 'R', ...sheets, 'JavaScript'];
  expect([...code.keys()]).toEqual([...names, 'Citation', 'BibTeX']);
  for (const each of names) expect(code.get(each)).toContain(host.url);
});

const WITH_CURL = test.skipIf(!isInstalled('curl'));

WITH_CURL('curl fetches a file and proves it, or says that it is not the published one', async () => {
  const curl = code.get('curl') ?? '';
  expect((await shell(curl)).stdout).toContain('schools.csv: OK');
  expect(await own('schools.csv')).toBe(await published('year=2024/schools.csv'));
  await expect(shell(curl.replace(/echo '\w{8}/, "echo '00000000"))).rejects.toThrow(/did NOT match/);
});

test.skipIf(!isInstalled('wget'))('wget fetches every CSV file', async () => {
  await shell(code.get('wget') ?? '');
  const names = await readdir(folder, { recursive: true });
  const files = names.filter(file => /year=\d+\/\w+\.csv$/.test(file));
  expect(files).toHaveLength(21 * 3);
  const one = 'year=2004/districts.csv';
  expect(await own(files.find(file => file.endsWith(one)) ?? '')).toBe(await published(one));
});

WITH_CURL('DuckDB reads all years, and codes are text', async () => {
  const sql = code.get('DuckDB') ?? '';
  await shell(/^-- (curl .*)$/m.exec(sql)?.[1] ?? '');
  const rows = await duckdb(`SET file_search_path = '${folder}'; ${sql}`);
  expect(rows).toHaveLength(10);
  expect(rows[0]).toMatchObject({ year: 2004, district_code: '601', school_code: '0101' });
});

test('JavaScript fetches every row, and codes are text', async () => {
  const file = path.join(folder, 'rows.mjs');
  await writeFile(file, code.get('JavaScript') ?? '');
  const { stdout } = await run(process.execPath, [file]);
  expect(stdout).toMatch(/^960 \{/);
  expect(stdout).toContain("school_code: '0101'");
});

test('Power Query names the type of each column of its file, and Sheets asks for the same file', async () => {
  const query = code.get('Power Query') ?? '';
  const { columns } = JSON.parse(await published('manifest.json')) as Pick<DatasetManifest, 'columns'>;
  const types = { string: 'type text', integer: 'Int64.Type', number: 'type number' };
  const named = [...query.matchAll(/\{"(\w+)", ([\w. ]+)\}/g)].map(([, name, type]) => [name, type]);
  expect(named).toEqual(columns.map(({ name, type }) => [name, types[type as keyof typeof types]]));
  const [, file = ''] = /Web\.Contents\("([^"]+)"\)/.exec(query) ?? [];
  const [header = ''] = (await (await fetch(file)).text()).split('\r\n');
  expect(header.split(',')).toEqual(columns.map(({ name }) => name));
  expect(query).toContain(`Columns = ${columns.length},`);
  expect(code.get('Google Sheets')).toBe(`=IMPORTDATA("${file}", ",", "en_US")`);
});

test.skipIf(!isInstalled('python3'))('Python is Python', async () => {
  for (const each of ['pandas', 'polars']) {
    const text = code.get(each) ?? '';
    await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', text]);
    for (const column of ['district_code', 'school_code', 'demographic'])
      expect(text).toContain(`"${column}"`);
  }
});
