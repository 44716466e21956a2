/** Answers the API's questions in plain JavaScript, from a host or, in a build, from the tree on the disk. */
import { ColumnCache } from '../../edge/rows/column-cache.ts';
import { pickValues, Scan } from '../../edge/rows/scan.ts';
import type { Files } from '../../edge/files/files.ts';
import { knownTotal } from '../../query/encode.ts';
import { planScan, type ScanPlan, type ScanSource } from '../../query/plan.ts';
import { parseRequest } from '../../query/request.ts';
import { positionOf, type Table } from '../../query/table.ts';
import { RowsBuilder, sortRows } from './coded-rows.ts';
import { EngineError, type Parameters, type RowsTask, type TaskResult } from './engine.ts';

/** The page sets no limit, since the reader can cancel. */
export const BUDGET = { bytes: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY };

/** Decoded columns: a reader asks for the same slices again. */
const CACHE = new ColumnCache(32 << 20);

interface RowsReader {
  readonly files: Files;
  readonly signal: AbortSignal;
  /** Says what will be read. */
  expect(sources: readonly ScanSource[]): void;
}

/**
 * The first `limit` rows in the API's order; without a limit all rows, sorted by `sort` or in the API's
 * order. `columns`: the names of those to keep; by default all.
 */
export async function readRows(
  table: Table,
  { parameters, limit, sort }: Omit<RowsTask, 'key'>,
  { files, signal, expect }: RowsReader,
  columns: readonly string[] = table.columns.map(({ name }) => name),
): Promise<TaskResult> {
  const position = positionOf(table, sort?.column);
  if (sort !== null && position < 0)
    throw new EngineError({ kind: 'refusal', words: `${table.name} has no column ${sort.column}.` });
  const asked = limit === null ? [] : [{ name: 'limit', value: String(limit) }];
  const plan = planQuestion(table, [...parameters, ...asked]);
  expect(plan.sources);
  const scan = new Scan(plan, { files, cache: CACHE, budget: BUDGET, signal });
  const kept = [...table.columns.keys()].filter(at => columns.includes(table.columns[at]!.name));
  const builder = new RowsBuilder(kept.map(at => table.columns[at]!));
  const wanted = plan.request.limit;
  for await (const picked of scan.pick(wanted))
    builder.append(await pickValues(scan.reader, picked, kept), picked.rows.length);
  const found = builder.build();
  return {
    table: sort === null ? found : sortRows(found, position, sort.descending),
    total: knownTotal(plan, found.rows, found.rows === wanted),
  };
}

/**
 * Plans to read Parquet, even if a stored file is the answer. Throws EngineError if the API refuses the
 * question.
 */
function planQuestion(table: Table, parameters: Parameters): ScanPlan {
  const parsed = parseRequest(table, [...parameters, { name: 'format', value: 'parquet' }]);
  if ('request' in parsed) return planScan(table, parsed.request);
  const words = parsed.problems.map(({ param, msg }) => `${param}: ${msg}.`).join(' ');
  throw new EngineError({ kind: 'refusal', words });
}
