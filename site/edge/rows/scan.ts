/**
 * Runs a scan on any host: finds the plan's rows in the order of the answer. Decodes the conditions' columns
 * first, and the others only for row groups that the page reaches.
 */

import { type Condition, valueTest } from '../../query/condition.ts';
import { compareValues, type Value } from '../../query/order.ts';
import type { ScanPlan, ScanSource } from '../../query/plan.ts';
import { positionOf, type Table } from '../../query/table.ts';
import { type ColumnChunk, valueAt } from './column-chunk.ts';
import { GroupReader, type GroupRef, type OpenGroup, type ReaderOptions } from './group-reader.ts';

export interface Budget {
  /** Compressed bytes of the decoded columns. */
  readonly bytes: number;
  /** Rows to sort. */
  readonly rows: number;
}

export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
}

interface Scanner extends ReaderOptions {
  readonly budget: Budget;
}

/** Rows of one or several row groups, in the order of the answer. */
export interface PickedRows {
  readonly groups: readonly GroupRef[];
  /** The index of each row's group; null if all are of the first. */
  readonly at: Uint16Array | null;
  readonly rows: RowNumbers;
}

/** Their text fits into a few hundred kilobytes. */
const ROWS_A_PICK = 1024;

export class Scan {
  readonly reader: GroupReader;
  private readonly plan: ScanPlan;
  private readonly budget: Budget;
  private readonly matchRows: Matcher;
  private spent = 0;

  constructor(plan: ScanPlan, scanner: Scanner) {
    this.plan = plan;
    this.budget = scanner.budget;
    this.matchRows = matcherOf(plan.table, plan.residual.conditions);
    this.reader = new GroupReader(plan.table.columns, scanner);
  }

  /**
   * The rows from the plan's offset on, at most `limit` or all if null. Throws TreeMismatch and
   * BudgetExceeded.
   */
  async *pick(limit: number | null): AsyncGenerator<PickedRows> {
    let skip = this.plan.residual.offset;
    let left = limit ?? Number.POSITIVE_INFINITY;
    if (left <= 0) return;
    for await (const found of this.find(skip)) {
      const count = found.rows.length;
      const from = Math.min(skip, count);
      const to = Math.min(count, from + left);
      skip -= from;
      left -= to - from;
      for (let at = from; at < to; at += ROWS_A_PICK) {
        const end = Math.min(to, at + ROWS_A_PICK);
        yield {
          groups: found.groups,
          at: found.at?.subarray(at, end) ?? null,
          rows: found.rows.subarray(at, end),
        };
      }
      if (left <= 0) return;
    }
  }

  /** All rows; the first `skip` may lack columns. */
  private async *find(skip: number): AsyncGenerator<PickedRows> {
    const { sources, residual } = this.plan;
    if (residual.sort === 'none') {
      yield* this.findInOrder(sources, skip);
      return;
    }
    // Sorts the rows of each file, or of all files together.
    const stages = residual.sort === 'stretches' ? sources.map(source => [source]) : [sources];
    for (const stage of stages) yield* this.findSorted(stage);
  }

  private async *findInOrder(sources: readonly ScanSource[], skip: number): AsyncGenerator<PickedRows> {
    const needed = conditionColumns(this.plan.table, this.plan.residual.conditions);
    const rest = this.othersThan(needed);
    let before = 0;
    for await (const { group, rows } of this.match(sources, needed)) {
      before += rows.length;
      if (before > skip) {
        this.spend(group, rest);
        await this.reader.need(group, rest);
      }
      yield { groups: [{ file: group.file, index: group.index }], at: null, rows };
    }
  }

  /** All matches of some sources as one list. */
  private async *findSorted(sources: readonly ScanSource[]): AsyncGenerator<PickedRows> {
    const { order } = this.plan.table;
    const needed = [
      ...new Set([...conditionColumns(this.plan.table, this.plan.residual.conditions), ...order]),
    ];
    const rest = this.othersThan(needed);
    const groups: GroupRef[] = [];
    const keys: (readonly ColumnChunk[])[] = [];
    const found: RowNumbers[] = [];
    let count = 0;
    for await (const { group, rows } of this.match(sources, needed)) {
      count += rows.length;
      if (count > this.budget.rows) throw new BudgetExceeded(`more than ${this.budget.rows} rows to sort`);
      this.spend(group, rest);
      // The bytes are at hand, and the first group often has the whole page.
      if (found.length === 0) await this.reader.need(group, rest);
      groups.push({ file: group.file, index: group.index });
      keys.push(order.map(position => group.decoded.chunks[position]!));
      found.push(rows);
    }
    const at = new Uint16Array(count);
    const rows = new Uint32Array(count);
    let next = 0;
    for (const [number, some] of found.entries()) {
      at.fill(number, next, next + some.length);
      rows.set(some, next);
      next += some.length;
    }
    await this.reader.endOfTurn();
    yield sortRows({ groups, at, rows }, keys);
  }

  private async *match(
    sources: readonly ScanSource[],
    needed: readonly number[],
  ): AsyncGenerator<{ readonly group: OpenGroup; readonly rows: RowNumbers }> {
    for await (const group of this.reader.open(sources, needed)) {
      this.spend(group, needed);
      const { rows: count } = group.file.row_groups[group.index]!;
      const rows = this.matchRows(group.decoded.chunks, count);
      if (rows.length > 0) yield { group, rows };
    }
  }

  private othersThan(needed: readonly number[]): readonly number[] {
    return [...this.plan.table.columns.keys()].filter(position => !needed.includes(position));
  }

  private spend({ file, index }: GroupRef, positions: readonly number[]): void {
    const { sizes } = file.row_groups[index]!;
    for (const position of positions) this.spent += sizes[position] ?? 0;
    if (this.spent > this.budget.bytes)
      throw new BudgetExceeded(`more than ${this.budget.bytes} bytes of columns`);
  }
}

/**
 * `keys`: each group's columns that order the rows. Rows come in a few sorted runs, which the engine's sort
 * merges.
 */
function sortRows(
  picked: { readonly groups: readonly GroupRef[]; readonly at: Uint16Array; readonly rows: RowNumbers },
  keys: readonly (readonly ColumnChunk[])[],
): PickedRows {
  const { groups, at, rows } = picked;
  const compare = (a: number, b: number): number => {
    const left = keys[at[a]!]!;
    const right = keys[at[b]!]!;
    for (let key = 0; key < left.length; key++) {
      const x = left[key]!;
      const y = right[key]!;
      const sign = compareValues(valueAt(x, x.codes[rows[a]!]!), valueAt(y, y.codes[rows[b]!]!));
      if (sign !== 0) return sign;
    }
    return 0;
  };
  let isSorted = true;
  for (let row = 1; row < rows.length && isSorted; row++) isSorted = compare(row - 1, row) <= 0;
  if (isSorted) return picked;
  const sorted = Array.from(rows, (_, index) => index).sort(compare);
  return {
    groups,
    at: Uint16Array.from(sorted, index => at[index]!),
    rows: Uint32Array.from(sorted, index => rows[index]!),
  };
}

/** Values column by column, by default of all columns in table order. Throws TreeMismatch. */
export async function pickValues(
  reader: GroupReader,
  picked: PickedRows,
  positions: readonly number[] = [...reader.columns.keys()],
): Promise<readonly (readonly Value[])[]> {
  const { at, rows } = picked;
  await reader.endOfTurn();
  const chunks = await openGroups(picked, group => reader.chunks(group));
  return positions.map(position =>
    Array.from(rows, (row, index): Value => {
      const chunk = chunks[at === null ? 0 : at[index]!]![position]!;
      return valueAt(chunk, chunk.codes[row]!);
    }),
  );
}

/** Indexed by group. */
export async function openGroups<Opened>(
  { groups, at }: PickedRows,
  open: (group: GroupRef) => Promise<Opened>,
): Promise<readonly Opened[]> {
  const opened: Opened[] = [];
  for (const number of at === null ? [0] : new Set(at)) opened[number] = await open(groups[number]!);
  return opened;
}

/** Ascending rows of a row group. */
type RowNumbers = Uint32Array;

/** The rows among the `count` rows of a row group that satisfy all conditions. */
type Matcher = (chunks: readonly (ColumnChunk | undefined)[], count: number) => RowNumbers;

type Test = (value: Value) => boolean;

type Columns = Pick<Table, 'columns'>;

function conditionColumns(table: Columns, conditions: readonly Condition[]): readonly number[] {
  return [...new Set(conditions.flatMap(({ columns }) => columns).map(name => positionOf(table, name)))];
}

/** Reused for each group. Nothing awaits while it is in use, and few rows of a group usually match. */
let scratch = new Uint32Array(0);

export function matcherOf(table: Columns, conditions: readonly Condition[]): Matcher {
  // Both bounds of a range test one column, which is scanned once.
  const tests = new Map<number, Test[]>();
  for (const condition of conditions)
    for (const [index, name] of condition.columns.entries()) {
      const position = positionOf(table, name);
      tests.set(position, [...(tests.get(position) ?? []), valueTest(condition, index)]);
    }
  // Each part of a place's key leaves fewer rows; combinations are then tested as a whole.
  const wholes = conditions.filter(one => one.columns.length > 1 && one.keys.length > 1);
  return (chunks, count) => {
    if (tests.size === 0) return allRows(count);
    if (scratch.length < count) scratch = new Uint32Array(count);
    let left: number | null = null;
    for (const [position, own] of tests) {
      left = select(chunks[position]!, own, left);
      if (left === 0) break;
    }
    const rows = scratch.slice(0, left ?? 0);
    return wholes.reduce<RowNumbers>((some, whole) => keepKeys(table, whole, chunks, some), rows);
  };
}

function allRows(count: number): RowNumbers {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}

/**
 * Leaves the rows whose values pass in `scratch`, among its first `left` rows, or among all rows if null.
 * Returns their number.
 */
function select(chunk: ColumnChunk, tests: readonly Test[], left: number | null): number {
  const { values, codes } = chunk;
  const wanted = new Uint8Array(values.length);
  let some = 0;
  for (let code = 0; code < wanted.length; code++) {
    if (!tests.every(test => test(valueAt(chunk, code)))) continue;
    wanted[code] = 1;
    some++;
  }
  if (some === 0) return 0;
  if (some === wanted.length && left !== null) return left;
  const rows = scratch;
  const count = left ?? codes.length;
  let at = 0;
  // Branch-free, since the branch would be unpredictable.
  for (let index = 0; index < count; index++) {
    const row = left === null ? index : rows[index]!;
    rows[at] = row;
    at += wanted[codes[row]!]!;
  }
  return at;
}

function keepKeys(
  table: Columns,
  { columns, keys: wanted }: Condition,
  chunks: readonly (ColumnChunk | undefined)[],
  rows: RowNumbers,
): RowNumbers {
  const keys = new Set(wanted.map(key => JSON.stringify(key)));
  const own = columns.map(name => chunks[positionOf(table, name)]!);
  return rows.filter(row => keys.has(JSON.stringify(own.map(chunk => valueAt(chunk, chunk.codes[row]!)))));
}
