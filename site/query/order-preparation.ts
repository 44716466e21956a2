/** The manifest's orders of a level → where the rows of each value stand. Pure. */
import type { Scalar } from '../../build/format/documents.ts';
import type { OrderEntry } from '../../build/format/manifest.ts';
import type { Value } from './order.ts';
import type { ListCondition } from './request.ts';
import type { LevelOrder, OrderedFile, ParquetSource, Segment } from './table.ts';

/** The places of columns in the rows and in the bounds of row groups. */
export interface ColumnPlaces {
  readonly positionOf: (column: string) => number;
  readonly keyOf: (column: string) => number;
}

/** Entries of one level. An order whose counts do not fit its rows is left out. */
export function prepareOrders(
  entries: readonly OrderEntry[],
  { positionOf, keyOf }: ColumnPlaces,
  prepareFile: (entry: OrderEntry) => ParquetSource,
  countsOnly: boolean,
): ReadonlyMap<number, LevelOrder> {
  const orders = new Map<
    number,
    { readonly files: Map<number, OrderedFile>; readonly countsOnly: boolean }
  >();
  for (const entry of entries) {
    const segments = listSegments(entry);
    if (!segments) continue;
    const source = prepareFile(entry);
    const starts = listStarts(entry);
    const { column, years, attributes = {} } = entry;
    const condition: ListCondition = {
      bound: 'list',
      param: column,
      column,
      position: positionOf(column),
      key: keyOf(column),
      values: [],
    };
    const add = (position: number, values: readonly Value[]) => {
      if (position < 0) return;
      const order = orders.get(position) ?? { files: new Map(), countsOnly };
      orders.set(position, order);
      const file = { source, starts, condition, segments: groupSegments(segments, values) };
      for (const year of years) if (!order.files.has(year)) order.files.set(year, file);
    };
    add(condition.position, entry.values);
    for (const [attribute, values] of Object.entries(attributes)) add(positionOf(attribute), values);
  }
  return orders;
}

/** The rows of each value, one after another; null where they are not all of the file. */
function listSegments({ values, counts, rows, years }: OrderEntry): (Segment | null)[] | null {
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

function listStarts({ file }: OrderEntry): number[] {
  let start = 0;
  return file.row_groups.map(({ rows }) => {
    const at = start;
    start += rows;
    return at;
  });
}
