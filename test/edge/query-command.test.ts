/** `civic query`; what it writes to standard output is that of the process. */
import { readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { command } from '../cli/command.ts';
import { civic } from '../cli/program.ts';
import { duckdb, temporaryFolder } from '../publishers/publisher-folder.ts';
import { served } from '../served.ts';
import { copyThings, SLICE, openThings } from './tree/fixture.ts';
import { expectedCsv, expectedJson, matchingRows, questionUrl } from './tree/reference.ts';

const tree = await openThings();
const QUESTION = { detail: 'units', year_min: 2020, filters: { area_code: ['150'], unit_code: ['u003'] } };
const QUERY = questionUrl(QUESTION, 'csv').replace('/api/v1/', '');

let url: string;
beforeAll(async () => {
  url = await served(tree.folder);
});

const query = (text: string, ...options: string[]) =>
  command('query', text, '--base', tree.folder, ...options);

test('answers of a folder and of an address', async () => {
  const program = (text: string, base = tree.folder) => civic(['query', text, '--base', base]);
  expect(await program(QUERY)).toEqual({ code: 0, stdout: expectedCsv(QUESTION), stderr: '' });
  expect((await program('/healthz')).stdout).toContain('"status"');
  const page = await program('demo/things?year=2022', url);
  expect(page.stdout).toBe(await expectedJson(tree.folder, { year: 2022 }));
});

test('an answer in a file, which appears when it is complete', async () => {
  const folder = await temporaryFolder();
  const out = join(folder, 'answer.csv');
  expect(await query(QUERY, '--out', out)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await readFile(out, 'utf8')).toBe(expectedCsv(QUESTION));
  expect(await readdir(folder)).toEqual(['answer.csv']);
});

describe('the plan', () => {
  test('for a person', async () => {
    const { code, stdout } = await query(QUERY, '--explain');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ table: 'demo/things', detail: 'units', years: [2020, 2022, 2023], format: 'csv', kind: 'scan' },
      files: [{ path: expect.stringContaining('_copies/units.parquet'), row_groups: { read: 2 } }],
      residual: {
        filters: { area_code: ['150'], unit_code: ['u003'], year: ['2020', '2022', '2023'] },
        sort: true,
      },
      sql: expect.stringMatching(/^SELECT /),
    });
  });

  test.each([
    [QUERY, matchingRows(QUESTION)],
    ['demo/things?year=2022&offset=100000', []],
  ])('for a program, the SQL gives the answer: %s', async (text, rows) => {
    const { code, stdout } = await query(text, '--explain', '--json');
    const plan = JSON.parse(stdout) as { ok: boolean; sql: string };
    expect([code, plan.ok]).toEqual([0, true]);
    if (text === QUERY) expect(plan).toMatchObject({ kind: 'scan', files: [{ row_groups: { read: 2 } }] });
    const found = await duckdb(plan.sql);
    expect(found.map(row => Object.values(row).map(String))).toEqual(rows.map(row => row.map(String)));
  });
});

describe('what is wrong', () => {
  test('for a program', async () => {
    const { code, stdout } = await query('demo/things?yaer=2022', '--json');
    const diagnostics = [{ severity: 'error', code: 'wrong-query' }];
    expect([code, JSON.parse(stdout)]).toMatchObject([
      2,
      { ok: false, diagnostics, corrected: 'demo/things?year=2022' },
    ]);
  });

  test.each([
    ['a document has no plan', ['/healthz', '--explain'], 2, [/Only questions about rows have a plan/]],
    [
      'every problem is named, and the query as it was meant',
      ['demo/things?yaer=2022&detail=unit'],
      2,
      [/yaer: .*Did you mean 'year'/, /detail: .*'units'/, /Try: demo\/things\?year=2022&detail=units\n/],
    ],
    ['a name that is not published', ['demo/thing'], 2, [/Did you mean demo\/things/]],
    ['parameters of nothing', ['?year=2022'], 2, [/names no dataset/]],
    ['a folder where the file should be', [QUERY, '--out', 'FOLDER'], 3, [/cannot-write .* is a folder/]],
    ['a folder that is no tree', [QUERY, '--base', 'FOLDER'], 3, [/no manifest\.json/]],
    ['a host that is not there', [QUERY, '--base', 'http://127.0.0.1:9'], 3, [/cannot be read/]],
    ['a file that may not be written', [QUERY, '--out', '/nothing/here'], 3, [/ENOENT/]],
  ])('%s', async (_, [text = '', ...options], code, messages) => {
    const folder = await temporaryFolder();
    const placed = options.map(one => one.replace('FOLDER', folder));
    const base = options.includes('--base') ? [] : ['--base', tree.folder];
    const ended = await command('query', text, ...base, ...placed);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    for (const message of messages) expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toMatch(/ at .*:\d+:\d+/);
  });

  test('a damaged tree', async () => {
    const damaged = join(await temporaryFolder(), 'tree');
    await copyThings(damaged);
    await truncate(join(damaged, `${SLICE}.csv`), 100);
    const ended = await command('query', 'demo/things?year=2022&format=csv', '--base', damaged);
    const stderr = expect.stringMatching(/^broken-tree .*areas\.csv has 100 bytes/);
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr });
  });
});
