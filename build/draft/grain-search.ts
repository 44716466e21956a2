/** Finds the columns that identify a row. */
import type { Session } from '../lake/database.ts';
import type { ColumnGuess } from './column-guess.ts';
import type { DraftTable } from './draft-table.ts';

export interface FoundGrain {
  /** Null if no set of columns identifies a row. */
  readonly columns: readonly string[] | null;
  /** Rows that repeat another one in all columns that could identify it. */
  readonly repeated: number;
}

/** Limits of the search: sets of more columns are hard to understand, and each set is a pass over the rows. */
const MOST_COLUMNS = 12;
const MOST_TOGETHER = 5;
const MOST_SETS = 300;

/** The smallest set of columns that is unique; of several, the one with the earliest columns, time first. */
export async function findGrain(
  session: Session,
  table: DraftTable,
  columns: readonly ColumnGuess[],
): Promise<FoundGrain> {
  const order: readonly string[] = ['year', 'time', 'categorical'];
  const candidates = columns
    .filter(({ role, type }) => order.includes(role) && type !== 'number')
    .sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role))
    .slice(0, MOST_COLUMNS);
  const different = async (set: readonly ColumnGuess[]) => {
    const { rows } = await session.row<{ rows: number }>(
      `SELECT count(*) AS rows FROM (SELECT DISTINCT ${set.map(({ value }) => value).join(', ') || 'NULL'} FROM ${table.table})`,
    );
    return rows;
  };
  let tried = 0;
  for (let size = 1; size <= Math.min(MOST_TOGETHER, candidates.length); size++) {
    for (const set of subsets(candidates, size)) {
      // A set cannot have more different rows than its columns have combinations; NULL is one more value of each.
      if (
        set.reduce((most, { distinct, required }) => most * (distinct + (required ? 0 : 1)), 1) < table.rows
      )
        continue;
      if (++tried > MOST_SETS) break;
      if ((await different(set)) === table.rows) return { columns: set.map(({ name }) => name), repeated: 0 };
    }
  }
  const all = candidates.length === 0 ? 1 : await different(candidates);
  return all === table.rows && candidates.length > 0
    ? { columns: candidates.map(({ name }) => name), repeated: 0 }
    : { columns: null, repeated: table.rows - all };
}

function* subsets<Item>(items: readonly Item[], size: number, from = 0): Generator<readonly Item[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let i = from; i <= items.length - size; i++)
    for (const rest of subsets(items, size - 1, i + 1)) yield [items[i]!, ...rest];
}
