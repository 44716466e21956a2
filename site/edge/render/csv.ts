/** Batches → CSV, a part for each batch. */
import { encodeCsvHeader } from '../../query/encode.ts';
import type { Table } from '../../query/table.ts';
import type { Batch } from '../executors/executor.ts';
import { concat } from '../executors/text-cut.ts';
import { lineRenderer } from './lines.ts';

export async function* renderCsv(table: Table, batches: AsyncIterable<Batch>): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(encodeCsvHeader(table.columns));
  const render = lineRenderer(table.columns, 'csv');
  for await (const batch of batches) yield concat(render(batch));
}
