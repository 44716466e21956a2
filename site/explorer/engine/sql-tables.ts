/** A tree's tables in DuckDB, and their names. Tables are loaded whole, and kept for the next statement. */
import { nearest } from '../../../build/format/nearest.ts';
import type { RowColumn } from '../../../build/format/manifest.ts';
import { ColumnCache } from '../../edge/rows/column-cache.ts';
import { GroupReader } from '../../edge/rows/group-reader.ts';
import type { ScanSource } from '../../query/plan.ts';
import { quoteName } from '../../query/select-sql.ts';
import type { Level, Table } from '../../query/table.ts';
import type { DuckDb } from './duckdb.ts';
import { EngineError } from './engine.ts';
import type { TreeAccess } from './tree-reader.ts';

/** Rows times columns of all tables. A value takes about 16 bytes. */
const MOST_VALUES = 20_000_000;

/** The file of all years may be this much larger than the yearly slices, since it is one request. */
const WHOLE_SURPLUS = 1.25;

const TYPES = {
  INT32: 'INTEGER',
  INT64: 'BIGINT',
  DOUBLE: 'DOUBLE',
  BYTE_ARRAY: 'VARCHAR',
  BOOLEAN: 'BOOLEAN',
};

/** The level of a row: the first column, as in the tree's duckdb.sql. */
const LEVEL: RowColumn = { name: 'detail', type: 'string', parquet: 'BYTE_ARRAY', from: null };

export class SqlTables {
  private readonly database: DuckDb;
  private readonly names: TableNames;
  /** The number of values of each loaded table. */
  private readonly held = new Map<string, number>();

  constructor(database: DuckDb, names: TableNames) {
    this.database = database;
    this.names = names;
  }

  /**
   * Loads the tables that a statement reads. `check` throws if the page refuses the statement; it runs when the tables
   * exist without rows, before any is read. A table that isn't loaded whole is dropped. Throws EngineError, in DuckDB's
   * words, if the statement is wrong.
   */
  async load(access: TreeAccess, statement: string, check: () => void): Promise<void> {
    const added = new Map<string, Table>();
    try {
      await this.createMissing(access, statement, added);
      check();
      if (countAll(added) <= MOST_VALUES && !this.hasRoom(added)) {
        for (const key of [...this.held.keys(), ...added.keys()]) this.drop(key);
        added.clear();
        await this.createMissing(access, statement, added);
      }
      if (!this.hasRoom(added)) throw this.describeSize(added);
      access.expect([...added.values()].flatMap(table => [...table.levels.values()].flatMap(listWhole)));
      for (const [key, table] of added) {
        await this.fill(access, key, table);
        this.held.set(key, countValues(table));
      }
    } finally {
      for (const key of added.keys()) if (!this.held.has(key)) this.drop(key);
    }
  }

  /** Creates the tables that DuckDB misses, until it knows all that the statement reads. */
  private async createMissing(
    access: TreeAccess,
    statement: string,
    added: Map<string, Table>,
  ): Promise<void> {
    for (;;) {
      try {
        return this.database.prepare(statement);
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        const [, name] = /Table with name (.+?) does not exist/.exec(words) ?? [];
        if (name === undefined) throw error;
        const keys = this.names.get(name.toLowerCase()) ?? [];
        const key = keys.find(one => !this.held.has(one) && !added.has(one));
        if (key === undefined) throw this.refuseName(words, name);
        const { table } = await access.subject(key);
        this.create(key, table);
        added.set(key, table);
      }
    }
  }

  /** Replaces DuckDB's suggestion: it may be far off, and has the table's internal name. */
  private refuseName(words: string, wrong: string): EngineError {
    const keys = new Set([...this.names.values()].flat());
    const near = nearest(
      wrong,
      [...keys].flatMap(key => spellNames(this.names, key)),
    );
    const meant = near === null ? '' : `\nDid you mean ${near}?`;
    return new EngineError({
      kind: 'refusal',
      words: words.replace(/\n?Did you mean .*/, '').replace(/(does not exist)!?/, `$1.${meant}`),
    });
  }

  /** Creates a table without rows, under all its names. */
  private create(key: string, table: Table): void {
    const columns = listColumns(table).map(column => `${quoteName(column.name)} ${sqlType(column)}`);
    this.database.run(`CREATE TABLE ${quoteName(key)} (${columns.join(', ')})`);
    for (const { schema, name } of namesOf(this.names, key)) {
      this.database.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`);
      this.database.run(
        `CREATE OR REPLACE VIEW ${quoteName(schema)}.${quoteName(name)} AS FROM main.${quoteName(key)}`,
      );
    }
  }

  private drop(key: string): void {
    this.held.delete(key);
    // Its views stay: what reads one then lacks the table itself.
    this.database.run(`DROP TABLE IF EXISTS main.${quoteName(key)}`);
  }

  private hasRoom(added: ReadonlyMap<string, Table>): boolean {
    const held = [...this.held.values()].reduce((sum, size) => sum + size, 0);
    return held + countAll(added) <= MOST_VALUES;
  }

  private describeSize(added: ReadonlyMap<string, Table>): EngineError {
    const [largest] = [...added].sort(([, a], [, b]) => countRows(b) - countRows(a));
    const [key, table] = largest!;
    const [name = key] = spellNames(this.names, key);
    return new EngineError({ kind: 'size', table: name, rows: countRows(table) });
  }

  private async fill({ files }: TreeAccess, key: string, table: Table): Promise<void> {
    // Nothing is read twice here, and who cancels ends the worker.
    const reader = new GroupReader(table.columns, { files, cache: new ColumnCache(0), signal: undefined });
    for (const level of table.levels.values())
      for await (const { file, index, decoded } of reader.open(listWhole(level), [...table.columns.keys()])) {
        const { rows } = file.row_groups[index]!;
        const columns = decoded.chunks.map((chunk, i) => {
          const { codes, dictionary } = chunk!;
          const values = Array.from({ length: dictionary.size }, (_, code) => dictionary.valueAt(code));
          return { ...table.columns[i]!, codes, values };
        });
        const own = { ...LEVEL, codes: new Uint16Array(rows), values: [level.name] };
        this.database.insert(key, hasLevel(table) ? [own, ...columns] : columns, rows);
      }
  }
}

/** A dimension has no levels, and a table may have its own column of this name. */
function hasLevel(table: Table): boolean {
  return table.kind === 'dataset' && table.columns.every(({ name }) => name !== LEVEL.name);
}

/** The columns that SQL sees. */
function listColumns(table: Table): readonly RowColumn[] {
  return hasLevel(table) ? [LEVEL, ...table.columns] : table.columns;
}

function countRows({ levels }: Table): number {
  const slices = [...levels.values()].flatMap(level => level.slices);
  return slices.reduce((sum, { rows }) => sum + rows, 0);
}

function countValues(table: Table): number {
  return countRows(table) * listColumns(table).length;
}

function countAll(tables: ReadonlyMap<string, Table>): number {
  return [...tables.values()].reduce((sum, table) => sum + countValues(table), 0);
}

/** All rows of a level: the file of all years if there is one and it isn't much larger than the slices. */
function listWhole({ copies, slices, years }: Level): readonly ScanSource[] {
  const yearly = slices.map(({ parquet }) => ({ file: parquet, groups: [...parquet.starts.keys()] }));
  const [whole] = copies.find(({ isCounted }) => !isCounted)?.files.values() ?? [];
  if (!whole?.source || slices.length < 2 || whole.years.length !== years.length) return yearly;
  const { source } = whole;
  const most = WHOLE_SURPLUS * slices.reduce((sum, { parquet }) => sum + parquet.bytes, 0);
  return source.bytes > most ? yearly : [{ file: source, groups: [...source.starts.keys()] }];
}

/** Timestamps in UTC are TIMESTAMP here: for time zones, DuckDB needs an extension. */
function sqlType({ type, parquet }: RowColumn): string {
  if (type === 'date') return 'DATE';
  return type === 'timestamp' ? 'TIMESTAMP' : TYPES[parquet];
}

/** Maps each name, folded as DuckDB does, to the keys that it may mean. */
export type TableNames = ReadonlyMap<string, readonly string[]>;

interface TableName {
  /** The domain, or DuckDB's own schema. */
  readonly schema: string;
  readonly name: string;
}

const OWN_SCHEMA = 'main';

/** For a dataset `topic` and `domain.topic`; for a dimension `name` and `domain._name`. */
function listNames(key: string): readonly [TableName, TableName] {
  const [domain = '', second = '', third] = key.split('/');
  return [
    { schema: OWN_SCHEMA, name: third ?? second },
    { schema: domain, name: third === undefined ? second : `_${third}` },
  ];
}

/**
 * The keys that a name may mean. A dataset hides a dimension of its name; a dimension has the same rows in
 * every domain; two datasets with the same topic need their domains.
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

/** The key of a name without a domain; null if it is ambiguous. */
function chooseKey(keys: readonly string[]): string | null {
  const datasets = keys.filter(key => !key.includes('/_dimensions/'));
  if (datasets.length > 1) return null;
  return datasets[0] ?? keys[0] ?? null;
}

/** The names of a table: the short one only if no other table has it. */
export function namesOf(names: TableNames, key: string): readonly TableName[] {
  const [short, long] = listNames(key);
  return chooseKey(names.get(short.name.toLowerCase()) ?? []) === key ? [short, long] : [long];
}

/** The names of a table as statements write them, the short one first. */
export function spellNames(names: TableNames, key: string): readonly string[] {
  return namesOf(names, key).map(({ schema, name }) => (schema === OWN_SCHEMA ? name : `${schema}.${name}`));
}
