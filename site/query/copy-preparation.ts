/** The manifest's copies of a level → where the rows of each value stand. Pure. */
import type { Scalar } from '../../build/format/documents.ts';
import type { CopyEntry, CopyRows, ValueCounts } from '../../build/format/manifest.ts';
import type { Value } from './order.ts';
import type { ListCondition } from './request.ts';
import type { Copy, CopyFile, ParquetSource, Segment } from './table.ts';

/** The places of columns in the rows and in the bounds of row groups; -1 where there are none. */
export interface ColumnPlaces {
  readonly positionOf: (column: string) => number;
  readonly keyOf: (column: string) => number;
}

const BY_PLACE = -1;

/** Entries of one level. A copy whose counts do not fit its rows is left out. */
export function prepareCopies(
  entries: readonly (CopyEntry | CopyRows)[],
  { positionOf, keyOf }: ColumnPlaces,
  prepareFile: (entry: CopyEntry) => ParquetSource,
): readonly Copy[] {
  const copies = new Map<number, Map<number, CopyFile>>();
  for (const entry of entries) {
    const [column = ''] = entry.by;
    const { years, counted } = entry;
    const segments = counted ? listSegments(entry, counted) : [];
    if (!segments) continue;
    const source = 'file' in entry ? prepareFile(entry) : null;
    const starts = source ? listStarts(source) : [];
    const condition: ListCondition = {
      bound: 'list',
      param: column,
      column,
      position: positionOf(column),
      key: keyOf(column),
      values: [],
    };
    const add = (position: number, values: readonly Value[]) => {
      const files = copies.get(position) ?? new Map<number, CopyFile>();
      copies.set(position, files);
      const file = { years, source, starts, condition, segments: groupSegments(segments, values) };
      for (const year of years) if (!files.has(year)) files.set(year, file);
    };
    if (!counted) add(BY_PLACE, []);
    else if (condition.position >= 0) {
      add(condition.position, counted.values);
      for (const [attribute, values] of Object.entries(counted.attributes ?? {}))
        if (positionOf(attribute) >= 0) add(positionOf(attribute), values);
    }
  }
  return [...copies].map(([position, files]) => ({ position, files }));
}

/** The rows of each value, one after another; null where they are not all of the file. */
function listSegments(
  { rows, years }: CopyRows,
  { values, rows: counts }: ValueCounts,
): (Segment | null)[] | null {
  let start = 0;
  const segments = values.map((value, index): Segment | null => {
    const ofYears = counts[index] ?? [];
    const segment = value === null ? null : { value, start, counts: ofYears };
    start = ofYears.reduce((sum, count) => sum + count, start);
    return segment;
  });
  return start === rows && counts.every(ofYears => ofYears.length === years.length) ? segments : null;
}

/** Rows whose value is NULL match no filter. */
function groupSegments(
  segments: readonly (Segment | null)[],
  values: readonly Value[],
): ReadonlyMap<Scalar, readonly Segment[]> {
  const grouped = new Map<Scalar, Segment[]>();
  for (const [index, segment] of segments.entries()) {
    const value = values[index] ?? null;
    if (segment === null || value === null) continue;
    const known = grouped.get(value);
    if (known) known.push(segment);
    else grouped.set(value, [segment]);
  }
  return grouped;
}

function listStarts({ entry }: ParquetSource): number[] {
  let start = 0;
  return entry.row_groups.map(({ rows }) => {
    const at = start;
    start += rows;
    return at;
  });
}
