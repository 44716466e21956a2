import { parseNotIn } from './not-in-rule.ts';
import type { Problems } from './problems.ts';
import type { ReadMeasure, RuleSource } from './rule-source.ts';

/**
 * The measure of a `type: sql` rule. The table is `{object}` afterwards, however the contract's version of ODCS
 * writes it, and a placeholder for the column is the column. A bare `col NOT IN (…)` counts the rows it is true of.
 */
export function readSqlMeasure(source: RuleSource, problems: Problems): ReadMeasure | null {
  const { raw, path, column, columns } = source;
  const stated = raw.query?.trim() ?? '';
  const fail = (message: string) => {
    problems.error([...path, 'query'], 'rule-query', message);
    return null;
  };
  if (stated === '') return fail('the rule has no query: add a SELECT that returns one number');
  if (column === null && /\$?\{(?:property|column)\}/.test(stated)) {
    return fail('{property} stands for a column, but the rule is the whole table’s: name the column');
  }
  const query = stated
    .replace(/\$?\{(?:object|table)\}/g, '{object}')
    .replace(/\$?\{(?:property|column)\}/g, () => `"${column}"`);
  const list = parseNotIn(query);
  if (list?.bare === true) {
    const about = column ?? (columns.includes(list.column) ? list.column : null);
    if (about === null || about !== list.column) {
      return fail('the condition is about another column than the rule: write the rule under its column');
    }
    const measure = { kind: 'invalidValues', values: list.values } as const;
    return { measure, name: `${about}_invalidValues`, dimension: 'conformity', column: about };
  }
  // Whether it is one SELECT, and of known columns, is for the database to say; that it is none is plain here.
  if (!/^\(*\s*(?:select|with|from)\b/i.test(stripComments(query))) {
    return fail(
      'the query is no SELECT: write one that returns one number, as SELECT COUNT(*) FROM {object} WHERE …',
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
