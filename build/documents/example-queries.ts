/** Which of a contract's example queries the published rows answer, where a release holds less than its contract promises. */
import { Database } from '../lake/database.ts';
import { identifier, literal, parquetRows } from '../lake/sql.ts';

/** A level's rows as published. */
export interface LevelRows {
  readonly detail: string;
  /** Parquet files, absolute. */
  readonly files: readonly string[];
}

interface Query {
  readonly query: string;
}

/** One that takes longer is published as the contract has it. */
const SECONDS = 20;
const LOOKED_AT = 100;

/**
 * The queries without those that find nothing but NULL and zero in these rows. A query that cannot be run over them
 * alone stays: it may read other datasets. The texts are untrusted: they run in a locked database of their own.
 */
export async function answeredQueries<Example extends Query>(
  examples: readonly Example[],
  topic: string,
  levels: readonly LevelRows[],
  columns: readonly string[],
  temporaryFolder: string,
): Promise<Example[]> {
  const database = await Database.open({ threads: 1, memoryLimit: '400MB', temporaryFolder });
  try {
    const session = await database.connect();
    const hasLevel = columns.some(name => name.toLowerCase() === 'detail');
    const parts = levels.map(
      ({ detail, files }) =>
        `SELECT ${hasLevel ? '' : `${literal(detail)} AS detail, `}* FROM ${parquetRows(files)}`,
    );
    await session.run(`CREATE VIEW ${identifier(topic)} AS ${parts.join(' UNION ALL ')}`);
    await database.lock(levels.flatMap(level => level.files));
    const answered: Example[] = [];
    for (const example of examples) {
      const query = example.query.trim().replace(/;\s*$/, '');
      const finds = await session
        .within(SECONDS, () => session.firstRows(`SELECT * FROM (\n${query}\n)`, LOOKED_AT))
        .then(rows => rows.some(row => Object.values(row).some(value => value !== null && value !== 0)))
        .catch(() => true);
      if (finds) answered.push(example);
    }
    return answered;
  } finally {
    database.close();
  }
}
