/** Finds the damaged files of a lake after reading rows failed. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { Session } from './database.ts';
import type { LakeFile } from './lake-files.ts';
import { unreadable } from './parquet-shape.ts';
import { parquetRows } from './sql.ts';

/** Reads every value of each file: a damaged file may still open. */
export async function findDamagedFiles(session: Session, files: readonly LakeFile[]): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const file of files) {
    try {
      await session.rows(`SELECT bit_xor(hash(COLUMNS(*))) FROM ${parquetRows([file.absolute])}`);
    } catch (error) {
      found.push(unreadable(file, error));
    }
  }
  return found;
}
