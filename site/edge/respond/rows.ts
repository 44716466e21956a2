/** Reads the rows of a scan for answers that are no pages of rows. */
import type { Value } from '../../query/order.ts';
import type { ScanPlan } from '../../query/plan.ts';
import type { Exchange } from '../exchange.ts';

/** At most `limit` rows, or all where that is null. None on a host that cannot compute. */
export async function readRows(
  { files, executors, incoming: { signal } }: Exchange,
  plan: ScanPlan,
  limit: number | null = null,
): Promise<readonly (readonly Value[])[]> {
  const found: (readonly Value[])[] = [];
  const executor = executors.at(-1);
  if (executor === undefined) return found;
  for await (const { columns, rows } of executor.scan(plan, limit, { files, signal }))
    for (let row = 0; row < rows; row++) found.push(columns.map(column => column[row] ?? null));
  return found;
}
