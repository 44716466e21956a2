import { literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import type { Importer } from './importer.ts';
import type { SourceTable } from './source-table.ts';

/** Days that two files of one release may share: a night between two fiscal years. */
const SHARED_DAYS = 3;

/** Adds the records that `rows` gives to the table `record`, and the dropped ones to `selected`. */
export async function keepRecords(
  database: Database,
  rows: string,
  file: number,
  shape: string,
): Promise<void> {
  const read = `SELECT *, ${file} AS file FROM (${rows})`;
  await database.run(`
    CREATE TEMP TABLE read_record AS ${read};
    INSERT INTO selected BY NAME
      SELECT file, ${literal(shape)} AS shape, line, dropped FROM read_record WHERE dropped IS NOT NULL;
    CREATE TABLE IF NOT EXISTS record AS FROM read_record LIMIT 0;
    INSERT INTO record BY NAME FROM read_record WHERE dropped IS NULL;
    DROP TABLE read_record`);
}

/** Forgets the records of the files from `first` on. */
export async function forgetRecords(database: Database, importer: Importer, first: number): Promise<void> {
  if (importer.counted !== undefined && (await hasRecords(database)))
    await database.run(`DELETE FROM record WHERE file >= ${first}`);
}

/**
 * Adds the counts of all records to `selected`. Returns the files that have records of the same days: they would count
 * twice.
 */
export async function countAllRecords(
  database: Database,
  importer: Importer,
  sources: readonly SourceTable[],
): Promise<string[]> {
  if (!(await hasRecords(database))) return [];
  const overlaps = await database.rows<{ one: number; other: number }>(`
    SELECT a.file AS one, b.file AS other
    FROM (SELECT DISTINCT file, CAST(moment AS DATE) AS day FROM record) a
    JOIN (SELECT DISTINCT file, CAST(moment AS DATE) AS day FROM record) b ON a.day = b.day AND a.file < b.file
    GROUP BY ALL HAVING count(*) > ${SHARED_DAYS} ORDER BY ALL`);
  if (overlaps.length > 0)
    return overlaps.map(
      ({ one, other }) =>
        `${sources[one]!.file} and ${sources[other]!.file} have records of the same days, which would count twice: ` +
        'import the files of one release',
    );
  await database.run(`
    INSERT INTO selected BY NAME
    SELECT *, (SELECT min(file) FROM record) AS file, ${literal(sources.find(({ shape }) => shape.records)!.shape.name)} AS shape
    FROM (${importer.counted}) WHERE EXISTS (FROM record)`);
  return [];
}

async function hasRecords(database: Database): Promise<boolean> {
  const [found] = await database.rows<{ some: boolean }>(
    "SELECT count(*) > 0 AS some FROM duckdb_tables() WHERE table_name = 'record'",
  );
  return found!.some;
}
