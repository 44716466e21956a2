/** Batches → CSV, a part for each batch. */
import { csvRowEncoder, encodeCsvHeader } from '../../query/encode.ts';
import type { Table } from '../../query/table.ts';
import type { Batch } from '../executors/executor.ts';

export async function* renderCsv(table: Table, batches: AsyncIterable<Batch>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const encode = csvRowEncoder(table.columns);
  yield encoder.encode(encodeCsvHeader(table.columns));
  for await (const batch of batches) {
    let text = '';
    for (let row = 0; row < batch.rows; row++) text += encode(batch.columns, row);
    yield encoder.encode(text);
  }
}
