/** Reads the columns and row counts of Parquet files, and compares them with contracts. */
import type { BaseColumn, Dataset, Dimension } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { nearest } from '../format/nearest.ts';
import { databaseMessage, noteWork, type Session } from './database.ts';
import type { LakeFile, LakeSlice } from './lake-files.ts';
import { tableFormat } from './lake-layout.ts';
import { fileList, parquetRows } from './sql.ts';

export interface ParquetShape {
  /** DuckDB types by column name; STRUCT, LIST or MAP for a nested column. */
  readonly columns: ReadonlyMap<string, string>;
  readonly repeated: readonly string[];
  readonly rows: number;
}

/** The root, a column, or a nested field. */
interface SchemaEntry {
  readonly file: string;
  readonly name: string;
  readonly type: string | null;
  readonly kind: string | null;
  readonly children: number | null;
}

type NamedFile = Pick<LakeFile, 'path' | 'absolute' | 'bytes'>;

/** By lake path; with a diagnostic for each unreadable file. */
export async function readShapes(
  session: Session,
  files: readonly NamedFile[],
): Promise<{ shapes: Map<string, ParquetShape>; diagnostics: Diagnostic[] }> {
  try {
    const shapes = await noteWork(namesOf(files), () => queryShapes(session, files));
    return { shapes, diagnostics: [] };
  } catch (error) {
    const [only] = files;
    if (files.length === 1 && only !== undefined)
      return { shapes: new Map(), diagnostics: [unreadable(only, error)] };
  }
  // One broken file fails the whole query, so query each.
  const shapes = new Map<string, ParquetShape>();
  const diagnostics: Diagnostic[] = [];
  for (const file of files) {
    const one = await readShapes(session, [file]);
    for (const [path, shape] of one.shapes) shapes.set(path, shape);
    diagnostics.push(...one.diagnostics);
  }
  return { shapes, diagnostics };
}

function namesOf(files: readonly NamedFile[]): string {
  const [first, last] = [files[0]?.path ?? '', files.at(-1)?.path ?? ''];
  return first === last ? first : `the columns of ${files.length} files, ${first} to ${last}`;
}

export function unreadable(file: NamedFile, error: unknown): Diagnostic {
  const why =
    file.bytes === 0
      ? 'the file is empty (0 bytes)'
      : databaseMessage(error).replace(file.absolute, file.path);
  const message = `The file is not a complete Parquet file: ${why}. Write it again, or remove it.`;
  return diagnosticAt(file.path, 'error', 'lake-unreadable-file', message);
}

async function queryShapes(
  session: Session,
  files: readonly NamedFile[],
): Promise<Map<string, ParquetShape>> {
  if (files.length === 0) return new Map();
  const list = fileList(files.map(file => file.absolute));
  // One query for both: opening files takes most of the time, and DuckDB runs the halves in parallel.
  const found = await session.rows<SchemaEntry & { rows: number | null }>(
    `SELECT file_name AS file, name, duckdb_type AS type, coalesce(converted_type, repetition_type) AS kind, num_children AS children, NULL AS rows, column_id AS position FROM parquet_schema(${list}) UNION ALL SELECT file_name, '', NULL, NULL, NULL, num_rows, -1 FROM parquet_file_metadata(${list}) ORDER BY file, position`,
  );
  const entriesOf = new Map<string, SchemaEntry[]>(files.map(file => [file.absolute, []]));
  const countOf = new Map<string, number>();
  for (const { rows, ...entry } of found) {
    if (rows === null) entriesOf.get(entry.file)?.push(entry);
    else countOf.set(entry.file, rows);
  }
  return new Map(
    files.map(file => [
      file.path,
      { ...columnsOf(entriesOf.get(file.absolute) ?? []), rows: countOf.get(file.absolute) ?? 0 },
    ]),
  );
}

/** `entries` are in depth-first order, the root first. */
function columnsOf([, ...entries]: readonly SchemaEntry[]): Pick<ParquetShape, 'columns' | 'repeated'> {
  const columns = new Map<string, string>();
  const repeated = new Set<string>();
  let within = 0;
  for (const { name, type, kind, children } of entries) {
    const isColumn = within === 0;
    within += (children ?? 0) - (isColumn ? 0 : 1);
    if (!isColumn) continue;
    if (columns.has(name)) repeated.add(name);
    const group = kind === 'LIST' || kind === 'MAP' ? kind : 'STRUCT';
    columns.set(name, type === null ? group : kind === 'REPEATED' ? 'LIST' : type);
  }
  return { columns, repeated: [...repeated] };
}

export function rowsOf(slices: readonly LakeSlice[], shapes: ReadonlyMap<string, ParquetShape>): number {
  return slices
    .flatMap(slice => slice.files)
    .reduce((sum, file) => sum + (shapes.get(file.path)?.rows ?? 0), 0);
}

/** Databases export their integers as decimals without a fraction. */
const INTEGER_TYPES = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|DECIMAL\(\d+,\s*0\))$/;
const FLOATING_TYPES = /^(DOUBLE|FLOAT)$/;
const NUMBER_TYPES = /^(DOUBLE|FLOAT|DECIMAL\(\d+,\s*\d+\))$/;

/** Numbers with more digits than a double holds may be published as text. */
const LONG_TYPES = /^(U?BIGINT|U?HUGEINT|DECIMAL\(\d+,\s*\d+\))$/;

const MOMENT = 'TIMESTAMP WITH TIME ZONE';

/** Texts are in ISO 8601. */
const TIME_TYPES = /^(DATE|TIMESTAMP(_S|_MS|_NS)?|TIMESTAMP WITH TIME ZONE|VARCHAR)$/;

/** Types whose values have only one text form. */
const TEXT_TYPES = /^(VARCHAR|ENUM.*|UUID|JSON|TIME(_NS)?|TIME WITH TIME ZONE|INTERVAL)$/;

/** Some writers give this type to columns without values. */
const NO_TYPE = '"NULL"';

export function isInteger(duckdbType: string): boolean {
  return INTEGER_TYPES.test(duckdbType);
}

export function isFloating(duckdbType: string | undefined): boolean {
  return FLOATING_TYPES.test(duckdbType ?? '');
}

function typeFits(column: Pick<BaseColumn, 'type' | 'physical' | 'ofOthers'>, duckdbType: string): boolean {
  if (duckdbType === NO_TYPE) return true;
  switch (column.type) {
    case 'integer':
      // Programs without NULL among integers write 3.0 for 3. A check finds fractions.
      return isInteger(duckdbType) || isFloating(duckdbType);
    case 'number':
      return NUMBER_TYPES.test(duckdbType) || isInteger(duckdbType);
    case 'string':
      return (
        TEXT_TYPES.test(duckdbType) ||
        LONG_TYPES.test(duckdbType) ||
        (column.ofOthers === true && [NUMBER_TYPES, TIME_TYPES].some(types => types.test(duckdbType)))
      );
    case 'boolean':
      return duckdbType === 'BOOLEAN';
    case 'date':
    case 'timestamp':
      // Without a zone, a moment reads as a clock time.
      return TIME_TYPES.test(duckdbType) && (duckdbType !== MOMENT || column.physical !== 'timestamp');
    default:
      return column.type satisfies never;
  }
}

/** Default limit: a file of a few kilobytes can claim any number of rows. */
export const MOST_ROWS = 100_000_000;

type Owner = Dataset | Dimension;

/** A contract, and its slices' files or its only file. */
export interface OwnedFiles {
  readonly contract: Owner;
  readonly groups: readonly (readonly LakeFile[])[];
}

/** Like `readShapes`, with a diagnostic for each file that doesn't fit its contract. `known`: shapes by path. */
export async function readFittingShapes(
  session: Session,
  owned: readonly OwnedFiles[],
  known: ReadonlyMap<string, ParquetShape> = new Map(),
  maxRows = MOST_ROWS,
): Promise<{ shapes: Map<string, ParquetShape>; diagnostics: Diagnostic[] }> {
  const files = [...new Set(owned.flatMap(({ groups }) => groups.flat()))];
  const { shapes, diagnostics } = await readShapes(
    session,
    files.filter(file => !known.has(file.path)),
  );
  for (const { path } of files) {
    const shape = known.get(path);
    if (shape !== undefined) shapes.set(path, shape);
  }
  for (const { contract, groups } of owned) {
    for (const file of groups.flat()) {
      const shape = shapes.get(file.path);
      if (shape !== undefined) diagnostics.push(...compareShape(contract, file, shape, maxRows));
    }
    diagnostics.push(...emptyFiles(groups, shapes));
  }
  return { shapes, diagnostics };
}

/** Reports all problems with a file's columns, and more than `maxRows` rows. A nullable column may be absent. */
export function compareShape(
  contract: Owner,
  file: LakeFile,
  shape: ParquetShape,
  maxRows = MOST_ROWS,
): Diagnostic[] {
  const { key: owner, columns, leftOut } = contract;
  const found = columns.flatMap((column: BaseColumn): Diagnostic[] => {
    const type = shape.columns.get(column.name);
    // A derived year may have the name of a column that is left out.
    if (type === undefined || leftOut.includes(column.name) || typeFits(column, type)) return [];
    const orMoment =
      type === MOMENT && column.type === 'timestamp'
        ? ', or add logicalTypeOptions: { timezone: true } to publish its times in UTC'
        : '';
    const message = `Column ${column.name} is ${type} in the file, but ${column.type} in ${owner}'s contract. Write it as ${column.type}${orMoment}.`;
    return [diagnosticAt(file.path, 'error', 'lake-column-type', message)];
  });
  if (shape.rows > maxRows) {
    const message = `The file says that it has ${shape.rows.toLocaleString('en-US')} rows, in ${file.bytes.toLocaleString('en-US')} bytes, and civic reads at most ${maxRows.toLocaleString('en-US')} of one file. If the number is right, raise the limit with --max-rows.`;
    found.push(diagnosticAt(file.path, 'error', 'lake-too-many-rows', message));
  }
  const names = [...shape.columns.keys()];
  return [...compareNames(contract, file, names, shape.repeated), ...found];
}

function renamedHint(now: string, before: string): string {
  return `If ${before} is now called ${now}, give it that name in the contract, and add { property: renamed_from, value: ${JSON.stringify(before)} } to its customProperties.`;
}

function isPart(a: string, b: string): boolean {
  const [short = '', long = ''] = [a.toLowerCase(), b.toLowerCase()].sort((x, y) => x.length - y.length);
  return short.length > 2 && long.includes(short);
}

/**
 * An absent and an extra column that are probably the same: their names are similar, or there are no others.
 */
function renamed(absent: readonly string[], extra: readonly string[]): string | null {
  const named = extra.filter(name => name !== '');
  for (const before of absent) {
    const near =
      nearest(before, named) ??
      named.find(name => isPart(name, before)) ??
      (absent.length === 1 && named.length === 1 ? named[0] : null);
    if (near != null) return renamedHint(near, before);
  }
  return null;
}

/** A file may lack the year: its folder or a time column gives it. */
export function compareNames(
  { key: owner, columns, leftOut }: Owner,
  file: LakeFile,
  names: readonly string[],
  repeated: readonly string[],
): Diagnostic[] {
  const found: Diagnostic[] = [];
  const report = (code: string, message: string) =>
    found.push(diagnosticAt(file.path, 'error', code, message));
  const present = new Set(names);
  const promised = new Set([...columns.map(column => column.name), ...leftOut]);
  const extra = new Set([...present].filter(name => !promised.has(name)));
  const missing: BaseColumn[] = [];
  const absent = columns.filter(({ name, role }) => !present.has(name) && role !== 'year');
  for (const column of absent) {
    if (column.nullable) continue;
    const near = nearest(
      column.name,
      [...extra].filter(name => name !== ''),
    );
    if (near === null) {
      missing.push(column);
      continue;
    }
    // A misspelt name is both a missing and an extra column.
    extra.delete(near);
    const message = `${owner} requires the column ${column.name} (${column.type}), and the file has ${near} in its place. Rename one of the two. ${renamedHint(near, column.name)}`;
    report('lake-missing-column', message);
  }
  if (missing.length > 0) {
    const [them, it] = missing.length > 1 ? ['columns', 'them'] : ['column', 'it'];
    const message = `${owner} requires the ${them} ${listed(missing.map(({ name, type }) => `${name} (${type})`))}, which the file lacks. Write ${it}, or let the contract allow NULL (required: false).`;
    report('lake-missing-column', message);
  }
  for (const name of repeated) {
    const message = `The file has several columns ${name}, and readers disagree on which one to use. Keep only one.`;
    report('lake-repeated-column', message);
  }
  if (extra.size > 0) {
    const names = [...extra].map(name => (name === '' ? 'one without a name' : name));
    const [them, it] = names.length > 1 ? ['the columns', 'them'] : ['a column', 'it'];
    const hint = renamed(
      absent.map(({ name }) => name),
      [...extra],
    );
    const what = names.length === 1 && extra.has('') ? 'a column without a name' : `${them} ${listed(names)}`;
    const message = `The file has ${what} that ${owner}'s contract does not promise. Add ${it} to the contract, or remove ${it} from the file.${hint === null ? '' : ` ${hint}`}`;
    report('lake-extra-column', message);
  }
  return found;
}

const MOST_LISTED = 12;

/** `a, b and c`, or `a, b and 5 more`. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, names.length > MOST_LISTED ? MOST_LISTED : names.length);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest.toLocaleString('en')} more` : shown.pop();
  return [shown.join(', '), last].filter(Boolean).join(' and ');
}

/** Reports slices without rows. A slice with rows may have empty files, which jobs leave behind. */
function emptyFiles(
  slices: readonly (readonly LakeFile[])[],
  shapes: ReadonlyMap<string, ParquetShape>,
): Diagnostic[] {
  return slices
    .filter(files => files.every(file => shapes.get(file.path)?.rows === 0))
    .flat()
    .map(file =>
      diagnosticAt(file.path, 'error', 'lake-empty-file', 'The file has no rows. Fill it, or remove it.'),
    );
}

/** Reads every value of the Parquet files: a damaged file may still open. */
export async function findDamagedFiles(session: Session, files: readonly NamedFile[]): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const file of files) {
    if (tableFormat(file.absolute) !== 'parquet') continue;
    try {
      await session.rows(`SELECT bit_xor(hash(COLUMNS(*))) FROM ${parquetRows([file.absolute])}`);
    } catch (error) {
      found.push(unreadable(file, error));
    }
  }
  return found;
}
