/** Orders packed rows: NULL first ascending and last descending, texts by code point (FORMAT.md, section 3). */
import { compareText } from '../../query/order.ts';
import type { PackedColumn, PackedTable } from './packed-table.ts';

/** A column to sort by. */
export interface OrderKey {
  readonly position: number;
  readonly descending: boolean;
}

/** Returns the positions of the rows in the order of the keys; the sort is stable. */
export function orderRows(table: PackedTable, keys: readonly OrderKey[]): Uint32Array {
  const ranks = keys.map(({ position, descending }) => rankColumn(table.columns[position]!, descending));
  const order = new Uint32Array(table.rows);
  for (let row = 0; row < order.length; row++) order[row] = row;
  return order.sort((a, b) => {
    for (const rank of ranks) {
      const difference = rank[a]! - rank[b]!;
      // NULLs are infinities, whose difference is NaN.
      if (difference > 0 || difference < 0) return difference;
    }
    return a - b;
  });
}

/** Maps values to numbers that compare alike. */
function rankColumn(column: PackedColumn, descending: boolean): Float64Array {
  const ranks = rankAscending(column);
  if (descending) for (let row = 0; row < ranks.length; row++) ranks[row] = -ranks[row]!;
  return ranks;
}

function rankAscending(column: PackedColumn): Float64Array {
  switch (column.kind) {
    case 'text': {
      const { texts, codes } = column;
      const sorted = [...texts.keys()].sort((a, b) => compareText(texts[a]!, texts[b]!));
      const rankOf = new Float64Array(texts.length + 1);
      for (const [rank, index] of sorted.entries()) rankOf[index + 1] = rank + 1;
      return Float64Array.from(codes, code => rankOf[code]!);
    }
    case 'number': {
      const { values, nulls } = column;
      const ranks = Float64Array.from(values);
      if (nulls) for (let row = 0; row < ranks.length; row++) if (nulls[row] === 1) ranks[row] = -Infinity;
      return ranks;
    }
    case 'boolean':
      return Float64Array.from(column.values, value => (value === 2 ? -1 : value));
    default:
      return column satisfies never;
  }
}
