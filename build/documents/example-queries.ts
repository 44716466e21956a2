/** Selects the example queries that the published rows answer, for a release with fewer rows than its contract promises. */
import { Database } from '../lake/database.ts';
import { identifier, literal, parquetRows } from '../lake/sql.ts';

export interface LevelRows {
  readonly detail: string;
  /** Parquet files, absolute. */
  readonly files: readonly string[];
}

interface Query {
  readonly query: string;
}

/** Time limit of a query. The build publishes a slower query unchanged. */
const SECONDS = 20;
const EXAMINED_ROWS = 100;

/**
 * Omits queries that find only NULL and zero in these rows. Keeps a query that fails, because it may read other
 * datasets. The texts are untrusted: they run in a locked database of their own.
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
    const selects = levels.map(
      ({ detail, files }) =>
        `SELECT ${hasLevel ? '' : `${literal(detail)} AS detail, `}* FROM ${parquetRows(files)}`,
    );
    await session.run(`CREATE VIEW ${identifier(topic)} AS ${selects.join(' UNION ALL ')}`);
    await database.lock(levels.flatMap(level => level.files));
    const answered: Example[] = [];
    for (const example of examples) {
      const query = example.query.trim().replace(/;\s*$/, '');
      const finds = await session
        .within(SECONDS, () => session.firstRows(`SELECT * FROM (\n${query}\n)`, EXAMINED_ROWS))
        .then(rows => rows.some(row => Object.values(row).some(value => value !== null && value !== 0)))
        .catch(() => true);
      if (finds) answered.push(example);
    }
    return answered;
  } finally {
    database.close();
  }
}
