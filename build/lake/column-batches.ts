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

/** Creates a table of expressions over the rows of another, in their order, and drops the other. Both are temporary. */
export async function replaceTable(
  session: Session,
  name: string,
  from: string,
  expressions: readonly string[],
): Promise<void> {
  const batches = inBatches(expressions);
  const parts = batches.map((_, i) => `temp.main."part ${i}"`);
  for (const [i, batch] of batches.entries())
    await session.run(`CREATE OR REPLACE TEMP TABLE ${parts[i]} AS SELECT ${batch.join(', ')} FROM ${from}`);
  await session.run(`DROP TABLE ${from}`);
  await session.run(`CREATE TEMP TABLE ${name} AS SELECT * FROM ${parts.join(' POSITIONAL JOIN ')}`);
  await session.run(parts.map(part => `DROP TABLE ${part}`).join('; '));
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

/** The same for the rows of each value of `group`, by that value; none without aggregates. */
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

/** The rows of several SELECTs with the same columns, in any order. */
export async function readSelects<Row>(session: Session, selects: readonly string[]): Promise<Row[]> {
  const found: Row[][] = [];
  for (const batch of inBatches(selects)) found.push(await session.rows<Row>(batch.join(' UNION ALL ')));
  return found.flat();
}
