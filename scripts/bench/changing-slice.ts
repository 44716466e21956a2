/** A slice of a lake that a benchmark changes and restores. */
import { copyFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { fileLiteral, literal } from '../../build/lake/sql.ts';

/** Returns a function that in turn removes the file's middle row and restores it. `folder` keeps both versions. */
export async function changingSlice(file: string, folder: string): Promise<() => Promise<void>> {
  const versions = ['short', 'whole'].map(name => path.join(folder, `${path.basename(file)}.${name}`));
  const [short = '', whole = ''] = versions;
  await copyFile(file, whole);
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT * EXCLUDE (file_row_number) FROM read_parquet(${fileLiteral(whole)}, hive_partitioning = false, file_row_number = true) QUALIFY file_row_number <> max(file_row_number) OVER () // 2) TO ${literal(short)} (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  let turn = 0;
  return async () => {
    await copyFile(versions[turn++ % 2] ?? whole, file);
    const now = new Date();
    await utimes(file, now, now);
  };
}
