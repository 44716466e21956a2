/** Asks for figures' histories at every level of a tree: by rows that differ in which columns of their key are NULL. */
import { createFolderFiles } from '../../../site/edge/adapters/folder.ts';
import { Catalog } from '../../../site/edge/catalog.ts';
import { createHyparquetExecutor } from '../../../site/edge/executors/hyparquet.ts';
import { createHandler } from '../../../site/edge/fetch.ts';

type Row = Readonly<Record<string, unknown>>;

export interface LevelHistories {
  /** Dataset, level and year. */
  readonly level: string;
  /** Questions whose answer does not end in the row in question. */
  readonly wrong: readonly string[];
  readonly rows: number;
  /** Rows of which the question leaves out a column of the key. */
  readonly partial: number;
  /** What the corrected URL of a question without a key answers; null if the level has only one row. */
  readonly corrected: { readonly status: number; readonly row: Row | null } | null;
}

/** The first and the last year of each level. */
export async function readFigureHistories(folder: string): Promise<readonly LevelHistories[]> {
  const files = createFolderFiles(folder);
  const executors = [createHyparquetExecutor({ bytes: Number.POSITIVE_INFINITY, rows: 1e6 })];
  const handler = createHandler(files, { executors });
  const ask = async (url: string) => {
    const answer = await handler(new Request(`http://edge.test${url}`));
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const catalog = new Catalog(files, { refreshAfter: Number.POSITIVE_INFINITY, now: () => 0 });
  const tree = await catalog.current();
  const found: LevelHistories[] = [];
  for (const { key } of tree.manifest.datasets) {
    const { table } = (await catalog.subject(tree, key))!;
    const names = table.order.map(position => table.columns[position]!.name).filter(name => name !== 'year');
    for (const level of table.levels.values())
      for (const year of new Set([level.years[0], level.years.at(-1)])) {
        const query = `${key}?detail=${level.name}&year=${year}`;
        const url = `/api/v1/${query}&history=true`;
        const rows = oneOfEachKind((await ask(`/api/v1/${query}&limit=1000`)).body.data, names);
        const wrong: string[] = [];
        let partial = 0;
        for (const row of rows) {
          const given = names.filter(name => row[name] !== null);
          if (given.length < names.length) partial++;
          const own = given.map(name => `&${name}=${encodeURIComponent(String(row[name]))}`).join('');
          const last = (await ask(url + own)).body.history?.at(-1).row;
          if (JSON.stringify(last) !== JSON.stringify(row)) wrong.push(url + own);
        }
        const half = await ask(url);
        const right = half.status === 200 ? null : await ask(half.body.detail[0].ctx.url);
        const corrected = right && { status: right.status, row: right.body.history?.at(-1).row ?? null };
        found.push({ level: query, wrong, rows: rows.length, partial, corrected });
      }
  }
  return found;
}

function oneOfEachKind(rows: readonly Row[], names: readonly string[]): readonly Row[] {
  return [...new Map(rows.map(row => [names.map(name => row[name] === null).join(), row])).values()];
}
