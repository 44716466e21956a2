/** Finds the columns that identify a row. */
import { countOf } from '../format/shown-text.ts';
import type { Session } from '../lake/database.ts';
import type { ColumnGuess } from './column-guess.ts';
import { CODE_NAME } from './column-types.ts';
import type { DraftTable } from './draft-table.ts';

interface FoundGrain {
  /** Null if no set of columns identifies a row. */
  readonly columns: readonly string[] | null;
  readonly reason: string;
}

/** Larger sets are hard to understand, and each set takes a pass over the rows. */
const MOST_COLUMNS = 12;
const MOST_TOGETHER = 5;
const MOST_SETS = 300;

/** In so few rows, texts differ by chance: a set with the time comes first, unless the text's name is that of a code. */
const FEW_ROWS = 50;

/** Longer texts are prose, which is unique by chance. */
const LONGEST_KEY = 200;

/**
 * The smallest unique set of columns; of several, the one with the earliest columns: time first, then
 * categories, then texts that hardly repeat. Numbers that look like codes (601, 602) are tried last.
 */
export async function findGrain(
  session: Session,
  table: DraftTable,
  columns: readonly ColumnGuess[],
): Promise<FoundGrain> {
  const plain = columns.filter(
    one =>
      isTime(one) ||
      (one.role === 'categorical' && one.type !== 'number') ||
      (one.type === 'string' && one.longest <= LONGEST_KEY),
  );
  const codes = leadingCodes(columns);
  // Odd texts among figures often mean that one is missing; then the column is a measure, as are figures with signs.
  const settled = plain.filter(({ odd, signed }) => odd === null && signed === null);
  const found =
    (settled.length === plain.length ? null : await findAmong(session, table, settled)) ??
    (await findAmong(session, table, plain)) ??
    (codes.length === 0 ? null : await findAmong(session, table, [...plain, ...codes]));
  if (found !== null) {
    const names = withOnlyTime(columns, found).map(({ name }) => name);
    return {
      columns: names,
      reason: `the smallest set of columns that differs in each of ${countOf(table.rows, 'row')}`,
    };
  }
  return { columns: null, reason: await whyNone(session, table, [...plain, ...codes]) };
}

/** A time with only one value so far identifies rows too: the next delivery will bring another. */
function withOnlyTime(
  columns: readonly ColumnGuess[],
  grain: readonly ColumnGuess[],
): readonly ColumnGuess[] {
  const time = columns.find(one => isTime(one) && one.distinct === 1);
  return time === undefined || grain.includes(time) ? grain : [time, ...grain];
}

/** Whole numbers before the first figure that have the same number of digits or a name such as `OBJECTID`. */
function leadingCodes(columns: readonly ColumnGuess[]): ColumnGuess[] {
  const isCode = ({ name, type, role, required, least, most }: ColumnGuess) => {
    const digits = Number(least) > 0 && least?.length === most?.length ? (least?.length ?? 0) : 0;
    return type === 'integer' && role === 'metric' && required && (digits >= 2 || /id$/i.test(name));
  };
  const end = columns.findIndex(one => one.role === 'metric' && !isCode(one));
  return columns.slice(0, end < 0 ? columns.length : end).filter(isCode);
}

async function findAmong(
  session: Session,
  table: DraftTable,
  candidates: readonly ColumnGuess[],
): Promise<readonly ColumnGuess[] | null> {
  const isUnique = async (set: readonly ColumnGuess[]) =>
    (await countDifferent(session, table, set)) === table.rows;
  const ordered = [...candidates].sort((a, b) => rank(a) - rank(b));
  // NULL identifies nothing.
  const alone = ordered.filter(one => one.required && one.distinct === table.rows);
  // Moments differ by chance; the number of a case doesn't.
  if (alone[0]?.type === 'timestamp') alone.sort((a, b) => Number(isCode(b)) - Number(isCode(a)));
  let first: ColumnGuess | undefined;
  for (const one of alone) if (first === undefined && (await isUnique([one]))) first = one;
  if (first !== undefined && (table.rows > FEW_ROWS || isTime(first) || isCode(first))) return [first];
  // The columns with most values; time is always among them.
  const some = ordered
    .filter(({ distinct, required }) => distinct > 1 || (distinct === 1 && !required))
    .sort((a, b) => Math.min(rank(a), 2) - Math.min(rank(b), 2) || b.distinct - a.distinct)
    .slice(0, MOST_COLUMNS);
  const few = ordered.filter(one => some.includes(one) && (first === undefined || !alone.includes(one)));
  let tried = 0;
  for (let size = 2; size <= Math.min(MOST_TOGETHER, few.length); size++) {
    for (const set of subsets(few, size)) {
      if (first !== undefined && !set.some(isTime)) continue;
      // There can't be more different rows than combinations.
      if (
        set.reduce((most, { distinct, required }) => most * (distinct + (required ? 0 : 1)), 1) < table.rows
      )
        continue;
      if (++tried > MOST_SETS) break;
      if (await isUnique(set)) return set;
    }
  }
  if (first !== undefined) return [first];
  return few.length > 0 && (await isUnique(few)) ? few : null;
}

function isCode({ name }: ColumnGuess): boolean {
  return CODE_NAME.test(name);
}

function isTime({ role }: ColumnGuess): boolean {
  return role === 'year' || role === 'time';
}

function rank({ role, required }: ColumnGuess): number {
  const order: readonly string[] = ['year', 'time', 'categorical', 'attribute', 'metric'];
  return order.indexOf(role) * 2 + (required ? 0 : 1);
}

async function countDifferent(
  session: Session,
  { table }: DraftTable,
  set: readonly ColumnGuess[],
): Promise<number> {
  const { rows } = await session.row<{ rows: number }>(
    `SELECT count(*) AS rows FROM (SELECT DISTINCT ${set.map(({ value }) => value).join(', ')} FROM ${table})`,
  );
  return rows;
}

/** More don't fit into a message, and comparing takes a pass over them. */
const MOST_COMPARED = 40;

async function whyNone(
  session: Session,
  table: DraftTable,
  candidates: readonly ColumnGuess[],
): Promise<string> {
  const none = 'no set of columns identifies a row';
  if (candidates.length === 0) return `${none}: there are only figures`;
  const compared = candidates.slice(0, MOST_COMPARED);
  const repeated = table.rows - (await countDifferent(session, table, compared));
  if (repeated === 0) return `${none}, other than all ${compared.length} columns that aren't figures`;
  const repeat = `${countOf(repeated, 'row')} repeat${repeated === 1 ? 's' : ''} another one`;
  // Probably a key with a few mistakes.
  const near = candidates
    .filter(({ distinct }) => distinct < table.rows && distinct >= table.rows * 0.99)
    .sort((a, b) => b.distinct - a.distinct)[0];
  if (near === undefined) return `${none}: ${repeat}`;
  const { value } = await session.row<{ value: string | null }>(
    `SELECT min(v)::VARCHAR AS value FROM (SELECT ${near.value} AS v FROM ${table.table} GROUP BY 1 HAVING count(*) > 1)`,
  );
  return `${none}: ${repeat}. ${near.name} nearly does, but several rows have ${value === null ? 'none' : JSON.stringify(value)}`;
}

function* subsets<Item>(items: readonly Item[], size: number, from = 0): Generator<readonly Item[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let i = from; i <= items.length - size; i++)
    for (const rest of subsets(items, size - 1, i + 1)) yield [items[i]!, ...rest];
}
