import { identifier, literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import type { Target } from './importer.ts';
import type { FileReport, Finding } from './report.ts';
import { groupFindings, keyText } from './row-checks.ts';
import { REPEATED } from './row-merge.ts';
import type { SourceTable } from './source-table.ts';

/** What happened to the rows of the file in table `source_<file>`. */
export async function reportFile(database: Database, source: SourceTable, file: number): Promise<FileReport> {
  const cells = source.shape.columns
    .filter(column => source.present.has(column.name))
    .slice(0, 4)
    .map(column => `s.${identifier(column.name)}`);
  const dropped = await groupFindings(
    database,
    `SELECT r.dropped AS what, s.line AS position,
       concat_ws(': ', concat('${source.unit} ', s.line), nullif(concat_ws(', ', ${cells.join(', ')}), '')) AS example
     FROM source_${file} s
     JOIN (SELECT DISTINCT line, dropped FROM selected WHERE file = ${file} AND dropped IS NOT NULL) r USING (line)`,
  );
  return {
    file: source.file,
    shape: source.shape.name,
    rowsRead: source.rowsRead,
    unusedColumns: source.unused,
    dropped: [...source.unread, ...dropped],
  };
}

/** Indexes of the sources that give no row, and do not only repeat others. */
export async function findEmptySources(
  database: Database,
  sources: readonly SourceTable[],
): Promise<ReadonlySet<number>> {
  const rows = await database.rows<{ file: number }>(
    `SELECT DISTINCT file FROM selected WHERE line > 0 AND (dropped IS NULL OR dropped = ${literal(REPEATED)})`,
  );
  const filled = new Set(rows.map(({ file }) => file));
  return new Set([...sources.keys()].filter(index => !filled.has(index)));
}

/** Columns that files lack although they have the related ones, with the files. */
export function findAbsentColumns(sources: readonly SourceTable[]): Finding[] {
  return sources.flatMap(({ file, shape, present, rowsRead }) =>
    (shape.lacks?.(present) ?? []).map(name => {
      const { headers } = shape.columns.find(column => column.name === name)!;
      const what = `the column ${headers[0]} is not in the file: NULL for every place`;
      return { what, count: rowsRead, examples: [file] };
    }),
  );
}

/** Oddities of rows that are kept. */
export function findRemarks(database: Database, target: Target, place: string): Promise<Finding[]> {
  return groupFindings(
    database,
    `SELECT remark AS what, concat(${place}, ': ', ${keyText(target)}) AS example, [file, line] AS position
     FROM selected WHERE dropped IS NULL`,
  );
}
