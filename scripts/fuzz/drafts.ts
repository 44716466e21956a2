/** Drafts random tables, builds what is drafted, and reads every value back. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DraftedTable, draft } from '../../build/draft/draft.ts';
import { RefusedError } from '../../build/failure.ts';
import { build } from '../../build/pipeline/build.ts';
import { randomTable } from './random-table.ts';
import type { Cell, RandomTable } from './random-values.ts';

export interface DraftCounts {
  readonly drafted: number;
  /** Tables that ask a person something, and build once it is answered. */
  readonly asked: number;
  /** Tables that `init` refuses, by reason. */
  readonly refused: ReadonlyMap<string, number>;
  /** Tables that are drafted and don't build, or whose values change. */
  readonly failures: readonly string[];
}

/** How many tables one lake has. */
const TOGETHER = 10;

export async function fuzzDrafts(
  { tables, seed }: { readonly tables: number; readonly seed: number },
  onFailure: (failure: string) => void = () => undefined,
): Promise<DraftCounts> {
  const sums = { drafted: 0, asked: 0, refused: new Map<string, number>(), failures: [] as string[] };
  const all = Array.from({ length: tables }, (_, i) => randomTable(seed, i));
  for (let at = 0; at < all.length; at += TOGETHER) {
    const batch = all.slice(at, at + TOGETHER);
    const problem = await tryTables(batch, sums);
    // One table that fails hides what the others do.
    if (problem !== null)
      for (const [i, table] of batch.entries()) {
        const own = batch.length === 1 ? problem : await tryTables([table], sums);
        if (own === null) continue;
        const failure = `--seed ${seed}, table ${at + i} (${table.dialect}): ${own}`;
        sums.failures.push(failure);
        onFailure(failure);
      }
  }
  return sums;
}

/** Null if all is right; counts the tables in that case. */
async function tryTables(
  tables: readonly RandomTable[],
  sums: { drafted: number; asked: number; refused: Map<string, number> },
): Promise<string | null> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'civic-drafts-'));
  try {
    const given = path.join(root, 'given');
    await mkdir(given);
    for (const table of tables) await writeFile(path.join(given, table.name), await table.write());
    const options = { folder: root, domain: 'd', memory: '512MB', jobs: 1 };
    let drafted: readonly DraftedTable[];
    try {
      drafted = (await draft({ ...options, inputs: [given] })).tables;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (tables.length > 1) return 'refused';
      const reason = error.diagnostics[0]?.message.replace(/"[^"]*"|\d+/g, '…') ?? '';
      sums.refused.set(reason, (sums.refused.get(reason) ?? 0) + 1);
      return null;
    }
    let asked = 0;
    for (const one of drafted) asked += Number(await answerQuestions(path.join(root, one.contract), one));
    await build(
      {
        contracts: path.join(root, 'contracts'),
        data: path.join(root, 'data'),
        out: path.join(root, 'dist'),
        only: null,
        strict: false,
        releaseDate: '2026-11-21',
        previous: null,
        baseUrl: null,
        jobs: 1,
        memory: '512MB',
      },
      () => undefined,
    );
    for (const table of tables) {
      const own = drafted.filter(one => path.basename(one.file) === table.name);
      for (const one of own) {
        const wrong = await compareRows(root, table, one);
        if (wrong !== null) return wrong;
      }
    }
    sums.drafted += tables.length;
    sums.asked += asked;
    return null;
  } catch (error) {
    if (error instanceof RefusedError) {
      const rules = error.failures.map(({ subject, outcome }) => `${subject} ${outcome.check.name}`);
      const what = [...error.diagnostics.map(one => one.message), ...rules];
      return `drafted, but ${what.join(' | ')}`.slice(0, 400);
    }
    return `failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`.slice(0, 600);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Takes the `#` from the first answer to each question. Returns whether there was one. */
async function answerQuestions(contract: string, { questions }: DraftedTable): Promise<boolean> {
  const lines = (await readFile(contract, 'utf8')).split('\n');
  const isAnswer = (line: string | undefined) => / # the first is /.test(line ?? '');
  const answered = lines.map((line, i) =>
    isAnswer(line) && !isAnswer(lines[i - 1]) ? line.replace('# ', '') : line,
  );
  await writeFile(contract, answered.join('\n'));
  return questions.length > 0 || answered.some((line, i) => line !== lines[i]);
}

async function compareRows(root: string, table: RandomTable, drafted: DraftedTable): Promise<string | null> {
  const folder = drafted.kind === 'dimension' ? `d/_dimensions/${drafted.name}` : `d/${drafted.name}`;
  const found = await readRows(path.join(root, 'dist/api/v1', folder));
  const clean = table.columns.map(name => name.replace(/[\r\n]+/g, ' ').trim());
  const columns = drafted.columns.map(one => ({ ...one, at: clean.indexOf(one.name) }));
  const lost = columns.find(({ at }) => at < 0);
  if (lost !== undefined) return `column ${JSON.stringify(lost.name)} is not in the file`;
  const isText = !table.dialect.startsWith('parquet');
  // A line of a text without any value is no row.
  const isTable = isText && table.dialect !== 'jsonl';
  const isRow = (row: readonly Cell[]) => !isTable || row.some(({ text }) => text !== null && text !== '');
  const wanted = table.rows
    .filter(isRow)
    .map(row => JSON.stringify(columns.map(({ at, type }) => readAs(row[at]!, type, isText))));
  const got = found.map(row => JSON.stringify(columns.map(({ name }) => row[name] ?? null)));
  const [a, b] = [wanted.sort(), got.sort()];
  const differs = a.findIndex((line, i) => line !== b[i]);
  if (a.length === b.length && differs < 0) return null;
  const at = differs < 0 ? Math.min(a.length, b.length) : differs;
  return `${a.length} rows in the file, ${b.length} published; of ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')} ${String(a[at]).slice(0, 300)} became ${String(b[at]).slice(0, 300)}`;
}

/** What the API must give for a cell; a text says it if the cell has no such reading. */
function readAs(cell: Cell, type: DraftedTable['columns'][number]['type'], isText: boolean): unknown {
  const own = cell.text === null ? null : isText ? cell.text.replace(/\r\n?/g, '\n') : cell.text;
  switch (type) {
    case 'string':
      return own === '' && isText ? null : own;
    case 'integer':
    case 'number':
      return own === null ? null : (cell.number ?? `no number: ${own}`);
    case 'boolean':
      return own === null ? null : (cell.boolean ?? `no boolean: ${own}`);
    case 'date':
    case 'timestamp':
      return cell.time ?? (own === null ? null : `no time: ${own}`);
    default:
      return type satisfies never;
  }
}

async function readRows(folder: string): Promise<Readonly<Record<string, unknown>>[]> {
  const names = await readdir(folder, { recursive: true });
  const pages = names.filter(name => /(^|\/)(all|rows)(\.page-\d+)?\.json$/.test(name));
  const rows = await Promise.all(
    pages.map(async name => JSON.parse(await readFile(path.join(folder, name), 'utf8')).data),
  );
  // Other documents of a level have no rows.
  return rows.filter(Array.isArray).flat();
}
