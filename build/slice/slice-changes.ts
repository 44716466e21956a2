/** Compares slices with those of the release before: how many of their rows changed, and the first that did. */
import { type ChangedRow, MOST_TOLD_ROWS } from '../format/changes.ts';
import type { Session } from '../lake/database.ts';
import { duckdbType } from '../lake/fact-table.ts';
import { changedRows, type RowChangesInput } from '../lake/row-changes.ts';
import { identifier, rowOrder } from '../lake/sql.ts';
import { type ChangedColumns, changeColumns } from './changed-columns.ts';
import { storedColumn } from './row-columns.ts';
import { jsonRow, UNKNOWN_TEXT } from './text-sql.ts';

export interface SliceFiles extends Pick<RowChangesInput, 'year' | 'detail' | 'old' | 'now'> {}

export interface SliceCounts extends Pick<RowChangesInput, 'year' | 'detail'> {
  readonly added: number;
  readonly removed: number;
  readonly revised: number;
}

export interface ComparedSlices {
  /** Of every slice with a row that changed. */
  readonly counts: readonly SliceCounts[];
  /** By level, year and grain. */
  readonly first: readonly ChangedRow[];
}

const CHANGED = 'temp.main."changed rows"';

/** Memory holds one of the slices at a time, and the rows that changed. */
export async function compareSlices(
  session: Session,
  columns: ChangedColumns,
  slices: readonly SliceFiles[],
): Promise<ComparedSlices> {
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
    const counts = await session.rows<SliceCounts>(
      `SELECT year, detail, ${['added', 'removed', 'revised'].map(kind => `count(*) FILTER (change = '${kind}') AS ${kind}`).join(', ')} FROM ${CHANGED} GROUP BY ALL ORDER BY ALL`,
    );
    const order = rowOrder(['detail', 'year', ...keys.map(key => `key_${key.old.name}`)]);
    const text = jsonRow(
      all.map(column => ({ column })),
      () => UNKNOWN_TEXT,
    );
    const first = await session.rows<{ row: string }>(
      `SELECT ${text} AS row FROM (SELECT * FROM ${CHANGED} ORDER BY ${order} LIMIT ${MOST_TOLD_ROWS})`,
    );
    return { counts, first: first.map(({ row }) => tellRow(columns, JSON.parse(row))) };
  } finally {
    await session.run(`DROP TABLE IF EXISTS ${CHANGED}`);
  }
}

type Values = NonNullable<ChangedRow['old']>;

/** `row` has the columns of `changeColumns`. */
function tellRow({ keys, old }: ChangedColumns, row: Values & ChangedRow): ChangedRow {
  const { change, year, detail } = row;
  const key = Object.fromEntries(keys.map(({ old: { name } }) => [name, row[`key_${name}`] ?? null]));
  if (change !== 'revised') return { change, year, detail, key };
  const before: Record<string, Values[string]> = {};
  const since: Record<string, Values[string]> = {};
  for (const { old: column, now } of old) {
    const value = row[`old_${column.name}`] ?? null;
    const after = now === null ? null : (row[`new_${now.name}`] ?? null);
    if (value === after) continue;
    before[column.name] = value;
    if (now !== null) since[now.name] = after;
  }
  return { change, year, detail, key, old: before, new: since };
}
