/** Scans in plain JavaScript, on any host: reads the row groups of the plan and nothing else. */
import type { ColumnValues } from '../../query/encode.ts';
import { compareRows, type Value } from '../../query/order.ts';
import type { Lane, ScanPlan, ScanSource } from '../../query/plan.ts';
import type { Condition } from '../../query/request.ts';
import { type ColumnReader, selectRows } from '../../query/residual.ts';
import { readListed } from '../files/proof.ts';
import {
  type Batch,
  type Budget,
  BudgetExceeded,
  cutBatch,
  type Executor,
  type ScanContext,
} from './executor.ts';
import { planRuns, type Run, readAhead } from './group-runs.ts';
import { KeptGroups } from './kept-groups.ts';
import { mergeLanes } from './merged-lanes.ts';
import { PackedBatch } from './packed-batch.ts';
import { PackedGroup } from './packed-group.ts';
import { openRowGroup, undecodable } from './row-group.ts';

/** `memory`: bytes for a cache of decoded row groups. `text`: more bytes, for the text of their rows. */
export function createHyparquetExecutor(budget: Budget, memory = 0, text = memory / 2): Executor {
  const kept = new KeptGroups(memory, text);
  return {
    name: 'hyparquet',
    budget,
    scan: (plan, limit, context) => {
      const { offset, sort } = plan.residual;
      const reader = new MatchReader(plan, budget, kept, context);
      if (sort) return scanSorted(plan, limit, budget, reader.read(plan.sources));
      const matches = plan.lanes ? scanLanes(plan, plan.lanes, reader) : reader.read(plan.sources);
      return cutBatches(matches, offset, limit);
    },
  };
}

/** Rows in the order of the answer, stage by stage. */
async function* scanLanes(
  plan: ScanPlan,
  lanes: readonly Lane[],
  reader: MatchReader,
): AsyncGenerator<Batch> {
  for (let at = 0; at < lanes.length; ) {
    const { stage } = lanes[at]!;
    const together = lanes.slice(at).filter(lane => lane.stage === stage);
    at += together.length;
    const readers = together.map(lane => reader.read([lane], lane.only));
    const [only] = readers;
    if (only && readers.length === 1) yield* only;
    else yield* mergeLanes(readers, plan.table.order, plan.table.columns.length);
  }
}

/** Reads the rows of a plan. All that it reads counts against one budget. */
class MatchReader {
  private readonly plan: ScanPlan;
  private readonly budget: Budget;
  private readonly kept: KeptGroups;
  private readonly context: ScanContext;
  private bytes = 0;

  constructor(plan: ScanPlan, budget: Budget, kept: KeptGroups, context: ScanContext) {
    this.plan = plan;
    this.budget = budget;
    this.kept = kept;
    this.context = context;
  }

  /** Rows that satisfy the conditions and `only`, a batch per row group, in the order of the files. */
  async *read(sources: readonly ScanSource[], only: Condition | null = null): AsyncGenerator<Batch> {
    const { plan, kept } = this;
    const { conditions } = plan.residual;
    const all = only ? [only, ...conditions] : conditions;
    for await (const [run, content] of readAhead(planRuns(sources), run => this.fetch(run))) {
      for (const at of run.groups.keys()) {
        this.context.signal?.throwIfAborted();
        const batch = await decodeGroup(plan, all, run, at, content, kept).catch(error => {
          throw undecodable(run.source.file.path, error);
        });
        if (batch.rows > 0) yield batch;
      }
    }
  }

  private async fetch(run: Run): Promise<Content> {
    const { budget, kept } = this;
    const { files, signal } = this.context;
    const decoded = run.groups
      .map(index => kept.get(run.source.file, index))
      .filter(group => group !== undefined);
    if (decoded.length === run.groups.length) return { decoded };
    this.bytes += run.end - run.start;
    if (this.bytes > budget.bytes) throw new BudgetExceeded(`more than ${budget.bytes} bytes of row groups`);
    return { bytes: await readListed(files, run.source.file, run, signal) };
  }
}

/** The content of a run: the bytes of its row groups, or the decoded groups from the cache. */
type Content = { readonly bytes: Uint8Array } | { readonly decoded: readonly PackedGroup[] };

/** The matches in one row group of a run. A group goes into the cache where every column of it had to be decoded. */
async function decodeGroup(
  plan: ScanPlan,
  conditions: readonly Condition[],
  { source: { file }, groups, start }: Run,
  at: number,
  content: Content,
  kept: KeptGroups,
): Promise<Batch> {
  const index = groups[at]!;
  const group = file.entry.row_groups[index]!;
  if ('decoded' in content) {
    const packed = content.decoded[at]!;
    const rows = await selectGroup(conditions, position => packed.column(position));
    if (rows?.length === 0) return NOTHING;
    const source = { key: kept.key(file, index), group: packed, columns: plan.table.columns };
    return new PackedBatch(source, kept.text, rows);
  }
  const reader = await openRowGroup(plan.table.columns, group, content.bytes, group.start - start);
  const columns: ColumnValues[] = [];
  const column = async (position: number) => {
    columns[position] ??= await reader.column(position);
    return columns[position];
  };
  const rows = await selectGroup(conditions, column);
  if (rows?.length === 0) return NOTHING;
  for (const position of plan.table.columns.keys()) await column(position);
  const batch = {
    rows: rows?.length ?? group.rows,
    columns: columns.map(values =>
      rows ? rows.map(row => orNull(values[row])) : Array.from(values, orNull),
    ),
  };
  const packed = kept.wants(plan.bytes) ? PackedGroup.pack(plan.table.columns, columns) : null;
  if (packed) kept.keep(file, index, packed);
  return batch;
}

const NOTHING: Batch = { rows: 0, columns: [] };

/** The rows of a group that satisfy all conditions; null: all of them. */
async function selectGroup(
  conditions: readonly Condition[],
  column: ColumnReader,
): Promise<readonly number[] | null> {
  let rows: readonly number[] | null = null;
  for (const condition of conditions) {
    rows = await selectRows(condition, column, rows);
    if (rows.length === 0) break;
  }
  return rows;
}

function orNull(value: Value | undefined): Value {
  return value ?? null;
}

/** Collects all matches, sorts them and cuts the page. */
async function* scanSorted(
  plan: ScanPlan,
  limit: number | null,
  budget: Budget,
  matches: AsyncIterable<Batch>,
): AsyncGenerator<Batch> {
  const { order, columns } = plan.table;
  const { offset } = plan.residual;
  const batches: Batch[] = [];
  let count = 0;
  for await (const batch of matches) {
    count += batch.rows;
    if (count > budget.rows) throw new BudgetExceeded(`more than ${budget.rows} rows to sort`);
    batches.push(batch);
  }
  // The rows of one place stand in the order of the answer in the copy by place.
  if (areSorted(batches, order)) return yield* cutBatches(batches, offset, limit);
  const rows = batches.flatMap(batch => {
    const values = batch.columns;
    return Array.from({ length: batch.rows }, (_, row) => values.map(column => orNull(column[row])));
  });
  rows.sort(compareRows(order));
  const page = rows.slice(offset, limit === null ? undefined : offset + limit);
  if (page.length === 0) return;
  yield { rows: page.length, columns: columns.map((_, position) => page.map(row => row[position]!)) };
}

/** Whether rows stand in the order of the columns at some positions. */
function areSorted(batches: readonly Batch[], order: readonly number[]): boolean {
  const compare = compareRows(order.map((_, index) => index));
  let last: Value[] | null = null;
  for (const batch of batches) {
    const keys = order.map(position => batch.column?.(position) ?? batch.columns[position]!);
    for (let row = 0; row < batch.rows; row++) {
      const key: Value[] = keys.map(values => orNull(values[row]));
      if (last && compare(last, key) > 0) return false;
      last = key;
    }
  }
  return true;
}

export async function* cutBatches(
  batches: AsyncIterable<Batch> | Iterable<Batch>,
  offset: number,
  limit: number | null,
): AsyncGenerator<Batch> {
  let skip = offset;
  let left = limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for await (const batch of batches) {
    const from = Math.min(skip, batch.rows);
    const to = Math.min(batch.rows, from + left);
    skip -= from;
    if (to === from) continue;
    left -= to - from;
    yield cutBatch(batch, from, to);
    if (left <= 0) return;
  }
}
