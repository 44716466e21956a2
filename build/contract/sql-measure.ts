import { parseNotIn } from './not-in-rule.ts';
import type { Problems } from './problems.ts';
import type { ReadMeasure, RuleSource } from './rule-source.ts';

/**
 * Reads the measure of a `type: sql` rule. The result writes the table as `{object}`, whichever form the contract's
 * version of ODCS uses, and fills in the column's placeholder. A bare `col NOT IN (…)` counts the rows it is true for.
 */
export function readSqlMeasure(source: RuleSource, problems: Problems): ReadMeasure | null {
  const { raw, path, column, columns } = source;
  const stated = raw.query?.trim() ?? '';
  const fail = (message: string) => {
    problems.doubt([...path, 'query'], 'rule-query', message);
    return null;
  };
  if (stated === '') return fail('the rule has no query: add a SELECT that returns one number');
  if (column === null && /\$?\{(?:property|column)\}/.test(stated)) {
    return fail('{property} stands for a column, but this is a rule of the whole table: name the column');
  }
  const query = stated
    .replace(/\$?\{(?:object|table)\}/g, '{object}')
    .replace(/\$?\{(?:property|column)\}/g, () => `"${column}"`);
  const list = parseNotIn(query);
  if (list?.bare === true) {
    const about = column ?? (columns.includes(list.column) ? list.column : null);
    if (about === null || about !== list.column) {
      return fail('the condition concerns another column than the rule: write the rule under that column');
    }
    const measure = { kind: 'invalidValues', values: list.values } as const;
    return { measure, name: `${about}_invalidValues`, dimension: 'conformity', column: about };
  }
  // The database later checks that it is one SELECT over known columns. A text that is not a SELECT is refused here.
  if (!/^\(*\s*(?:select|with|from)\b/i.test(stripComments(query))) {
    return fail(
      'the query is not a SELECT: write one that returns one number, such as SELECT COUNT(*) FROM {object} WHERE …',
    );
  }
  return { measure: { kind: 'sql', query }, name: null, dimension: 'accuracy', column };
}

function stripComments(query: string): string {
  let rest = query;
  for (;;) {
    const end = rest.startsWith('--')
      ? rest.indexOf('\n')
      : rest.startsWith('/*')
        ? rest.indexOf('*/') + 1
        : -1;
    if (end <= 0) return rest;
    rest = rest.slice(end + 1).trimStart();
  }
}
