/** `civic query`, as a process. */
import { mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../site/edge/adapters/node.ts';
import { civic } from '../cli/program.ts';
import { SLICE, useTree } from './tree/fixture.ts';
import { expectedCsv, expectedJson, matchingRows, questionUrl } from './tree/reference.ts';

const tree = useTree();
const QUESTION = { detail: 'units', year_min: 2020, filters: { area_code: ['150'], unit_code: ['u003'] } };
const QUERY = questionUrl(QUESTION, 'csv').replace('/api/v1/', '');

let server: RunningServer;
let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'query-'));
  server = await startServer({ folder: tree.folder, port: 0 });
});
afterAll(async () => {
  await server.close();
  await rm(scratch, { recursive: true });
});

const query = (text: string, ...options: string[]) => civic(['query', text, ...options]);

describe('an answer', () => {
  test.each([
    ['a folder', () => tree.folder],
    ['an address', () => server.url],
  ])('of %s', async (_, base) => {
    const ended = await query(QUERY, '--base', base());
    expect(ended).toEqual({ code: 0, stdout: expectedCsv(QUESTION), stderr: '' });
    const page = await query('demo/things?year=2022', '--base', base());
    expect(page.stdout).toBe(await expectedJson(tree.folder, { year: 2022 }, []));
    expect((await query('/healthz', '--base', base())).stdout).toContain('"status"');
  });

  test('in a file, which appears when it is complete', async () => {
    const out = join(scratch, 'answer.csv');
    expect(await query(QUERY, '--base', server.url, '--out', out)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await readFile(out, 'utf8')).toBe(expectedCsv(QUESTION));
    expect(await readdir(scratch)).toEqual(['answer.csv']);
  });
});

describe('the plan', () => {
  test('for a person', async () => {
    const { code, stdout } = await query(QUERY, '--base', tree.folder, '--explain');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^demo\/things, units, 2020, 2022, 2023, csv$/m);
    expect(stdout).toMatch(/history\/units\.parquet: [\d,]+ of [\d,]+ bytes, row groups 2 of \d+$/m);
    expect(stdout).toMatch(
      /^residual {2}area_code = 150; unit_code = u003; year = 2020 or 2022 or 2023; sort$/m,
    );
    expect(stdout).toMatch(/^sql {7}SELECT /m);
  });

  test('for a program; its SQL gives the answer', async () => {
    const { code, stdout } = await query(QUERY, '--base', tree.folder, '--explain', '--json');
    expect(code).toBe(0);
    const plan = JSON.parse(stdout) as { ok: boolean; kind: string; bytes: number; sql: string };
    expect(plan).toMatchObject({ ok: true, kind: 'scan', files: [{ row_groups: { read: 2 } }] });
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const rows = (await connection.runAndReadAll(plan.sql)).getRowsJS();
    const plain = rows.map(row => row.map(value => (typeof value === 'bigint' ? Number(value) : value)));
    expect(plain).toEqual(matchingRows(QUESTION).map(row => [...row]));
  });

  test('of a document there is none', async () => {
    const { code, stderr } = await query('/healthz', '--base', tree.folder, '--explain');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Only questions about rows have a plan')]);
  });

  test('where nothing is read, the SQL gives no rows', async () => {
    const { stdout } = await query(
      'demo/things?year=2022&offset=100000',
      '--base',
      tree.folder,
      '--explain',
      '--json',
    );
    const { sql } = JSON.parse(stdout) as { sql: string };
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    expect((await connection.runAndReadAll(sql)).getRowsJS()).toEqual([]);
  });
});

describe('what is wrong', () => {
  test('with the query: every problem, and the query as it was meant', async () => {
    const { code, stdout, stderr } = await query('demo/things?yaer=2022&detail=unit', '--base', tree.folder);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/yaer: .*Did you mean 'year'/);
    expect(stderr).toMatch(/detail: .*'units'/);
    expect(stderr).toContain('Try: demo/things?year=2022&detail=units\n');
  });

  test('for a program', async () => {
    const { code, stdout } = await query('demo/things?yaer=2022', '--base', tree.folder, '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      2,
      {
        ok: false,
        diagnostics: [{ severity: 'error', code: 'wrong-query' }],
        corrected: 'demo/things?year=2022',
      },
    ]);
  });

  test.each([
    [
      'a name that is not published',
      () => ['demo/thing', '--base', tree.folder],
      2,
      /Did you mean demo\/things/,
    ],
    ['no name', () => ['', '--base', tree.folder], 2, /names no dataset/],
    ['parameters of nothing', () => ['?year=2022', '--base', tree.folder], 2, /names no dataset/],
    [
      'a folder where the file should be',
      () => [QUERY, '--base', tree.folder, '--out', scratch],
      3,
      /cannot-write .* is a folder/,
    ],
    ['a folder that is no tree', () => [QUERY, '--base', scratch], 3, /no manifest\.json/],
    ['no folder', () => [QUERY, '--base', join(scratch, 'nothing')], 3, /is not a folder/],
    ['an address that is no tree', () => [QUERY, '--base', `${server.url}/api/`], 3, /no manifest\.json/],
    ['a host that is not there', () => [QUERY, '--base', 'http://127.0.0.1:9'], 3, /cannot be read/],
    [
      'a file that may not be written',
      () => [QUERY, '--base', tree.folder, '--out', '/nothing/here'],
      3,
      /ENOENT/,
    ],
  ])('%s', async (_, args, code, message) => {
    const ended = await civic(['query', ...args()]);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringMatching(message)]);
    expect(ended.stderr).not.toMatch(/ at .*:\d+:\d+/);
  });

  test('a damaged tree', async () => {
    await truncate(join(tree.folder, `${SLICE}.csv`), 100);
    const { code, stdout, stderr } = await query('demo/things?year=2022&format=csv', '--base', tree.folder);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^broken-tree .*areas\.csv has 100 bytes/);
  });
});
