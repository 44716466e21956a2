/** Files that a tree has no room for: their rows are in their slice's Parquet, and their names go on working. */
import { PAGE_ROWS } from '../../build/format/documents.ts';
import { pageName, parseSlicePath } from '../../build/format/paths.ts';
import { planRequest } from '../query/planner.ts';
import type { RowsRequest } from '../query/request.ts';
import type { Answer, Incoming } from './answer.ts';
import type { Tree } from './catalog.ts';
import { answerPlan } from './rows.ts';
import type { Site } from './site.ts';

/** The file as it would be stored; null where the path is no file of a slice, or its slice is stored in that format. */
export async function answerLeftOut(
  { files, catalog, executors }: Site,
  incoming: Incoming,
  tree: Tree,
  path: string,
): Promise<Answer | null> {
  const file = parseSlicePath(path);
  if (file === null || file.format === 'parquet' || (file.format === 'csv' && file.page > 1)) return null;
  const { domain, topic, year, detail, format, page } = file;
  const subject = await catalog.subject(tree, `${domain}/${topic}`);
  const slice = subject?.table.levels.get(detail)?.slices.find(one => one.year === year);
  const offset = (page - 1) * PAGE_ROWS;
  if (!subject || !slice || slice[format].length > 0 || offset >= slice.rows) return null;
  const request: RowsRequest = {
    format,
    detail,
    years: { exact: year, min: null, max: null },
    conditions: [],
    offset,
    limit: format === 'json' ? PAGE_ROWS : null,
  };
  const context = { files, executors, incoming, pairs: [], nextFile: pageName(detail, format, page + 1) };
  return answerPlan(context, planRequest(subject.table, request));
}
