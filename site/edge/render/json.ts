/** Batches → a JSON page. */
import { pageTail, ROW_SEPARATOR } from '../../../build/format/envelope.ts';
import { jsonRowEncoder } from '../../query/encode.ts';
import { type PageFacts, renderEnvelope } from '../../query/envelope.ts';
import type { Plan } from '../../query/plan.ts';
import type { Batch } from '../executors/executor.ts';

/** The first `page.count` rows of the batches, in the page's envelope. */
export function renderJson(plan: Plan, batches: readonly Batch[], page: PageFacts): string {
  const encode = jsonRowEncoder(plan.table.columns);
  let text = renderEnvelope(plan, page);
  let written = 0;
  for (const batch of batches) {
    for (let row = 0; row < batch.rows && written < page.count; row++, written++) {
      text += (written === 0 ? '' : ROW_SEPARATOR) + encode(batch.columns, row);
    }
  }
  return text + pageTail(written);
}
