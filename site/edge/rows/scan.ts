/**
 * Carries out a scan, on any host: finds the rows of a plan in the order of the answer. It decodes the columns of the
 * conditions first, and the others only of row groups that the page reaches.
 */

import { type Condition, valueTest } from '../../query/condition.ts';
import { compareValues, type Value } from '../../query/order.ts';
import type { ScanPlan, ScanSource } from '../../query/plan.ts';
import { positionOf, type Table } from '../../query/table.ts';
import type { ColumnChunk } from './column-cache.ts';
import { GroupReader, type GroupRef, type OpenGroup, type ReaderOptions } from './group-reader.ts';

export interface Budget {
  /** Compressed bytes of the columns that an answer decodes. */
  readonly bytes: number;
  /** Rows that are sorted. */
  readonly rows: number;
}

/** The answer costs more than this edge allows. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
}

interface Scanner extends ReaderOptions {
  readonly budget: Budget;
}

/** Rows of one row group or of several, in the order of the answer. */
export interface PickedRows {
  readonly groups: readonly GroupRef[];
  /** The number of each row's group; null: all are of the first. */
  readonly at: Uint16Array | null;
  readonly rows: RowNumbers;
}

/** Rows that are picked together: the text of so many fits into a few hundred kilobytes. */
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
   * The rows from the plan's offset on, at most `limit` of them, or all if that is null. Throws TreeMismatch if a file
   * isn't as the manifest says, and BudgetExceeded.
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

  /** All rows, except that the first `skip` may be missing where no column is needed to count them. */
  private async *find(skip: number): AsyncGenerator<PickedRows> {
    const { sources, residual } = this.plan;
    if (residual.sort === 'none') {
      yield* this.findInOrder(sources, skip);
      return;
    }
    // Rows of one file after another, each sorted, or of all files together.
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

  /** All matches of some sources as one list of rows. */
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
      // The bytes are at hand, and the page often has all rows.
      if (found.length === 0) await this.reader.need(group, rest);
      groups.push({ file: group.file, index: group.index });
      keys.push(order.map(position => group.decoded.chunks[position]!));
      found.push(rows);
    }
    if (count === 0) return;
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

  /** The row groups with rows that satisfy the conditions, each with the columns at `needed`. */
  private async *match(
    sources: readonly ScanSource[],
    needed: readonly number[],
  ): AsyncGenerator<{ readonly group: OpenGroup; readonly rows: RowNumbers }> {
    for await (const group of this.reader.open(sources, needed)) {
      this.spend(group, needed);
      const { rows: count } = group.file.entry.row_groups[group.index]!;
      const rows = this.matchRows(group.decoded.chunks, count);
      if (rows.length > 0) yield { group, rows };
    }
  }

  private othersThan(needed: readonly number[]): readonly number[] {
    return [...this.plan.table.columns.keys()].filter(position => !needed.includes(position));
  }

  private spend({ file, index }: GroupRef, positions: readonly number[]): void {
    const { sizes } = file.entry.row_groups[index]!;
    for (const position of positions) this.spent += sizes[position] ?? 0;
    if (this.spent > this.budget.bytes)
      throw new BudgetExceeded(`more than ${this.budget.bytes} bytes of columns`);
  }
}

/**
 * `keys`: of each group, the columns that order the rows. Rows come as a few sorted runs, which the engine's sort merges
 * as such.
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
      const sign = compareValues(x.values[x.codes[rows[a]!]!]!, y.values[y.codes[rows[b]!]!]!);
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

/** The values of picked rows, column by column in the order of the table's columns. Throws TreeMismatch. */
export async function pickValues(
  reader: GroupReader,
  picked: PickedRows,
): Promise<readonly (readonly Value[])[]> {
  const { at, rows } = picked;
  await reader.endOfTurn();
  const chunks = await openGroups(picked, group => reader.chunks(group));
  return reader.columns.map((_, position) =>
    Array.from(rows, (row, index): Value => {
      const { values, codes } = chunks[at === null ? 0 : at[index]!]![position]!;
      return values[codes[row]!]!;
    }),
  );
}

/** Opens the groups that have picked rows; the result has each at its number. */
export async function openGroups<Opened>(
  { groups, at }: PickedRows,
  open: (group: GroupRef) => Promise<Opened>,
): Promise<readonly Opened[]> {
  const opened: Opened[] = [];
  for (const number of at === null ? [0] : new Set(at)) opened[number] = await open(groups[number]!);
  return opened;
}

/** Some rows of a row group, ascending. */
export type RowNumbers = Uint32Array;

/** The rows among the `count` rows of a row group that satisfy all conditions. */
export type Matcher = (chunks: readonly (ColumnChunk | undefined)[], count: number) => RowNumbers;

type Test = (value: Value) => boolean;

type Columns = Pick<Table, 'columns'>;

/** The positions of the columns that conditions are about. */
export function conditionColumns(table: Columns, conditions: readonly Condition[]): readonly number[] {
  return [...new Set(conditions.flatMap(({ columns }) => columns).map(name => positionOf(table, name)))];
}

/** Rows of the group that is being matched. Nothing waits while they are in use, and mostly few rows of a group match. */
let scratch = new Uint32Array(0);

export function matcherOf(table: Columns, conditions: readonly Condition[]): Matcher {
  // Both bounds of a range are about one column, which is looked through once.
  const tests = new Map<number, Test[]>();
  for (const condition of conditions)
    for (const [index, name] of condition.columns.entries()) {
      const position = positionOf(table, name);
      tests.set(position, [...(tests.get(position) ?? []), valueTest(condition, index)]);
    }
  // Each part of a place leaves fewer rows. Several places of several parts are then told apart as a whole.
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
 * Leaves those of the first `left` rows in `scratch`, or of all rows if that is null, whose values pass. Returns their
 * number.
 */
function select({ values, codes }: ColumnChunk, tests: readonly Test[], left: number | null): number {
  const wanted = new Uint8Array(values.length);
  let some = 0;
  for (let code = 0; code < wanted.length; code++) {
    if (!tests.every(test => test(values[code]!))) continue;
    wanted[code] = 1;
    some++;
  }
  if (some === 0) return 0;
  if (some === wanted.length && left !== null) return left;
  const rows = scratch;
  const count = left ?? codes.length;
  let at = 0;
  // Without a branch, which a processor could not foresee.
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
  return rows.filter(row => keys.has(JSON.stringify(own.map(({ values, codes }) => values[codes[row]!]))));
}
