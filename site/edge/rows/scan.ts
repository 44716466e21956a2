/**
 * Carries out a scan, on any host: finds the rows of a plan in the order of the answer. It decodes the columns of the
 * conditions first, and the others only of row groups that the page reaches.
 */
import { compareValues, type Value } from '../../query/order.ts';
import type { ScanPlan, ScanSource } from '../../query/plan.ts';
import type { ColumnChunk } from './column-cache.ts';
import { GroupReader, type GroupRef, type OpenGroup, type ReaderOptions } from './group-reader.ts';
import { conditionColumns, type Matcher, matcherOf, type RowNumbers } from './match.ts';

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
