/** Decimals of a lake that no double holds: they would be published as other numbers. */
import type { BaseColumn } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { Session } from './database.ts';
import { EXACT_DIGITS } from './fact-table.ts';
import type { LakeFile } from './lake-files.ts';
import type { ParquetShape } from './parquet-shape.ts';
import { identifier, parquetRows } from './sql.ts';

/** One error for each column and file that has such values; it names the first value of the column. */
export async function findInexactDecimals(
  session: Session,
  columns: readonly BaseColumn[],
  files: readonly LakeFile[],
  shapes: ReadonlyMap<string, ParquetShape>,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const { name } of columns.filter(column => column.type === 'number')) {
    let example: string | null = null;
    for (const file of files) {
      const type = shapes.get(file.path)?.columns.get(name) ?? '';
      const condition = inexact(identifier(name), type);
      if (condition === null) continue;
      const column = identifier(name);
      const { value, double } = await session.row<{ value: string | null; double: string | null }>(
        `SELECT min(${column})::VARCHAR AS value, min(${column})::VARCHAR::DOUBLE::VARCHAR AS double FROM ${parquetRows([file.absolute])} WHERE ${condition}`,
      );
      if (value === null) continue;
      example ??= `${value} in ${file.path}, which would be published as ${double}`;
      found.push({
        severity: 'error',
        code: 'lake-inexact-decimal',
        file: file.path,
        message: `Column ${name} (${type}) holds decimals that no 64-bit float holds, such as ${example}. Round them to ${EXACT_DIGITS} digits, or make the column a string.`,
      });
    }
  }
  return found;
}

/**
 * True of decimals that come back as others from the shortest text of the nearest double; null of types that have none.
 * Whole numbers are told of by the checks.
 */
function inexact(column: string, type: string): string | null {
  const [, digits = '0', scale = '0'] = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(type) ?? [];
  if (Number(digits) <= EXACT_DIGITS || Number(scale) === 0) return null;
  // Of values of few digits it is known, and they need not be written and read.
  const limit = `'1e${EXACT_DIGITS - Number(scale)}'::${type}`;
  const again = `TRY_CAST(${column}::VARCHAR::DOUBLE::VARCHAR AS ${type})`;
  return `(${column} >= ${limit} OR ${column} <= -${limit}) AND ${again} IS DISTINCT FROM ${column}`;
}
