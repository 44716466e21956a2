/**
 * A tree's tables in DuckDB: described without rows when a statement names them, filled with the rows that it needs.
 */
import type { RowColumn } from '../../../build/format/manifest.ts';
import { TreeMismatch } from '../../edge/files/files.ts';
import { readListed } from '../../edge/files/proof.ts';
import { planRuns, type Run, readAhead } from '../../edge/rows/group-runs.ts';
import { openRowGroup } from '../../edge/rows/row-group.ts';
import type { ColumnValues } from '../../query/encode.ts';
import { quoteName } from '../../query/select-sql.ts';
import type { Table } from '../../query/table.ts';
import type { DuckDb, Side } from './duckdb.ts';
import { PackedBuilder } from './packed-table.ts';
import type { TaskControl } from './rows-answer.ts';
import { countBytes } from './scan-sources.ts';
import type { ScanColumns, ScanNeed } from './sql-plan.ts';
import { hasLevelColumn, LEVEL_COLUMN, type LevelSources, listColumns, planNeed } from './sql-plan.ts';
import type { TreeAccess } from './tree-reader.ts';

/** Rows per insertion into DuckDB. */
const ROWS_A_STEP = 65_536;

/** Values that DuckDB keeps for the next statement; some 16 bytes each. */
const MOST_VALUES = 20_000_000;

/** A table that has rows. */
interface Filled {
  /** The needs that filled it, as text: equal needs have equal texts. */
  readonly signature: string;
  readonly values: number;
}

interface Described {
  readonly table: Table;
  readonly columns: ScanColumns;
}

const TYPES = {
  INT32: 'INTEGER',
  INT64: 'BIGINT',
  DOUBLE: 'DOUBLE',
  BYTE_ARRAY: 'VARCHAR',
  BOOLEAN: 'BOOLEAN',
};

export class SqlTables {
  private readonly database: DuckDb;
  private readonly names: TableNames;
  private readonly described = new Map<string, Described>();
  /** In order of use: the most recent is last. */
  private readonly filled = new Map<string, Filled>();

  constructor(database: DuckDb, names: TableNames) {
    this.database = database;
    this.names = names;
  }

  /** By key, as plans name them. */
  get columns(): ReadonlyMap<string, ScanColumns> {
    return new Map([...this.described].map(([key, { columns }]) => [key, columns]));
  }

  /** Creates the empty table for plans. */
  async describe(access: TreeAccess, key: string): Promise<void> {
    if (this.described.has(key)) return;
    const { table } = await access.subject(key);
    const columns = listColumns(table);
    const fields = [...columns.keys()].map(name => `${quoteName(name)} ${sqlType(table, name)}`);
    this.database.run('plan', `CREATE OR REPLACE TABLE ${quoteName(key)} (${fields.join(', ')})`);
    this.giveNames('plan', key);
    this.described.set(key, { table, columns });
  }

  /** Fills the tables with their needed rows; a table without needs stays empty. */
  async fill(
    access: TreeAccess,
    keys: readonly string[],
    needs: ReadonlyMap<string, ScanNeed>,
    control: TaskControl,
  ): Promise<void> {
    const plans = keys.map(key => {
      const { table } = this.described.get(key)!;
      const need = needs.get(key);
      return {
        key,
        table,
        columns: need?.columns ?? new Set<string>(),
        levels: need ? planNeed(table, need) : [],
      };
    });
    const missing = plans.filter(plan => this.filled.get(plan.key)?.signature !== signPlan(plan));
    const sources = missing.flatMap(({ levels }) => levels).flatMap(level => level.sources);
    control.expectBytes(countBytes(sources));
    access.preferWhole(sources);
    for (const plan of missing) await this.fillTable(access, plan, control);
    for (const { key } of plans) this.touch(key);
    this.evict(new Set(keys));
  }

  private async fillTable(access: TreeAccess, plan: TablePlan, control: TaskControl): Promise<void> {
    const { key, table } = plan;
    const rowsName = `${key}#rows`;
    const held = heldColumns(plan);
    this.filled.delete(key);
    const fields = held.map(({ name }) => `${quoteName(name)} ${storedType(table, name)}`);
    this.database.run('data', `CREATE OR REPLACE TABLE ${quoteName(rowsName)} (${fields.join(', ')})`);
    let rows = 0;
    for await (const part of readRows(access, plan, held, control)) {
      this.database.insert(rowsName, part.build());
      rows += part.rows;
    }
    const shown = [...listColumns(table).keys()].map(name =>
      held.some(column => column.name === name)
        ? `CAST(${quoteName(name)} AS ${sqlType(table, name)}) AS ${quoteName(name)}`
        : `CAST(NULL AS ${sqlType(table, name)}) AS ${quoteName(name)}`,
    );
    const select = `SELECT ${shown.join(', ')} FROM ${quoteName(rowsName)}`;
    this.database.run('data', `CREATE OR REPLACE VIEW ${quoteName(key)} AS ${select}`);
    this.giveNames('data', key);
    this.filled.set(key, { signature: signPlan(plan), values: rows * held.length });
  }

  /** `domain.topic`, and `topic` if no other dataset has it. */
  private giveNames(side: Side, key: string): void {
    for (const { schema, name } of listNames(key)) {
      if (schema === null && chooseKey(this.names.get(name.toLowerCase()) ?? []) !== key) continue;
      const place = schema === null ? '' : `${quoteName(schema)}.`;
      if (schema !== null) this.database.run(side, `CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`);
      this.database.run(
        side,
        `CREATE OR REPLACE VIEW ${place}${quoteName(name)} AS FROM main.${quoteName(key)}`,
      );
    }
  }

  private touch(key: string): void {
    const held = this.filled.get(key);
    if (!held) return;
    this.filled.delete(key);
    this.filled.set(key, held);
  }

  /** Drops the least recently used tables, and none in use. */
  private evict(used: ReadonlySet<string>): void {
    let values = 0;
    for (const held of this.filled.values()) values += held.values;
    for (const [key, held] of this.filled) {
      if (values <= MOST_VALUES) return;
      if (used.has(key)) continue;
      this.database.run('data', `DROP TABLE ${quoteName(`${key}#rows`)}`);
      this.filled.delete(key);
      values -= held.values;
    }
  }
}

interface TablePlan {
  readonly key: string;
  readonly table: Table;
  readonly columns: ReadonlySet<string>;
  readonly levels: readonly LevelSources[];
}

function signPlan({ columns, levels }: TablePlan): string {
  const read = levels.map(({ detail, sources }) => [
    detail,
    sources.map(({ file, groups }) => [file.entry.sha256, groups.join()]),
  ]);
  return JSON.stringify([[...columns].sort(), read]);
}

/** The needed columns; at least one, so that DuckDB can count rows. */
function heldColumns({ table, columns }: TablePlan): readonly RowColumn[] {
  const all: RowColumn[] = hasLevelColumn(table) ? [LEVEL, ...table.columns] : [...table.columns];
  const held = all.filter(({ name }) => columns.has(name));
  return held.length > 0 ? held : all.slice(0, 1);
}

const LEVEL: RowColumn = { name: LEVEL_COLUMN, type: 'string', parquet: 'BYTE_ARRAY', from: null };

/** Timestamps in UTC are TIMESTAMPs here: DuckDB needs an extension for those with a time zone. */
function sqlType(table: Table, name: string): string {
  const { type, parquet } = table.columns.find(column => column.name === name) ?? LEVEL;
  if (type === 'date') return 'DATE';
  return type === 'timestamp' ? 'TIMESTAMP' : TYPES[parquet];
}

/** The type in which rows arrive: dates and timestamps as text. */
function storedType(table: Table, name: string): string {
  const { type, parquet } = table.columns.find(column => column.name === name) ?? LEVEL;
  return type === 'date' || type === 'timestamp' ? 'VARCHAR' : TYPES[parquet];
}

/** Yields the rows of a plan in batches. */
async function* readRows(
  { files }: TreeAccess,
  { table, levels }: TablePlan,
  held: readonly RowColumn[],
  { signal }: TaskControl,
): AsyncGenerator<PackedBuilder> {
  const newBuilder = () =>
    new PackedBuilder(held.map(({ name, type, parquet }) => ({ name, type, wide: parquet === 'INT64' })));
  let builder = newBuilder();
  for (const { detail, sources } of levels) {
    const read = (run: Run) => readListed(files, run.source.file, run, signal);
    for await (const [run, bytes] of readAhead(planRuns(sources), read)) {
      for (const index of run.groups) {
        signal.throwIfAborted();
        const group = run.source.file.entry.row_groups[index]!;
        const columns = await decodeColumns(table, held, run, index, bytes, detail);
        builder.append(columns, group.rows);
        if (builder.rows < ROWS_A_STEP) continue;
        yield builder;
        builder = newBuilder();
      }
    }
  }
  if (builder.rows > 0) yield builder;
}

async function decodeColumns(
  table: Table,
  held: readonly RowColumn[],
  { source: { file }, start }: Run,
  index: number,
  bytes: Uint8Array,
  detail: string,
): Promise<readonly ColumnValues[]> {
  const group = file.entry.row_groups[index]!;
  try {
    const reader = await openRowGroup(table.columns, group, bytes, group.start - start);
    return await Promise.all(
      held.map(column =>
        column === LEVEL
          ? new Array<string>(group.rows).fill(detail)
          : reader.column(table.columns.indexOf(column)),
      ),
    );
  } catch (error) {
    throw new TreeMismatch(file.path, `does not decode: ${error instanceof Error ? error.message : error}`);
  }
}

/** The SQL names of a tree's datasets and dimensions. */

/** Maps each name, folded as DuckDB does, to the keys that it can mean. */
export type TableNames = ReadonlyMap<string, readonly string[]>;

interface TableName {
  /** Null means any. */
  readonly schema: string | null;
  readonly name: string;
}

/** Datasets: `domain/topic`, `domain.topic` and `topic`. Dimensions: `domain._name` and `name`. */
export function listNames(key: string): readonly TableName[] {
  const [domain = '', second = '', third] = key.split('/');
  return [
    { schema: domain, name: third === undefined ? second : `_${third}` },
    { schema: null, name: third ?? second },
  ];
}

/**
 * Returns the keys that a name can mean. A dataset goes before a dimension. A dimension has the same rows under every
 * domain. Two datasets with the same topic need their domains.
 */
export function collectNames(keys: readonly string[]): TableNames {
  const names = new Map<string, string[]>();
  for (const key of keys) {
    for (const name of [key, ...listNames(key).map(one => one.name)]) {
      const known = names.get(name.toLowerCase());
      if (!known) names.set(name.toLowerCase(), [key]);
      else if (!known.includes(key)) known.push(key);
    }
  }
  return names;
}

/** Returns the key of a name without a domain; null if it is ambiguous. */
export function chooseKey(keys: readonly string[]): string | null {
  const datasets = keys.filter(key => !key.includes('/_dimensions/'));
  if (datasets.length > 1) return null;
  return datasets[0] ?? keys[0] ?? null;
}

/** Returns names for statements: the short name if it is unique, else with the domain. */
export function spellNames(names: TableNames): readonly string[] {
  const keys = new Set([...names.values()].flat());
  return [...keys].flatMap(key =>
    listNames(key).flatMap(({ schema, name }) =>
      schema !== null
        ? [`${schema}.${name}`]
        : chooseKey(names.get(name.toLowerCase()) ?? []) === key
          ? [name]
          : [],
    ),
  );
}

const WORD = /"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*/gu;

/**
 * Returns the keys that a statement names. A name in a comment counts too: that costs a manifest and changes nothing.
 */
export function findKeys(statement: string, names: TableNames): readonly string[] {
  const found = new Set<string>();
  for (const [word] of statement.matchAll(WORD)) {
    const name = word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word;
    for (const key of names.get(name.toLowerCase()) ?? []) found.add(key);
  }
  return [...found];
}
