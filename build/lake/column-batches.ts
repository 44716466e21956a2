/**
 * Divides queries over many columns into several statements, because time and memory grow with the square of
 * the number of expressions; and compares two Parquet files row by row.
 */
import type { Session, SqlValue } from './database.ts';
import { identifier, parquetRows } from './sql.ts';

/** Expressions per statement. */
const TOGETHER = 32;

export function inBatches<Item>(items: readonly Item[], size = TOGETHER): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/** Replaces a table by expressions over its rows, in their order. Both tables are temporary. */
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

/** In the order of the aggregates. */
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

/** For each value of `group`; empty without aggregates. */
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

/** All must have the same columns. The rows come in any order. */
export async function readSelects<Row>(session: Session, selects: readonly string[]): Promise<Row[]> {
  const found: Row[][] = [];
  for (const batch of inBatches(selects)) found.push(await session.rows<Row>(batch.join(' UNION ALL ')));
  return found.flat();
}

export interface RowDifference {
  readonly added: number;
  readonly removed: number;
  /** Rows whose key is in both files but another column differs. */
  readonly revised: number;
  /** Number of revised rows by earlier column, without zeros. */
  readonly columns: Readonly<Record<string, number>>;
}

/** A column's name before and after. */
export interface NamePair {
  readonly old: string;
  /** Null if the column is gone: then rows with a value in it are revised. */
  readonly now: string | null;
}

interface ComparedFiles {
  readonly old: string;
  readonly now: string;
  /** The grain, which is unique; NULL counts as a value. */
  readonly keys: readonly NamePair[];
  readonly values: readonly NamePair[];
}

/** Can't be the name of a contract's column. */
const SIDE = identifier('in file');

export async function compareRows(
  session: Session,
  { old, now, keys, values }: ComparedFiles,
): Promise<RowDifference> {
  const rows = (file: string) => `(SELECT true AS ${SIDE}, * FROM ${parquetRows([file])})`;
  const same = keys.map(
    pair => `a.${identifier(pair.old)} IS NOT DISTINCT FROM b.${identifier(pair.now ?? pair.old)}`,
  );
  const differs = values.map(({ old: a, now: b }: NamePair) => {
    if (b === null) return `a.${identifier(a)} IS NOT NULL`;
    return `a.${identifier(a)} IS DISTINCT FROM b.${identifier(b)}`;
  });
  const both = `a.${SIDE} AND b.${SIDE}`;
  const counts = [
    `a.${SIDE} IS NULL`,
    `b.${SIDE} IS NULL`,
    `${both} AND (${differs.join(' OR ') || 'false'})`,
  ]
    .concat(differs.map(one => `${both} AND ${one}`))
    .map((condition, i) => `count(*) FILTER (${condition}) AS ${identifier(`count ${i}`)}`);
  const row = await session.row<Record<string, number>>(
    `SELECT ${counts.join(', ')} FROM ${rows(old)} a FULL OUTER JOIN ${rows(now)} b ON ${same.join(' AND ') || 'true'}`,
  );
  const countOf = (i: number) => row[`count ${i}`] ?? 0;
  return {
    added: countOf(0),
    removed: countOf(1),
    revised: countOf(2),
    columns: Object.fromEntries(
      values.flatMap(({ old: name }, i) => (countOf(3 + i) === 0 ? [] : [[name, countOf(3 + i)] as const])),
    ),
  };
}
