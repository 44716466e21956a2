/** Batches → lines of JSON or CSV. */
import type { RowColumn } from '../../../build/format/manifest.ts';
import { type LineKind, lineEncoder } from '../../query/encode.ts';
import type { Batch } from '../executors/executor.ts';

const encoder = new TextEncoder();

/** Renders all rows of a batch, each with its line end; those of JSON with a comma too. */
export function lineRenderer(
  columns: readonly RowColumn[],
  kind: LineKind,
): (batch: Batch) => readonly Uint8Array[] {
  const encode = lineEncoder(columns, kind);
  return batch => batch.lines?.(kind) ?? [encoder.encode(encode(batch.columns, 0, batch.rows))];
}
