import type { Scalar } from '../../build/format/documents.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';

/** Objects as rows; a missing cell is NULL. */
export function rowsOf(objects: readonly Readonly<Record<string, Scalar | null>>[]): Rows {
  const columns = [...new Set(objects.flatMap(Object.keys))].map(name => ({ name, type: 'string' as const }));
  const cell = (row: number, column: number) => objects[row]?.[columns[column]?.name ?? ''] ?? null;
  return { columns, rows: objects.length, cell };
}
