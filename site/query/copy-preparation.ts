/** The manifest's copies of a level → where the rows of each value stand. Pure. */
import type { Scalar } from '../../build/format/documents.ts';
import type { CopyEntry, CopyRows, ValueCounts } from '../../build/format/manifest.ts';
import type { Value } from './order.ts';
import type { Copy, CopyFile, ParquetSource, Segment } from './table.ts';

const BY_PLACE = -1;

/**
 * Entries of one level. A copy whose counts do not fit its rows is left out. `positionOf`: of a column in the rows; -1 where
 * they lack it.
 */
export function prepareCopies(
  entries: readonly (CopyEntry | CopyRows)[],
  positionOf: (column: string) => number,
  prepareFile: (entry: CopyEntry) => ParquetSource,
): readonly Copy[] {
  const copies = new Map<number, Map<number, CopyFile>>();
  for (const entry of entries) {
    const { by, years, counted } = entry;
    const starts = counted ? countStarts(entry, counted) : [];
    if (!starts) continue;
    const source = 'file' in entry ? prepareFile(entry) : null;
    const add = (position: number, segments: CopyFile['segments']) => {
      const files = copies.get(position) ?? new Map<number, CopyFile>();
      copies.set(position, files);
      const file = { years, source, segments };
      for (const year of years) if (!files.has(year)) files.set(year, file);
    };
    if (!counted) add(BY_PLACE, new Map());
    else if (positionOf(by[0] ?? '') >= 0) {
      const sorted = { [by[0]!]: counted.values, ...counted.attributes };
      for (const [column, values] of Object.entries(sorted))
        if (positionOf(column) >= 0) add(positionOf(column), groupSegments(counted, starts, values));
    }
  }
  return [...copies].map(([position, files]) => ({ position, files }));
}

/** The first row of each value; null where the values' rows are not all of the file. */
function countStarts({ rows, years }: CopyRows, counted: ValueCounts): number[] | null {
  let at = 0;
  const starts = counted.values.map((_, index) => {
    const start = at;
    for (const count of counted.rows[index] ?? []) at += count;
    return start;
  });
  return at === rows && counted.rows.every(counts => counts.length === years.length) ? starts : null;
}

/** The rows of each value of a column that follows from the one that sorts the file. NULL matches no filter. */
function groupSegments(
  counted: ValueCounts,
  starts: readonly number[],
  values: readonly Value[],
): ReadonlyMap<Scalar, readonly Segment[]> {
  const grouped = new Map<Scalar, Segment[]>();
  for (const [index, start] of starts.entries()) {
    const value = values[index] ?? null;
    if (value === null || counted.values[index] === null) continue;
    const segment = { start, counts: counted.rows[index] ?? [] };
    const known = grouped.get(value);
    if (known) known.push(segment);
    else grouped.set(value, [segment]);
  }
  return grouped;
}
