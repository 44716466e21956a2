/** Writes the rows that a release changed, as Parquet and, if they are few, as JSON. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { RowColumn } from '../format/manifest.ts';
import type { Session } from '../lake/database.ts';
import { duckdbType } from '../lake/fact-table.ts';
import { changedRows, type RowChangesInput } from '../lake/row-changes.ts';
import { identifier, literal, parquetRows, rowOrder } from '../lake/sql.ts';
import { type ChangedColumns, changeColumns } from './changed-columns.ts';
import { type FooterMetadata, groupRows } from './parquet-options.ts';
import { storedColumn } from './row-columns.ts';
import { copyParquet, type WrittenParquet } from './rows-writer.ts';
import { jsonRow, UNKNOWN_TEXT } from './text-sql.ts';

/** More rows than these stand as Parquet alone. */
const MOST_JSON_ROWS = 1000;

const CHANGED = 'temp.main."changed rows"';

export interface SliceFiles extends Pick<RowChangesInput, 'year' | 'detail' | 'old' | 'now'> {}

export interface SliceCounts extends Pick<RowChangesInput, 'year' | 'detail'> {
  readonly added: number;
  readonly removed: number;
  readonly revised: number;
}

export interface WrittenChanges {
  /** Of every slice with a row that changed. */
  readonly counts: readonly SliceCounts[];
  /** Null if no row changed. */
  readonly rows: {
    readonly columns: readonly RowColumn[];
    readonly keyColumns: readonly string[];
    readonly file: WrittenParquet;
    /** The same rows, one object per line; null if there are many. */
    readonly json: string | null;
  } | null;
}

export interface ChangesInput {
  readonly session: Session;
  readonly columns: ChangedColumns;
  readonly slices: readonly SliceFiles[];
  readonly metadata: FooterMetadata;
  /** Folder on disk to which the file's name is relative. */
  readonly folder: string;
  readonly name: string;
}

/** Compares the slices one after another, so that memory holds one of them and the rows that changed. */
export async function writeChanges(input: ChangesInput): Promise<WrittenChanges> {
  const { session, columns, slices } = input;
  const { keys, old, now } = columns;
  const pair = ({ old: a, now: b }: (typeof keys)[number]) => ({ old: a.name, now: b?.name ?? null });
  const all = changeColumns(columns);
  const types = all.map(column => `${identifier(column.name)} ${duckdbType(storedColumn(column).column)}`);
  await session.run(`CREATE OR REPLACE TEMP TABLE "changed rows" (${types.join(', ')})`);
  try {
    for (const slice of slices) {
      const select = changedRows({
        ...slice,
        keys: keys.map(pair),
        values: old.map(pair),
        added: now.map(column => column.name),
      });
      await session.run(`INSERT INTO ${CHANGED} ${select}`);
    }
    return await writeTable(input, all, all.slice(0, 3 + keys.length));
  } finally {
    await session.run(`DROP TABLE IF EXISTS ${CHANGED}`);
  }
}

/** Writes a release's changed rows again without those of some slices. Null if none are left. */
export async function writeRemaining(
  { session, metadata, folder, name }: Omit<ChangesInput, 'columns' | 'slices'>,
  file: string,
  {
    columns,
    key_columns,
  }: { readonly columns: readonly RowColumn[]; readonly key_columns: readonly string[] },
  gone: readonly Pick<RowChangesInput, 'year' | 'detail'>[],
): Promise<WrittenChanges> {
  const slices = gone.map(({ year, detail }) => `(year = ${year} AND detail = ${literal(detail)})`);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE "changed rows" AS SELECT * FROM ${parquetRows([file])} WHERE NOT (${slices.join(' OR ')})`,
  );
  try {
    const keys = columns.filter(column => key_columns.includes(column.name));
    return await writeTable({ session, metadata, folder, name }, columns, keys);
  } finally {
    await session.run(`DROP TABLE IF EXISTS ${CHANGED}`);
  }
}

async function writeTable(
  { session, metadata, folder, name }: Omit<ChangesInput, 'columns' | 'slices'>,
  columns: readonly RowColumn[],
  keys: readonly RowColumn[],
): Promise<WrittenChanges> {
  const counts = await session.rows<SliceCounts>(
    `SELECT year, detail, ${['added', 'removed', 'revised'].map(kind => `count(*) FILTER (change = '${kind}') AS ${kind}`).join(', ')} FROM ${CHANGED} GROUP BY ALL ORDER BY ALL`,
  );
  const total = counts.reduce((sum, one) => sum + one.added + one.removed + one.revised, 0);
  if (total === 0) return { counts, rows: null };
  const keyColumns = keys.map(column => column.name).filter(column => column !== 'change');
  const order = rowOrder(['detail', ...keyColumns.filter(column => column !== 'detail')]);
  const table = `(SELECT * FROM ${CHANGED} ORDER BY ${order})`;
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  // The file may be a link to a published one.
  await rm(path.join(folder, name), { force: true });
  const { file } = await copyParquet(
    {
      session,
      table,
      rows: total,
      columns: columns.map(storedColumn),
      keyColumns,
      metadata,
      folder,
    },
    name,
    groupRows('copy', total),
  );
  return {
    counts,
    rows: {
      columns,
      keyColumns,
      file,
      json: total > MOST_JSON_ROWS ? null : await jsonLines(session, table, columns),
    },
  };
}

async function jsonLines(session: Session, table: string, columns: readonly RowColumn[]): Promise<string> {
  const row = jsonRow(
    columns.map(column => ({ column })),
    () => UNKNOWN_TEXT,
  );
  const rows = await session.rows<{ row: string }>(`SELECT ${row} AS row FROM ${table}`);
  return rows.map(one => one.row).join(',\n');
}
