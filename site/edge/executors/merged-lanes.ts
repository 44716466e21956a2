/** Merges rows that several readers give, each in the order of the answer. */
import { compareRows, type Value } from '../../query/order.ts';
import type { Batch } from './executor.ts';

/** Rows of a batch that a merge gives. */
const BATCH_ROWS = 1024;

interface Reader {
  readonly batches: AsyncIterator<Batch>;
  batch: Batch;
  row: number;
}

/** `order`: positions of the columns that order the rows. No two lanes have the same row. */
export async function* mergeLanes(
  lanes: readonly AsyncIterable<Batch>[],
  order: readonly number[],
  columns: number,
): AsyncGenerator<Batch> {
  const compare = compareRows(order);
  const readers: { readonly reader: Reader; key: readonly Value[] }[] = [];
  for (const lane of lanes) {
    const batches = lane[Symbol.asyncIterator]();
    const { value: batch, done } = await batches.next();
    if (done) continue;
    const reader = { batches, batch, row: 0 };
    readers.push({ reader, key: rowAt(reader) });
  }
  let rows: Value[][] = Array.from({ length: columns }, () => []);
  while (readers.length > 0) {
    let least = 0;
    for (let i = 1; i < readers.length; i++) if (compare(readers[i]!.key, readers[least]!.key) < 0) least = i;
    const first = readers[least]!;
    for (const [position, value] of first.key.entries()) rows[position]!.push(value);
    if (await advance(first.reader)) first.key = rowAt(first.reader);
    else readers.splice(least, 1);
    if (rows[0]!.length < BATCH_ROWS && readers.length > 0) continue;
    yield { rows: rows[0]!.length, columns: rows };
    rows = Array.from({ length: columns }, () => []);
  }
}

/** False where the lane has ended. */
async function advance(reader: Reader): Promise<boolean> {
  if (++reader.row < reader.batch.rows) return true;
  const { value, done } = await reader.batches.next();
  if (done) return false;
  reader.batch = value;
  reader.row = 0;
  return true;
}

function rowAt({ batch, row }: Reader): Value[] {
  return batch.columns.map(values => values[row] ?? null);
}
