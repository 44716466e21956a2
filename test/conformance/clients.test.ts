/** The programs of docs/clients.md, run by their clients, all print the same. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect, test } from 'vitest';
import { isInstalled } from '../installed.ts';
import { pythonWith } from '../python.ts';
import { served } from '../served.ts';
import { useSampleTree } from './sample-tree.ts';

const run = promisify(execFile);
const ADDRESS = 'https://data.example.org/';
const guide = await readFile(path.resolve(import.meta.dirname, '../../docs/clients.md'), 'utf8');
const [, SAID = ''] = /All print the same line: `(.*?)`/.exec(guide) ?? [];

const sample = useSampleTree();
let base: string;
beforeAll(async () => {
  base = `${await served(sample.tree)}/`;
});

/** By the title of the section. */
const programs = new Map(
  guide.split('\n## ').flatMap(section => {
    const [, program] = /```\w+\n(.*?)```/s.exec(section) ?? [];
    return program === undefined ? [] : [[section.split('\n', 1)[0] ?? '', program] as const];
  }),
);

/** With the address of the tree. */
const programOf = (title: string) => programs.get(title)!.replaceAll(ADDRESS, base);

const CLIENTS: readonly (readonly [title: string, client: string | null, options: readonly string[]])[] = [
  ...['pandas', 'polars', 'pyarrow'].map(name => [name, pythonWith(name), ['-c']] as const),
  ['R', isInstalled('Rscript') ? 'Rscript' : null, ['-e']],
  ['Observable, Node', process.execPath, ['--input-type=module', '-e']],
];

test.for(CLIENTS)('%s', async ([title, client, options], context) => {
  if (client === null) return context.skip(`${title} isn't installed`);
  const { stdout } = await run(client, [...options, programOf(title)]);
  expect(stdout).toBe(`${SAID}\n`);
});

test('DuckDB, with its httpfs where it can be had, otherwise from the folder', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const address = await connection.run('INSTALL httpfs; LOAD httpfs').then(
    () => base,
    () => `${sample.tree}/`,
  );
  const views = await readFile(path.join(sample.tree, 'api/v1/duckdb.sql'), 'utf8');
  await connection.run(views.replace("civic_tree = './'", `civic_tree = '${address}'`));
  const reader = await connection.runAndReadAll(programOf('DuckDB'));
  expect(reader.getRows()).toEqual([[SAID]]);
});

test('each client that has a program runs it', () =>
  expect(['DuckDB', ...CLIENTS.map(([title]) => title)]).toEqual([...programs.keys()]));

test('three requests lead from llms.txt to the rows of a place', async () => {
  const ask = async (address: string) => (await fetch(new URL(address, base))).text();
  const llms = await ask('llms.txt');
  const [, file = ''] = /^- \[School districts\]\((.*)\): 19 rows, key `district_code`$/m.exec(llms) ?? [];
  const [code] = (await ask(file)).split('\r\n').filter(line => line.includes(',Sample District 615,'));
  const place = `place=${code?.split(',')[0]}`;
  const rows = await ask(`api/v1/education/attendance?year=2024&detail=districts&demographic=all&${place}`);
  expect(JSON.parse(rows).data).toMatchObject([
    { district_code: '615', district_name: 'Sample District 615' },
  ]);
  const [, example = ''] = /selects its rows: (\S+)\. /.exec(llms) ?? [];
  expect(JSON.parse(await ask(example)).total).toBeGreaterThan(0);
});
