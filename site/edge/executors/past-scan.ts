/**
 * Scans of the rows of an earlier release. Whatever executor reads today's rows, the rows that changed since come from
 * the files of changes, and both are merged here in the order of the answer.
 */
import type { RowGroup } from '../../../build/format/manifest.ts';
import type { ColumnValues } from '../../query/encode.ts';
import { compareRows, compareValues, type Value } from '../../query/order.ts';
import type { PastScan, PatchSource, ScanPlan } from '../../query/plan.ts';
import { selectRows } from '../../query/residual.ts';
import type { Table } from '../../query/table.ts';
import { readListed } from '../files/proof.ts';
import type { Batch, Executor, ScanContext } from './executor.ts';
import { planRuns, type Run, readAhead } from './group-runs.ts';
import { cutBatches } from './hyparquet.ts';
import { openRowGroup, undecodable } from './row-group.ts';
import type { LineEdit } from './text-cut.ts';

/** A row that changed since. */
export interface Patch {
  readonly change: 'added' | 'removed' | 'revised';
  readonly key: readonly Value[];
  /** The row as it was then; null if it was not there, or does not match. */
  readonly row: readonly Value[] | null;
}

/** Rows of a plan, as `Executor.scan` gives them. */
export function scanRows(
  executor: Executor,
  plan: ScanPlan,
  limit: number | null,
  context: ScanContext,
): AsyncIterable<Batch> {
  const { past } = plan;
  if (past === undefined) return executor.scan(plan, limit, context);
  return cutBatches(scanPast(executor, plan, past, context), plan.residual.offset, limit);
}

async function* scanPast(
  executor: Executor,
  plan: ScanPlan,
  past: PastScan,
  context: ScanContext,
): AsyncGenerator<Batch> {
  const patches = await readPatches(plan, past, context);
  const { order } = past.base.table;
  let next = 0;
  const batches =
    past.base.sources.length === 0 ? [] : executor.scan(past.base, past.base.residual.limit, context);
  for await (const batch of batches) {
    const columns = past.columns.map(position => batch.columns[position] ?? nulls(batch.rows));
    const keys = order.map(position => batch.columns[position]!);
    const merged = new Merger(columns);
    let from = 0;
    for (const { at, drops, row } of takeEdits(patches, next, keys, batch.rows)) {
      merged.copy(from, at);
      if (row) merged.put(row);
      from = drops ? at + 1 : at;
      next++;
    }
    merged.copy(from, batch.rows);
    yield* merged.batches();
  }
  const rest = patches.slice(next).flatMap(({ row }) => (row ? [row] : []));
  if (rest.length === 0) return;
  yield {
    rows: rest.length,
    columns: plan.table.columns.map((_, position) => rest.map(row => row[position] ?? null)),
  };
}

/** A difference between today's rows and those of an earlier release. */
export interface Edit extends Omit<LineEdit, 'text'> {
  /** What the earlier release has there; null if it has no row. */
  readonly row: readonly Value[] | null;
}

/** Takes patches from `first` on, for as long as their keys are not behind those of the rows. Both are in order. */
function takeEdits(
  patches: readonly Patch[],
  first: number,
  keys: readonly ColumnValues[],
  rows: number,
): readonly Edit[] {
  const edits: Edit[] = [];
  let from = 0;
  for (let next = first; next < patches.length; next++) {
    const { key, row } = patches[next]!;
    const at = firstReaching(keys, key, from, rows);
    if (at === rows) break;
    const drops = compareAt(keys, at, key) === 0;
    edits.push({ at, drops, row });
    from = drops ? at + 1 : at;
  }
  return edits;
}

/** Compares a whole slice with an earlier release, in the order of its rows. It decodes only the grain of today's rows. */
export async function findEdits(
  plan: ScanPlan,
  past: PastScan,
  context: ScanContext,
): Promise<readonly Edit[]> {
  const { base } = past;
  const patches = await readPatches(plan, past, context);
  const edits: Edit[] = [];
  const { files, signal } = context;
  const read = ({ source, start, end }: Run) => readListed(files, source.file, { start, end }, signal);
  let rows = 0;
  for await (const [{ source, groups, start }, bytes] of readAhead(planRuns(base.sources), read))
    for (const index of groups) {
      signal?.throwIfAborted();
      const group = source.file.entry.row_groups[index]!;
      const keys = await decodeColumns(source.file.path, base.table, group, bytes, group.start - start);
      for (const edit of takeEdits(patches, edits.length, keys, group.rows))
        edits.push({ ...edit, at: rows + edit.at });
      rows += group.rows;
    }
  for (const { row } of patches.slice(edits.length)) edits.push({ at: rows, drops: false, row });
  return edits;
}

/** The columns that order the rows of a row group. */
async function decodeColumns(
  path: string,
  { columns, order }: Table,
  group: RowGroup,
  bytes: Uint8Array,
  at: number,
): Promise<readonly ColumnValues[]> {
  try {
    const reader = await openRowGroup(columns, group, bytes, at);
    const keys: ColumnValues[] = [];
    for (const position of order) keys.push(await reader.column(position));
    return keys;
  } catch (error) {
    throw undecodable(path, error);
  }
}

function nulls(rows: number): ColumnValues {
  return new Array<Value>(rows).fill(null);
}

/** The first row from `from` on whose key is not before the one given. */
function firstReaching(
  keys: readonly ColumnValues[],
  key: readonly Value[],
  from: number,
  rows: number,
): number {
  let low = from;
  let high = rows;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareAt(keys, middle, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareAt(keys: readonly ColumnValues[], row: number, key: readonly Value[]): number {
  for (const [i, column] of keys.entries()) {
    const sign = compareValues((column[row] as Value | undefined) ?? null, key[i] ?? null);
    if (sign !== 0) return sign;
  }
  return 0;
}

/** Joins parts of a batch and single rows. A batch that nothing changes passes as it is. */
class Merger {
  private readonly source: readonly ColumnValues[];
  private readonly columns: Value[][] | null[];
  private whole: number | null = null;
  private rows = 0;

  constructor(source: readonly ColumnValues[]) {
    this.source = source;
    this.columns = source.map(() => null);
  }

  copy(from: number, to: number): void {
    if (to === from) return;
    if (this.rows === 0 && from === 0) {
      this.whole = to;
      this.rows = to;
      return;
    }
    this.open();
    for (const [i, column] of this.columns.entries())
      for (let row = from; row < to; row++) column!.push((this.source[i]![row] as Value | undefined) ?? null);
    this.rows += to - from;
  }

  put(row: readonly Value[]): void {
    this.open();
    for (const [i, column] of this.columns.entries()) column!.push(row[i] ?? null);
    this.rows++;
  }

  *batches(): Generator<Batch> {
    if (this.rows === 0) return;
    if (this.whole === null) yield { rows: this.rows, columns: this.columns as Value[][] };
    else if (this.whole === this.source[0]?.length) yield { rows: this.whole, columns: this.source };
    else yield { rows: this.whole, columns: this.start() };
  }

  private open(): void {
    if (this.columns[0] === null)
      for (const [i, column] of this.start().entries()) this.columns[i] = column as never;
    this.whole = null;
  }

  private start(): Value[][] {
    const { whole } = this;
    return this.source.map(column => (whole === null ? [] : (Array.from(column).slice(0, whole) as Value[])));
  }
}

/** The rows that changed since, in the order of their keys: each as it was before its oldest change. */
async function readPatches(plan: ScanPlan, past: PastScan, context: ScanContext): Promise<readonly Patch[]> {
  const found = new Map<string, Patch>();
  for (const source of past.patches) {
    // A row has its values of then in the oldest change, so later ones of the same row say nothing.
    for (const patch of await readSource(source, context)) {
      const key = JSON.stringify(patch.key);
      if (!found.has(key)) found.set(key, patch);
    }
  }
  const patches = [...found.values()];
  const rows = patches.flatMap(({ row }, index) => (row === null ? [] : [index]));
  let matching: readonly number[] = rows;
  for (const condition of past.conditions) {
    if (matching.length === 0) break;
    const column = (position: number) => patches.map(({ row }) => row?.[position] ?? null);
    matching = await selectRows(condition, column, matching);
  }
  const matched = new Set(matching);
  const order = compareRows(plan.table.order.map((_, index) => index));
  return patches
    .map((patch, index) => (matched.has(index) ? patch : { ...patch, row: null }))
    .sort((a, b) => order(a.key, b.key));
}

/** The rows that a release changed, in the order of their keys, each as it was before. */
export async function readSource(
  source: PatchSource,
  { files, signal }: ScanContext,
): Promise<readonly Patch[]> {
  const { file, columns, positions, keys, detail, years, conditions } = source;
  const at = (name: string) => columns.findIndex(column => column.name === name);
  const wanted = new Set<Value>(years);
  const found: Patch[] = [];
  for (const run of planRuns([source])) {
    const bytes = await readListed(files, file, run, signal);
    for (const index of run.groups) {
      signal?.throwIfAborted();
      const group = file.entry.row_groups[index]!;
      const reader = await openRowGroup(columns, group, bytes, group.start - run.start);
      const read = async (position: number): Promise<ColumnValues> =>
        position < 0 ? nulls(group.rows) : reader.column(position);
      try {
        const [year, level] = [await read(at('year')), await read(at('detail'))];
        const all = Array.from({ length: group.rows }, (_, row) => row);
        let rows: readonly number[] = all.filter(
          row => level[row] === detail && wanted.has(year[row] as Value),
        );
        // Of many changes, a question about one place wants few: other values are not even decoded.
        for (const condition of conditions)
          if (rows.length > 0) rows = await selectRows(condition, read, rows);
        if (rows.length === 0) continue;
        const change = await read(at('change'));
        const key = [];
        for (const position of keys) key.push(await read(position));
        const values = [];
        for (const position of positions) values.push(await read(position));
        for (const row of rows) {
          const valueAt = (column: ColumnValues) => (column[row] as Value | undefined) ?? null;
          const kind = change[row] as Patch['change'];
          found.push({
            change: kind,
            key: key.map(valueAt),
            row: kind === 'added' ? null : values.map(valueAt),
          });
        }
      } catch (error) {
        throw undecodable(file.path, error);
      }
    }
  }
  return found;
}
