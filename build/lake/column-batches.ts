/**
 * Divides questions about many columns into several statements: the time and the memory of one grow with the square of its
 * expressions.
 */
import type { Session, SqlValue } from './database.ts';

/** Expressions of one statement. */
const TOGETHER = 32;

export function inBatches<Item>(items: readonly Item[], size = TOGETHER): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/** The values of aggregates over all rows of a table, in the order of the aggregates. */
export async function readAggregates<Value extends SqlValue>(
  session: Session,
  table: string,
  aggregates: readonly string[],
): Promise<Value[]> {
  const found: Value[] = [];
  for (const batch of inBatches(aggregates)) {
    const row = await session.row<Record<string, Value>>(
      `SELECT ${batch.map((sql, i) => `${sql} AS a${i}`).join(', ')} FROM ${table}`,
    );
    found.push(...batch.map((_, i) => row[`a${i}`] as Value));
  }
  return found;
}

/** The same for the rows of each value of `group`, by that value. Without aggregates, there are no groups. */
export async function readAggregatesBy<Value extends SqlValue>(
  session: Session,
  table: string,
  group: string,
  aggregates: readonly string[],
): Promise<Map<SqlValue, Value[]>> {
  const found = new Map<SqlValue, Value[]>();
  for (const batch of inBatches(aggregates)) {
    const rows = await session.rows<Record<string, Value>>(
      `SELECT ${group} AS g, ${batch.map((sql, i) => `${sql} AS a${i}`).join(', ')} FROM ${table} GROUP BY 1`,
    );
    for (const row of rows) {
      const own = found.get(row['g'] as Value) ?? [];
      found.set(row['g'] as Value, [...own, ...batch.map((_, i) => row[`a${i}`] as Value)]);
    }
  }
  return found;
}
