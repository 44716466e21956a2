/** How the columns before and after a release correspond. Pure. */
import type { RowColumn } from '../format/manifest.ts';

/** The columns of a table before and after a release. */
export interface ChangedColumns {
  /** Columns of the earlier grain; each has a counterpart unless the grain is another. */
  readonly keys: readonly ColumnPair[];
  /** Whether a row before and a row after the release are the same row if these are equal. */
  readonly comparable: boolean;
  /** The earlier columns that are not of the grain. */
  readonly old: readonly ColumnPair[];
}

export interface ColumnPair {
  readonly old: RowColumn;
  /** The column that it is now; null if the release removed it, or gave it another type. */
  readonly now: RowColumn | null;
}

interface Shape {
  readonly columns: readonly RowColumn[];
  readonly order: readonly string[];
}

/** `renamed`: earlier names of columns, by their new ones. */
export function pairColumns(
  before: Shape,
  after: Shape,
  renamed: ReadonlyMap<string, string>,
): ChangedColumns {
  const names = new Set(before.columns.map(column => column.name));
  const counterparts = new Map<string, RowColumn>();
  const doubtful = new Set<string>();
  for (const column of after.columns) {
    const from = renamed.get(column.name);
    // A statement that was made for an earlier release has no effect any more.
    const name = from !== undefined && names.has(from) && !names.has(column.name) ? from : column.name;
    // Two columns that were one before are a split: neither is the old one.
    if (counterparts.has(name)) doubtful.add(name);
    counterparts.set(name, column);
  }
  const pairOf = (old: RowColumn): ColumnPair => {
    const now = doubtful.has(old.name) ? undefined : counterparts.get(old.name);
    return { old, now: now !== undefined && sameType(old, now) ? now : null };
  };
  const keys = before.order
    .flatMap(name => before.columns.filter(column => column.name === name))
    .map(pairOf);
  const comparable =
    keys.length === after.order.length && keys.every(({ now }, i) => now?.name === after.order[i]);
  return {
    keys,
    comparable,
    old: before.columns.filter(column => !before.order.includes(column.name)).map(pairOf),
  };
}

function sameType(a: RowColumn, b: RowColumn): boolean {
  return a.type === b.type && a.parquet === b.parquet && a.utc === b.utc;
}

/** New names by old ones, of the columns that have another name now. */
export function renamings({ keys, old }: ChangedColumns): Record<string, string> {
  return Object.fromEntries(
    [...keys, ...old].flatMap(({ old: { name }, now }) =>
      now === null || now.name === name ? [] : [[name, now.name] as const],
    ),
  );
}

/** The earlier columns that have no counterpart. */
export function droppedColumns({ keys, old }: ChangedColumns): string[] {
  return [...keys, ...old].flatMap(({ old: { name }, now }) => (now === null ? [name] : []));
}
