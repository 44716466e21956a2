/**
 * Runs a scan on any host: finds the plan's rows in the order of the answer. Decodes the conditions' columns
 * first, and the others only for row groups that the page reaches.
 */
import { type Condition, valueTest } from '../../query/condition.ts';
import { compareValues, type Value } from '../../query/order.ts';
import type { ScanPlan, ScanSource } from '../../query/plan.ts';
import { positionOf, type Table } from '../../query/table.ts';
import { type ColumnChunk, valueAt } from './column-chunk.ts';
import type { Codes, Dictionary } from './dictionary.ts';
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
  /** The index of each row's group. */
  readonly at: Uint32Array;
  readonly rows: RowNumbers;
}

/** Their text fits into a few hundred kilobytes. */
const ROWS_A_PICK = 1024;

/** Rows of more row groups, whose columns are all needed at once, aren't joined. */
const MOST_PARTS = 64;

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
   * The rows from the plan's offset on, at most `limit` or all if null, up to `most` at once. Throws
   * TreeMismatch and BudgetExceeded.
   */
  async *pick(limit: number | null, most = ROWS_A_PICK): AsyncGenerator<PickedRows> {
    let skip = this.plan.residual.offset;
    let left = limit ?? Number.POSITIVE_INFINITY;
    if (left <= 0) return;
    let parts: PickedRows[] = [];
    let room = most;
    for await (const found of this.find(skip)) {
      const count = found.rows.length;
      const from = Math.min(skip, count);
      const to = Math.min(count, from + left);
      skip -= from;
      left -= to - from;
      for (let at = from; at < to; ) {
        const end = Math.min(to, at + room);
        parts.push(cutPick(found, at, end));
        room -= end - at;
        at = end;
        if (room > 0 && parts.length < MOST_PARTS) continue;
        yield joinPicks(parts);
        parts = [];
        room = most;
      }
      if (left <= 0) break;
    }
    if (parts.length > 0) yield joinPicks(parts);
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
    for await (const { group, found } of this.match(sources, needed)) {
      before += found.rows.length;
      if (before > skip) {
        this.spend(group, rest);
        await this.reader.need(group, rest);
      }
      yield found;
    }
  }

  /** All matches of some sources as one list. */
  private async *findSorted(sources: readonly ScanSource[]): AsyncGenerator<PickedRows> {
    const { order } = this.plan.table;
    const needed = [
      ...new Set([...conditionColumns(this.plan.table, this.plan.residual.conditions), ...order]),
    ];
    const rest = this.othersThan(needed);
    const keys: (readonly ColumnChunk[])[] = [];
    const parts: PickedRows[] = [];
    let count = 0;
    for await (const { group, found } of this.match(sources, needed)) {
      count += found.rows.length;
      if (count > this.budget.rows) throw new BudgetExceeded(`more than ${this.budget.rows} rows to sort`);
      this.spend(group, rest);
      // The bytes are at hand, and the first group often has the whole page.
      if (parts.length === 0) await this.reader.need(group, rest);
      keys.push(order.map(position => group.decoded.chunks[position]!));
      parts.push(found);
    }
    const all = joinPicks(parts);
    await this.reader.endOfTurn();
    yield sortRows(all, keys);
  }

  private async *match(
    sources: readonly ScanSource[],
    needed: readonly number[],
  ): AsyncGenerator<{ readonly group: OpenGroup; readonly found: PickedRows }> {
    for await (const group of this.reader.open(sources, needed)) {
      this.spend(group, needed);
      const { file, index } = group;
      const rows = this.matchRows(group.decoded.chunks, file.row_groups[index]!.rows);
      if (rows.length === 0) continue;
      yield { group, found: { groups: [{ file, index }], at: new Uint32Array(rows.length), rows } };
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
function sortRows(picked: PickedRows, keys: readonly (readonly ColumnChunk[])[]): PickedRows {
  const { groups, at, rows } = picked;
  const compare = (a: number, b: number): number => {
    const left = keys[at[a]!]!;
    const right = keys[at[b]!]!;
    for (let key = 0; key < left.length; key++) {
      const x = left[key]!;
      const y = right[key]!;
      const sign = compareValues(valueAt(x, rows[a]!), valueAt(y, rows[b]!));
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
    at: Uint32Array.from(sorted, index => at[index]!),
    rows: Uint32Array.from(sorted, index => rows[index]!),
  };
}

export function cutPick({ groups, at, rows }: PickedRows, from: number, to: number): PickedRows {
  return { groups, at: at.subarray(from, to), rows: rows.subarray(from, to) };
}

function joinPicks(parts: readonly PickedRows[]): PickedRows {
  if (parts.length === 1) return parts[0]!;
  const count = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const groups: GroupRef[] = [];
  const at = new Uint32Array(count);
  const rows = new Uint32Array(count);
  let next = 0;
  for (const part of parts) {
    rows.set(part.rows, next);
    if (part.groups.length === 1) at.fill(groups.length, next, next + part.rows.length);
    else for (let row = 0; row < part.rows.length; row++) at[next + row] = groups.length + part.at[row]!;
    groups.push(...part.groups);
    next += part.rows.length;
  }
  return { groups, at, rows };
}

/** Values column by column, by default of all columns in table order. Throws TreeMismatch. */
export async function pickValues(
  reader: GroupReader,
  picked: PickedRows,
  positions: readonly number[] = [...reader.columns.keys()],
): Promise<readonly (readonly Value[])[]> {
  const values = positions.map(() => new Array<Value>(picked.rows.length).fill(null));
  await reader.endOfTurn();
  for (const { group, rows, lines } of splitByGroup(picked)) {
    const chunks = await reader.chunks(group);
    for (const [column, position] of positions.entries())
      for (const [index, line] of lines.entries())
        values[column]![line] = valueAt(chunks[position]!, rows[index]!);
  }
  return values;
}

/** The picked rows of one row group. */
export interface GroupLines {
  readonly group: GroupRef;
  readonly rows: RowNumbers;
  /** Each row's place among all picked rows. */
  readonly lines: Uint32Array;
}

/** Only groups that have rows, in the order of `groups`. */
export function splitByGroup({ groups, at, rows }: PickedRows): readonly GroupLines[] {
  const counts = new Uint32Array(groups.length);
  for (let line = 0; line < at.length; line++) counts[at[line]!]!++;
  return groups.flatMap((group, number) => {
    const lines = new Uint32Array(counts[number]!);
    for (let line = 0, next = 0; next < lines.length; line++) if (at[line] === number) lines[next++] = line;
    return lines.length > 0 ? [{ group, rows: lines.map(line => rows[line]!), lines }] : [];
  });
}

/** Ascending rows of a row group. */
export type RowNumbers = Uint32Array;

/** The rows among the `count` rows of a row group that satisfy all conditions. */
type Matcher = (chunks: readonly (ColumnChunk | undefined)[], count: number) => RowNumbers;

type Test = (value: Value) => boolean;

type Columns = Pick<Table, 'columns'>;

function conditionColumns(table: Columns, conditions: readonly Condition[]): readonly number[] {
  return [...new Set(conditions.flatMap(({ columns }) => columns).map(name => positionOf(table, name)))];
}

/** Reused for each group. Nothing awaits while it is in use, and few rows of a group usually match. */
let scratch = new Uint32Array(0);

function matcherOf(table: Columns, conditions: readonly Condition[]): Matcher {
  // Both bounds of a range test one column, which is scanned once.
  const tests = new Map<number, Test[]>();
  for (const condition of conditions)
    for (const [index, name] of condition.columns.entries()) {
      const position = positionOf(table, name);
      tests.set(position, [...(tests.get(position) ?? []), valueTest(condition, index)]);
    }
  const columns = [...tests].map(([position, own]) => ({ position, wantedCodes: codeTest(own) }));
  // Each part of a place's key leaves fewer rows; combinations are then tested as a whole.
  const wholes = conditions.filter(one => one.columns.length > 1 && one.keys.length > 1);
  return (chunks, count) => {
    if (columns.length === 0) return allRows(count);
    if (scratch.length < count) scratch = new Uint32Array(count);
    let left: number | null = null;
    for (const { position, wantedCodes } of columns) {
      const { codes, dictionary } = chunks[position]!;
      left = select(codes, wantedCodes(dictionary), left);
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
 * Gives 1 for each code whose value passes all tests, else 0. Row groups share dictionaries, so each value is
 * tested once.
 */
function codeTest(tests: readonly Test[]): (dictionary: Dictionary) => Uint8Array {
  const tested = new Map<Dictionary, Uint8Array>();
  return dictionary => {
    const { size } = dictionary;
    const known = tested.get(dictionary) ?? new Uint8Array(0);
    if (known.length === size) return known;
    const wanted = new Uint8Array(size);
    wanted.set(known);
    for (let code = known.length; code < size; code++)
      wanted[code] = Number(tests.every(test => test(dictionary.valueAt(code))));
    tested.set(dictionary, wanted);
    return wanted;
  };
}

/**
 * Leaves the rows whose codes are wanted in `scratch`, among its first `left` rows, or among all rows if null.
 * Returns their number.
 */
function select(codes: Codes, wanted: Uint8Array, left: number | null): number {
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
  return rows.filter(row => keys.has(JSON.stringify(own.map(chunk => valueAt(chunk, row)))));
}
