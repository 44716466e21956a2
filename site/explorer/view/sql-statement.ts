/** Writes a question as a statement for the console, whose tables have the level of each row in `detail`. */

import { renderCondition } from '../../query/condition.ts';
import { parseRequest } from '../../query/request-parser.ts';
import { quoteName } from '../../query/select-sql.ts';
import type { ExploredDataset } from './dataset.ts';
import { type Question, toParameters } from './question.ts';

/** Null if the API would refuse the question. */
export function writeStatement(dataset: ExploredDataset, question: Question): string | null {
  const { schema, table, yearColumn } = dataset;
  const pairs = toParameters(dataset, question).map(([name, value]) => ({ name, value }));
  const parsed = parseRequest(table, pairs);
  if (!('request' in parsed)) return null;
  const { detail, years, conditions } = parsed.request;
  const year = quoteName(yearColumn);
  const where = [
    `detail = '${detail}'`,
    ...(years.exact === null ? [] : [`${year} = ${years.exact}`]),
    ...(years.min === null ? [] : [`${year} >= ${years.min}`]),
    ...(years.max === null ? [] : [`${year} <= ${years.max}`]),
    ...conditions.map(renderCondition),
  ];
  const from = `${quoteName(schema.main_topic)}.${quoteName(schema.topic)}`;
  const order = schema.grain.map(quoteName).join(', ');
  return `SELECT *\nFROM ${from}\nWHERE ${where.join('\n  AND ')}${order === '' ? '' : `\nORDER BY ${order}`}`;
}
