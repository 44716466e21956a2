/** A lake that repeats every place: memory must not grow with the rows. */
import { cp, mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { fileLiteral, literal } from '../../build/lake/sql.ts';

/**
 * Copies a sample lake and multiplies districts and their schools. Each copy of a district has its own code, in the
 * dimensions too. Only datasets keyed by district grow.
 */
export async function repeatRows(lake: string, out: string, times: number): Promise<string> {
  await mkdir(out, { recursive: true });
  await cp(lake, out, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1500MB' });
  const connection = await instance.connect();
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.parquet')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const described = await connection.runAndReadAll(`SELECT name FROM parquet_schema(${fileLiteral(file)})`);
    const names = described.getRowObjectsJS().map(row => String(row.name));
    if (!names.includes('district_code') || /states|counties|tracts/.test(entry.name)) continue;
    const temporary = `${file}.new`;
    await connection.run(
      `COPY (SELECT t.* REPLACE (CASE WHEN n = 0 THEN district_code ELSE concat(district_code, 'x', n) END AS district_code) FROM read_parquet(${fileLiteral(file)}, hive_partitioning = false) t, range(${times}) r(n)) TO ${literal(temporary)} (FORMAT parquet)`,
    );
    await rename(temporary, file);
  }
  return out;
}
