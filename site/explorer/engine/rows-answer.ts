/** Answers the API's questions in plain JavaScript, from a host or, in a build, from the tree on the disk. */
import type { RowColumn } from '../../../build/format/manifest.ts';
import { ColumnCache } from '../../edge/rows/column-cache.ts';
import { pickValues, Scan } from '../../edge/rows/scan.ts';
import { knownTotal } from '../../query/encode.ts';
import { planScan, type ScanPlan } from '../../query/plan.ts';
import { parseRequest } from '../../query/request.ts';
import type { Table } from '../../query/table.ts';
import { EngineError, MOST_FIRST_ROWS, type Parameters } from './engine.ts';
import type { RowsTask, TaskResult } from './messages.ts';
import { orderRows, PackedBuilder, type PackedTable, takeRows } from './packed-table.ts';
import type { TreeAccess } from './tree-reader.ts';

/** The page sets no limit, since the reader can cancel. */
export const BUDGET = { bytes: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY };

/** Decoded columns: a reader asks for the same slices again. */
const CACHE = new ColumnCache(32 << 20);

interface RowsAccess extends Pick<TreeAccess, 'files' | 'preferWhole'> {
  subject(key: string): Promise<{ readonly table: Table }>;
}

export interface TaskControl {
  readonly signal: AbortSignal;
  /** The most bytes that the task reads. */
  expectBytes(total: number): void;
}

/**
 * The first `limit` rows in the API's order; without a limit all rows, sorted by `sort` or in the API's
 * order.
 */
export async function readRows(
  access: RowsAccess,
  { key, parameters, limit, sort }: RowsTask,
  control: TaskControl,
): Promise<TaskResult> {
  const { table } = await access.subject(key);
  const position = sort === null ? -1 : table.columns.findIndex(({ name }) => name === sort.column);
  if (sort !== null && position < 0)
    throw new EngineError({ kind: 'refusal', words: `${key} has no column ${sort.column}.` });
  const plan = planQuestion(table, limit === null ? parameters : limited(parameters, limit));
  const wanted = plan.request.limit;
  const packed = await scanRows(access, plan, wanted, control);
  const sorted = sort === null ? packed : takeRows(packed, orderRows(packed, position, sort.descending));
  return { table: sorted, total: knownTotal(plan, packed.rows, packed.rows === wanted) };
}

/** The question, limited to so many rows. */
function limited(parameters: Parameters, limit: number): Parameters {
  const most = Math.min(limit, MOST_FIRST_ROWS);
  if (parameters.some(({ name, value }) => name === 'limit' && !(Number(value) > most))) return parameters;
  return [...parameters.filter(({ name }) => name !== 'limit'), { name: 'limit', value: String(most) }];
}

/**
 * Plans to read Parquet, even if a stored file is the answer. Throws EngineError if the API refuses the
 * question.
 */
function planQuestion(table: Table, parameters: Parameters): ScanPlan {
  const asked = parameters.filter(({ name }) => name !== 'format');
  const parsed = parseRequest(table, [...asked, { name: 'format', value: 'parquet' }]);
  if ('request' in parsed) return planScan(table, parsed.request);
  const words = parsed.problems.map(({ param, msg }) => `${param}: ${msg}.`).join(' ');
  throw new EngineError({ kind: 'refusal', words });
}

async function scanRows(
  { files, preferWhole }: Pick<RowsAccess, 'files' | 'preferWhole'>,
  plan: ScanPlan,
  limit: number | null,
  { signal, expectBytes }: TaskControl,
): Promise<PackedTable> {
  preferWhole(plan.sources);
  expectBytes(plan.bytes);
  const scan = new Scan(plan, { files, cache: CACHE, budget: BUDGET, signal });
  const builder = createTableBuilder(plan.table.columns);
  for await (const picked of scan.pick(limit))
    builder.append(await pickValues(scan.reader, picked), picked.rows.length);
  return builder.build();
}

function createTableBuilder(columns: readonly RowColumn[]): PackedBuilder {
  return new PackedBuilder(
    columns.map(({ name, type, parquet, utc }) => ({ name, type, wide: parquet === 'INT64', utc })),
  );
}
