/** Reads the rows of a scan for answers that are no pages of rows. */
import type { Value } from '../../query/order.ts';
import type { ScanPlan } from '../../query/plan.ts';
import type { Exchange } from '../exchange.ts';
import { pickValues, Scan } from '../rows/scan.ts';

/** What reads rows: an exchange, or a page that is made from them. */
export interface RowsReader extends Pick<Exchange, 'files' | 'cache' | 'budget' | 'endOfTurn'> {
  readonly incoming: Pick<Exchange['incoming'], 'signal'>;
}

/** At most `limit` rows, or all if that is null. None on a host that can't compute. */
export async function readRows(
  reader: RowsReader,
  plan: ScanPlan,
  limit: number | null = null,
): Promise<readonly (readonly Value[])[]> {
  const { budget, incoming } = reader;
  if (!budget) return [];
  const scan = new Scan(plan, { ...reader, budget, signal: incoming.signal });
  const found: Value[][] = [];
  for await (const picked of scan.pick(limit)) {
    const columns = await pickValues(scan.reader, picked);
    for (const row of picked.rows.keys()) found.push(columns.map(column => column[row]!));
  }
  return found;
}
