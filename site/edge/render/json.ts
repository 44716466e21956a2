/** Batches → a JSON page. */
import { pageTail } from '../../../build/format/envelope.ts';
import { type PageFacts, renderEnvelope } from '../../query/envelope.ts';
import type { Plan } from '../../query/plan.ts';
import { type Batch, cutBatch } from '../executors/executor.ts';
import { concat, joinRows } from '../executors/text-cut.ts';
import { lineRenderer } from './lines.ts';

/** The first `page.count` rows of the batches, in the page's envelope. */
export function renderJson(plan: Plan, batches: readonly Batch[], page: PageFacts): Uint8Array {
  const encoder = new TextEncoder();
  const render = lineRenderer(plan.table.columns, 'json');
  const parts: Uint8Array[] = [];
  let left = page.count;
  for (const batch of batches) {
    const rows = Math.min(left, batch.rows);
    if (rows > 0) parts.push(...render(cutBatch(batch, 0, rows)));
    left -= rows;
  }
  const last = parts.pop();
  const rows = last ? [...parts, joinRows([last])] : [];
  return concat([encoder.encode(renderEnvelope(plan, page)), ...rows, encoder.encode(pageTail(page.count))]);
}
