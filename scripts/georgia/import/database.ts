import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { CODE_MACROS } from './codes.ts';
import { suppressionMacros } from './suppression.ts';

/** A scratch DuckDB in memory, with the importers' macros defined. */
export interface Database {
  /** Runs one or more statements and ignores their rows. */
  run(sql: string): Promise<void>;
  /** Rows of one query. 64-bit integers must be cast to INTEGER or VARCHAR by the query. */
  rows<Row extends object>(sql: string): Promise<Row[]>;
  close(): void;
}

/** @param markers further texts that mean "withheld" */
export async function openDatabase(markers: readonly string[] = []): Promise<Database> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection: DuckDBConnection = await instance.connect();
  const database: Database = {
    async run(sql) {
      await connection.run(sql);
    },
    async rows<Row extends object>(sql: string) {
      const reader = await connection.runAndReadAll(sql);
      return reader.getRowObjectsJS() as Row[];
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
  await database.run([...suppressionMacros(markers), ...CODE_MACROS].join(';\n'));
  return database;
}
