/** Workbooks and Markdown have the rows of CSV, the same bytes each time, and their source. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { read, utils, type WorkBook } from '@e965/xlsx';
import { beforeAll, expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { markdownText } from '../../site/edge/respond/readable.ts';
import type { Value } from '../../site/query/order.ts';
import { command } from '../cli/command.ts';
import { thingsTree } from '../edge/tree/fixture.ts';
import { pageOf, questionUrl } from '../edge/tree/reference.ts';
import { COLUMNS } from '../edge/tree/rows.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { served } from '../served.ts';
import { type Ask, askTree, BUDGET } from './executors.ts';
import { ALL_QUESTIONS } from './questions.ts';

let folder: string;
let ask: Ask;
beforeAll(async () => {
  folder = await thingsTree();
  ask = askTree(folder);
});

const NAMES = COLUMNS.map(({ name }) => name);

const openSheets = (bytes: ArrayBuffer | Buffer) => read(Buffer.from(bytes as ArrayBuffer));
const rowsOf = ({ Sheets }: WorkBook, name: string) =>
  utils.sheet_to_json<Value[]>(Sheets[name]!, { header: 1, defval: null, blankrows: true });

test.each(ALL_QUESTIONS)('a workbook: %s', async (_, question) => {
  const url = questionUrl(question, 'xlsx');
  const [first, second] = await Promise.all([ask(url), ask(url)].map(async one => (await one).arrayBuffer()));
  expect(Buffer.from(first!).equals(Buffer.from(second!))).toBe(true);
  const book = openSheets(first!);
  expect(rowsOf(book, 'Rows')).toEqual([NAMES, ...pageOf(question)]);
  const notes = rowsOf(book, 'Notes').map(row => row.slice(0, 2));
  expect(notes).toContainEqual(['Address', new URL(url, 'http://edge.test').href]);
  expect(notes).toContainEqual(['Notice', expect.stringContaining('Synthetic sample data')]);
});

/** What a reader of GitHub's Markdown sees in a table's cells. */
function cellsOf(text: string): string[][] {
  const lines = text.split('\n').filter(line => line.startsWith('|'));
  return lines.map(line => {
    const cells = [...line.slice(1, -1).matchAll(/((?:\\.|[^|\\])*)(?:\||$)/gsu)].map(
      ([, cell = '']) => cell,
    );
    return cells.slice(0, -1).map(cell =>
      cell
        .replace(/^ | $/g, '')
        .replace(/^""$/, '\0')
        .replaceAll('<br>', '\n')
        .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
        .replace(/\\([^a-zA-Z0-9\s])/g, '$1'),
    );
  });
}

const shown = (value: Value) => (value === null ? '' : value === '' ? '\0' : String(value));

test.each(ALL_QUESTIONS)('Markdown: %s', async (_, question, notice) => {
  const limit = Math.min(question.limit ?? 10_000, 10_000);
  const text = await (await ask(questionUrl({ ...question, limit }, 'md'))).text();
  const [heads = [], , ...rows] = cellsOf(text);
  expect(heads).toHaveLength(NAMES.length);
  expect(rows).toEqual(pageOf({ ...question, limit }).map(row => row.map(shown)));
  for (const part of ['Address: http://edge.test/api', 'Release: ', 'Synthetic sample', notice ?? ''])
    expect(text).toContain(part === notice ? `Notice: ${markdownText(part)}` : part);
});

test.each([
  'a|b',
  '\\|',
  '""',
  '<b>&lt;',
  ' a ',
  '\ta\n\nb\n',
  '_a_b_',
  '`*~$[x](y)#',
  '&copy; & so',
  'http://x/?a=1&b',
])('Markdown of %j is read as it was', text => {
  const [cells] = cellsOf(`| ${markdownText(text)} | ${markdownText(null)} |`);
  expect(cells).toEqual([text, '']);
});

test('a host answers a workbook within its limit, and says what to do otherwise', async () => {
  const open = () => import('../../site/edge/respond/workbook.ts');
  const host = (workbooks?: { cells: number; open: typeof open }) =>
    createHandler(createFolderFiles(folder), { budget: BUDGET, ...(workbooks && { workbooks }) });
  const request = () => new Request('http://edge.test/api/v1/demo/things?year=2022&format=xlsx');
  const most = pageOf({ year: 2022 }).length;
  expect((await host({ cells: most * 11, open })(request())).status).toBe(200);
  const long = await host({ cells: most * 11 - 1, open })(request());
  const { detail, sql } = (await long.json()) as Record<string, string>;
  expect([long.status, sql]).toEqual([501, expect.stringContaining('SELECT')]);
  expect(detail).toContain(`of 11 columns has at most ${most - 1} rows`);
  expect(detail).toContain('choose fewer rows with filters, limit and offset, or format=csv');
  expect(await (await host()(request())).text()).toContain('it makes no workbooks: use format=csv');
});

test('a server and a command answer them, with types, and a dimension has them too', async () => {
  const url = await served(folder);
  const xlsx = await fetch(`${url}/api/v1/demo/things?year=2022&limit=3&format=xlsx`);
  expect(xlsx.headers.get('content-type')).toMatch(/spreadsheetml\.sheet$/);
  expect(xlsx.headers.get('content-disposition')).toBe('attachment; filename="demo-things.xlsx"');
  const md = await fetch(`${url}/api/v1/demo/_dimensions/areas?format=md&limit=2`);
  expect(md.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(md.headers.get('link')).toContain('offset=2');
  expect(cellsOf(await md.text())).toHaveLength(4);
  expect((await fetch(`${url}/api/v1/demo/things?format=md&limit=20000`)).status).toBe(422);
  expect((await fetch(`${url}/api/v1/demo/things/year=2022/areas.xlsx`)).status).toBe(404);
  const out = join(await temporaryFolder(), 'rows.xlsx');
  const query = 'demo/things?year=2022&limit=3&format=xlsx';
  expect(await command('query', query, '--base', folder, '--out', out)).toMatchObject({ code: 0 });
  expect(rowsOf(openSheets(await readFile(out)), 'Rows').slice(1)).toEqual(pageOf({ year: 2022, limit: 3 }));
  await rm(out);
});
