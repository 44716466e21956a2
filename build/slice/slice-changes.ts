/** Compares slices with those of the release before: how many of their rows changed, and the first that did. */
import { type ChangedRow, MOST_TOLD_ROWS, type SliceChanges } from '../format/changes.ts';
import type { Session } from '../lake/database.ts';
import { type ComparedFiles, changedRows, compareRows } from '../lake/row-difference.ts';
import { rowOrder } from '../lake/sql.ts';
import type { ChangedColumns, ColumnPair } from './changed-columns.ts';
import { jsonRow, UNKNOWN_TEXT } from './text-sql.ts';

export interface ComparedSlice
  extends Pick<SliceChanges, 'year' | 'detail'>,
    Pick<ComparedFiles, 'old' | 'now'> {}

export type SliceCounts = Pick<SliceChanges, 'year' | 'detail' | 'added' | 'removed' | 'revised'>;

export interface ComparedSlices {
  readonly counts: readonly SliceCounts[];
  /** By level, year and grain. */
  readonly first: readonly ChangedRow[];
}

export async function compareSlices(
  session: Session,
  columns: ChangedColumns,
  slices: readonly ComparedSlice[],
): Promise<ComparedSlices> {
  const counts: SliceCounts[] = [];
  const first: ChangedRow[] = [];
  const byLevel = [...slices].sort((a, b) =>
    a.detail === b.detail ? a.year - b.year : a.detail < b.detail ? -1 : 1,
  );
  for (const { year, detail, old, now } of byLevel) {
    const names = (pair: ColumnPair) => ({ old: pair.old.name, now: pair.now?.name ?? null });
    const files = { old, now, keys: columns.keys.map(names), values: columns.old.map(names) };
    const { added, removed, revised } = await compareRows(session, files);
    counts.push({ year, detail, added, removed, revised });
    const room = MOST_TOLD_ROWS - first.length;
    if (room === 0 || added + removed + revised === 0) continue;
    const order = rowOrder(files.keys.map(key => `key_${key.old}`));
    const changed = `${changedRows(files)}${order === '' ? '' : ` ORDER BY ${order}`} LIMIT ${room}`;
    const rows = await session.rows<{ row: string }>(
      `SELECT ${rowText(columns, now !== null)} AS row FROM (${changed})`,
    );
    first.push(...rows.map(({ row }) => ({ year, detail, ...tellRow(columns, JSON.parse(row)) })));
  }
  return { counts, first };
}

/** SQL for a row of `changedRows` as JSON. */
function rowText({ keys, old }: ChangedColumns, isPaired: boolean): string {
  const named = (prefix: string, { name, type }: ColumnPair['old']) => ({
    column: { name: `${prefix}_${name}`, type },
  });
  const columns = [
    { column: { name: 'change', type: 'string' as const } },
    ...keys.map(pair => named('key', pair.old)),
    ...old.map(pair => named('old', pair.old)),
    ...(isPaired ? old.flatMap(({ now }) => (now === null ? [] : [named('new', now)])) : []),
  ];
  return jsonRow(columns, () => UNKNOWN_TEXT);
}

type Values = NonNullable<ChangedRow['old']>;

function tellRow(
  { keys, old }: ChangedColumns,
  row: Values & Pick<ChangedRow, 'change'>,
): Omit<ChangedRow, 'year' | 'detail'> {
  const { change } = row;
  const key = Object.fromEntries(keys.map(({ old: { name } }) => [name, row[`key_${name}`] ?? null]));
  if (change !== 'revised') return { change, key };
  const before: Record<string, Values[string]> = {};
  const since: Record<string, Values[string]> = {};
  for (const { old: column, now } of old) {
    const value = row[`old_${column.name}`] ?? null;
    const after = now === null ? null : (row[`new_${now.name}`] ?? null);
    if (value === after) continue;
    before[column.name] = value;
    if (now !== null) since[now.name] = after;
  }
  return { change, key, old: before, new: since };
}
