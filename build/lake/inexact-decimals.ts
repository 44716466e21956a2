/** Finds decimals that a double cannot hold: the build would publish other numbers. */
import type { BaseColumn } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { readAggregates } from './column-batches.ts';
import type { Session } from './database.ts';
import { EXACT_DIGITS } from './fact-table.ts';
import type { LakeFile } from './lake-files.ts';
import type { ParquetShape } from './parquet-shape.ts';
import { identifier, parquetRows } from './sql.ts';

/** Returns an error for each column and file with such values, with an example of the column. */
export async function findInexactDecimals(
  session: Session,
  columns: readonly BaseColumn[],
  files: readonly LakeFile[],
  shapes: ReadonlyMap<string, ParquetShape>,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  const examples = new Map<string, string>();
  for (const file of files) {
    const long = columns.flatMap(({ name, type: promised }) => {
      const type = shapes.get(file.path)?.columns.get(name) ?? '';
      const condition = promised === 'number' ? inexact(identifier(name), type) : null;
      return condition === null ? [] : [{ name, type, condition }];
    });
    const values = await readAggregates<string | null>(
      session,
      parquetRows([file.absolute]),
      long.flatMap(({ name, condition }) => {
        const least = `min(${identifier(name)}) FILTER (${condition})`;
        return [`${least}::VARCHAR`, `${least}::VARCHAR::DOUBLE::VARCHAR`];
      }),
    );
    for (const { name, type } of long) {
      const [value, double] = values.splice(0, 2);
      if (value == null) continue;
      const example =
        examples.get(name) ?? `${value} in ${file.path}, which the build would publish as ${double}`;
      examples.set(name, example);
      found.push({
        severity: 'error',
        code: 'lake-inexact-decimal',
        file: file.path,
        message: `Column ${name} (${type}) has decimals that a 64-bit float cannot hold, such as ${example}. Round them to ${EXACT_DIGITS} digits, or make the column a string (logicalType: string, physicalType: decimal).`,
      });
    }
  }
  return found;
}

/** SQL that is true for numbers of a column that a double cannot hold; null if its type has none. */
export function isInexact(column: string, type: string): string | null {
  const [, digits = '0', scale = '0'] = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(type) ?? [];
  const isLong = /^U?(BIGINT|HUGEINT)$/.test(type) || (Number(digits) > EXACT_DIGITS && scale === '0');
  return isLong
    ? `${column} NOT BETWEEN ${-Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`
    : inexact(column, type);
}

/**
 * SQL that is true for decimals that change on the way through the nearest double and its shortest text; null if the
 * type has no such values. The checks report whole numbers.
 */
function inexact(column: string, type: string): string | null {
  const [, digits = '0', scale = '0'] = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(type) ?? [];
  if (Number(digits) <= EXACT_DIGITS || Number(scale) === 0) return null;
  // Values with few digits are always exact: skip the round trip.
  const limit = `'1e${EXACT_DIGITS - Number(scale)}'::${type}`;
  const again = `TRY_CAST(${column}::VARCHAR::DOUBLE::VARCHAR AS ${type})`;
  return `(${column} >= ${limit} OR ${column} <= -${limit}) AND ${again} IS DISTINCT FROM ${column}`;
}
