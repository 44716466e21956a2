import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../../scripts/georgia/import/database.ts';
import {
  type ImportOptions,
  type ImportResult,
  runImport,
} from '../../../scripts/georgia/import/import-run.ts';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import type { ImportReport } from '../../../scripts/georgia/import/report.ts';
import { atEnd } from '../../at-end.ts';

export type Row = Readonly<Record<string, string | number | null>>;

/** A temporary folder with source files and a lake. */
export interface ScratchLake {
  readonly lake: string;
  /** Writes a source file and gives its path. */
  file(name: string, content: string | Uint8Array): string;
  run(name: string, files: readonly string[], options?: Partial<ImportOptions>): Promise<ImportResult>;
  /** Runs an import that must succeed. */
  report(name: string, files: readonly string[], options?: Partial<ImportOptions>): Promise<ImportReport>;
  /** Messages of an import that must be refused. */
  refusal(name: string, files: readonly string[], options?: Partial<ImportOptions>): Promise<string[]>;
  /** Rows of a file of the lake, in its order: all, or those for which a condition in SQL is true. */
  rows(path: string, condition?: string): Promise<Row[]>;
}

export function scratchLake(): ScratchLake {
  const folder = mkdtempSync(join(tmpdir(), 'civic-import-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const lake = join(folder, 'lake');
  const scratch: ScratchLake = {
    lake,
    file(name, content) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    run(name, files, options) {
      const importer = IMPORTERS.find(candidate => candidate.name === name)!;
      return runImport(importer, files, { lake, ...options });
    },
    async report(name, files, options) {
      const result = await scratch.run(name, files, options);
      if (!result.ok) throw new Error(result.problems.map(problem => problem.message).join('\n'));
      return result.report;
    },
    async refusal(name, files, options) {
      const result = await scratch.run(name, files, options);
      if (result.ok) throw new Error('the import was not refused');
      return result.problems.map(({ code, message }) => `${code} ${message}`);
    },
    rows: (path, condition) => lakeRows(join(lake, path), condition),
  };
  return scratch;
}

async function lakeRows(path: string, condition = 'true'): Promise<Row[]> {
  const database = await openDatabase();
  try {
    return await database.rows<Row>(
      `FROM read_parquet('${path}', hive_partitioning = false) WHERE ${condition}`,
    );
  } finally {
    database.close();
  }
}
