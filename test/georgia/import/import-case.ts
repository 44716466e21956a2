/**
 * Imports as data: files, and what an import of them writes and says. `cases/*.yaml` has them by dataset:
 *
 *     case: what it shows
 *     file: name, with `text`, `latin1`, `xlsx`, `xls` (sheets), `zip` (members) or `parquet` (SQL of its rows);
 *       or `files`, each with its name; or `extract`: a file of the folder `extracts`
 *     put: what else lies in the lake before, by path; null for a folder
 *     year, markers, addPlaces, replace, renamed: options of the import
 *     rows: the slices that it writes, each as a table, or some of its rows (`2025/states where month = 'all'`); `*` is
 *       any value
 *     written: the rows of each slice, where `rows` has not all of them
 *     dropped, odd, changes: what is counted, `3 what`, with examples beneath where a test is about them
 *     unused, notes, leftOut: columns that are not read, notes among others, files that are left out and why
 *     refused: the messages of an import that is refused; after `…` they may go on
 *     feeds: names of the datasets that the file feeds, or what is said of it; nothing is imported
 *     steps: imports of one lake, one after the other; each may be `of` another dataset
 *
 * Cells of sheets and tables have bars between them. `{name}` in a text stands for what `parts` says.
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path, { dirname, join } from 'node:path';
import { type BookType, utils, write } from '@e965/xlsx';
import { zipSync } from 'fflate';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { RefusedError } from '../../../build/failure.ts';
import { type ImportOptions, runImport } from '../../../scripts/georgia/import/import-run.ts';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { recogniseFile } from '../../../scripts/georgia/import/recognition.ts';
import { atEnd } from '../../at-end.ts';
import { duckdb } from '../../publishers/publisher-folder.ts';

interface Content {
  readonly text?: string;
  readonly latin1?: string;
  readonly xlsx?: Readonly<Record<string, string>>;
  readonly xls?: Readonly<Record<string, string>>;
  /** Ranges such as C2:J2, in every sheet. */
  readonly merges?: string;
  readonly zip?: Readonly<Record<string, Content>>;
  readonly parquet?: string;
}

type Counted = readonly (string | Readonly<Record<string, readonly string[]>>)[];

interface ImportStep extends Content {
  readonly of?: string;
  readonly file?: string;
  readonly extract?: string;
  readonly files?: Readonly<Record<string, string | Content>>;
  readonly year?: number;
  readonly markers?: readonly string[];
  readonly put?: Readonly<Record<string, string | Content | null>>;
  readonly addPlaces?: boolean;
  readonly replace?: boolean;
  readonly renamed?: Readonly<Record<string, string>>;
  readonly rows?: Readonly<Record<string, string>>;
  readonly written?: Readonly<Record<string, number>>;
  readonly dropped?: Counted;
  readonly odd?: Counted;
  readonly changes?: Counted;
  readonly unused?: readonly string[];
  readonly notes?: readonly string[];
  readonly leftOut?: Readonly<Record<string, string>>;
  readonly refused?: readonly string[];
  readonly feeds?: string;
}

interface ImportCase {
  readonly dataset: string;
  readonly name: string;
  readonly steps: readonly ImportStep[];
}

const STEP = new Set(
  'of file extract files text latin1 xlsx xls merges zip parquet put year markers addPlaces replace renamed rows written dropped odd changes unused notes leftOut refused feeds'.split(
    ' ',
  ),
);
const CASES = path.join(import.meta.dirname, 'cases');
export const EXTRACTS = path.join(import.meta.dirname, 'extracts');

export const IMPORT_CASES: readonly ImportCase[] = readdirSync(CASES).flatMap(file => {
  const { parts = {}, datasets } = parse(readFileSync(path.join(CASES, file), 'utf8'));
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(/\{(\w+)\}/g, (whole, name) => parts[name]?.trimEnd() ?? whole);
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [filled(name), filled(one)]));
  };
  return Object.entries(filled(datasets) as object).flatMap(([dataset, cases]) =>
    cases.map(({ case: name, steps, ...only }: { case: string; steps?: ImportStep[] }): ImportCase => {
      const all = steps ?? [only];
      const unknown = all.flatMap(step => Object.keys(step)).filter(key => !STEP.has(key));
      if (unknown.length > 0) throw new Error(`${name} has ${unknown.join(', ')}, which nobody reads`);
      return { dataset, name, steps: all };
    }),
  );
});

/** Imports a step's files into the lake, and compares the result with the step. */
export async function testStep(scratch: ScratchLake, dataset: string, step: ImportStep): Promise<void> {
  const name = step.of ?? dataset;
  const contents = { ...step.files, ...(step.file !== undefined && { [step.file]: step }) };
  const files = step.extract === undefined ? [] : [path.join(EXTRACTS, step.extract)];
  for (const [file, content] of Object.entries(contents))
    files.push(scratch.file(file, await bytesOf(content)));
  if (step.feeds !== undefined) {
    const found = await recogniseFile(files[0]!, IMPORTERS);
    const said = 'problem' in found ? found.problem : found.importers.map(one => one.name).join(', ');
    return expect(said).toContain(step.feeds);
  }
  for (const [file, content] of Object.entries(step.put ?? {})) {
    if (content === null) mkdirSync(join(scratch.lake, file), { recursive: true });
    else scratch.file(join('lake', file), await bytesOf(content));
  }
  const { year, markers, addPlaces, replace } = step;
  const options: Partial<ImportOptions> = {
    ...{ year, addPlaces, replace },
    ...(markers && { markers }),
    ...(step.renamed && { renamed: new Map(Object.entries(step.renamed)) }),
  };
  const folder = path.dirname(scratch.lake);
  const short = (text: string) => text.replaceAll(folder, '');
  if (step.refused !== undefined) {
    const before = stateOf(scratch.lake);
    const said = (await scratch.refusal(name, files, options)).map(short);
    const upTo = (text: string, end = '') => (end.endsWith('…') ? `${text.slice(0, end.length - 1)}…` : text);
    expect(said.map((text, i) => upTo(text, step.refused?.[i]))).toEqual(step.refused);
    expect(stateOf(scratch.lake), 'the lake').toEqual(before);
    return;
  }
  const report = await scratch.report(name, files, options);
  const { path: target } = IMPORTERS.find(one => one.name === name)!.target;
  const place = (slice: string) => {
    const [name] = slice.split(' where ');
    return /^\d{4}\//.test(slice) ? `${target}/year=${name}.parquet` : `${name}.parquet`;
  };
  const counts = report.written.map(one => [one.path, one.rows]);
  if (step.written !== undefined)
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(Object.entries(step.written).map(([slice, rows]) => [place(slice), rows])),
    );
  else if (step.rows !== undefined)
    expect(counts.map(([file]) => file).sort()).toEqual(
      [...new Set(Object.keys(step.rows).map(place))].sort(),
    );
  for (const [slice, rows] of Object.entries(step.rows ?? {})) {
    const [columns, ...expected] = tableOf(rows);
    const found = (await scratch.rows(place(slice), slice.split(' where ')[1])).map(row =>
      columns!.map(column => (column in row ? String(row[column] ?? 'NULL') : 'no such column')),
    );
    const shown = expected.map((cells, i) => cells.map((cell, j) => (cell === '*' ? found[i]?.[j] : cell)));
    expect(found, slice).toEqual(shown);
  }
  const dropped = report.files.flatMap(file => file.dropped);
  for (const [stated, all] of [
    [step.dropped, dropped],
    [step.odd, report.odd],
    [step.changes, report.changes],
  ] as const)
    if (stated !== undefined)
      expect(
        all.map(({ what, count, examples }, i) => {
          const counted = `${count} ${what}`;
          return typeof stated[i] === 'object' ? { [counted]: examples } : counted;
        }),
      ).toEqual(stated);
  if (step.unused !== undefined)
    expect(report.files.flatMap(({ unusedColumns }) => unusedColumns)).toEqual(step.unused);
  if (step.notes?.length === 0) expect(report.notes).toEqual([]);
  else if (step.notes !== undefined) expect(report.notes).toEqual(expect.arrayContaining([...step.notes]));
  if (step.leftOut !== undefined)
    expect(
      Object.fromEntries(report.leftOut.map(({ file, message }) => [path.basename(file), message])),
    ).toEqual(step.leftOut);
}

/** The files and folders of a lake, with their times. */
function stateOf(lake: string): unknown {
  if (!existsSync(lake)) return null;
  const names = readdirSync(lake, { recursive: true, encoding: 'utf8' }).sort();
  return names.map(name => [name, statSync(path.join(lake, name)).mtimeMs]);
}

async function bytesOf(content: string | Content): Promise<string | Uint8Array> {
  if (typeof content === 'string') return content;
  const { text, latin1, xlsx, xls, merges, zip, parquet } = content;
  if (text !== undefined) return text;
  if (latin1 !== undefined) return Buffer.from(latin1, 'latin1');
  if (xlsx !== undefined) return workbook(sheetsOf(xlsx), 'xlsx', merges?.split(' '));
  if (xls !== undefined) return workbook(sheetsOf(xls), 'biff8', merges?.split(' '));
  if (parquet !== undefined) return await parquetOf(parquet);
  const members = await Promise.all(
    Object.entries(zip ?? {}).map(async ([name, member]) => [name, Buffer.from(await bytesOf(member))]),
  );
  return zipSync(Object.fromEntries(members));
}

async function parquetOf(sql: string): Promise<Uint8Array> {
  const file = path.join(tmpdir(), `civic-import-case-${process.pid}.parquet`);
  await duckdb(`COPY (${sql}) TO '${file}' (FORMAT parquet)`);
  const bytes = readFileSync(file);
  rmSync(file);
  return bytes;
}

function sheetsOf(sheets: Readonly<Record<string, string>>): Record<string, Cell[][]> {
  return Object.fromEntries(
    Object.entries(sheets).map(([name, rows]) => [name, tableOf(rows).map(row => row.map(cellOf))]),
  );
}

function tableOf(text: string): string[][] {
  const lines = text.replace(/\n$/, '').split('\n');
  return text === '' ? [] : lines.map(line => line.split('|').map(cell => cell.trim()));
}

/** A number, "a text" in quotes or without, or nothing. */
function cellOf(cell: string): Cell {
  if (cell === '') return null;
  if (cell.startsWith('"')) return JSON.parse(cell);
  return /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}

type Cell = string | number | null;

function workbook(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  type: Extract<BookType, 'xlsx' | 'biff8'> = 'xlsx',
  merges: readonly string[] = [],
): Uint8Array {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows.map(row => [...row]));
    sheet['!merges'] = merges.map(range => utils.decode_range(range));
    utils.book_append_sheet(book, sheet, name);
  }
  return new Uint8Array(write(book, { type: 'buffer', bookType: type }) as Buffer);
}

export type Row = Readonly<Record<string, string | number | null>>;

export type ScratchLake = ReturnType<typeof scratchLake>;

/** A temporary folder with source files and a lake. */
export function scratchLake() {
  const folder = mkdtempSync(join(tmpdir(), 'civic-import-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const lake = join(folder, 'lake');
  const run = (name: string, files: readonly string[], options?: Partial<ImportOptions>) =>
    runImport(IMPORTERS.find(candidate => candidate.name === name)!, files, { lake, ...options });
  return {
    lake,
    /** Writes a source file and gives its path. */
    file(name: string, content: string | Uint8Array): string {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    /** Runs an import that must succeed. */
    report: run,
    /** Messages of an import that must be refused. */
    async refusal(...asked: Parameters<typeof run>) {
      const error = await run(...asked).catch((error: unknown) => error);
      if (!(error instanceof RefusedError)) throw error;
      return error.diagnostics.map(({ code, message }) => `${code} ${message}`);
    },
    /** Rows of a file of the lake, in order: all, or those that satisfy a condition in SQL. */
    rows: async (file: string, condition = 'true') =>
      (await duckdb(
        `FROM read_parquet('${join(lake, file)}', hive_partitioning = false) WHERE ${condition}`,
      )) as Row[],
  };
}
