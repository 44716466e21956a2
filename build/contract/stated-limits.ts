import type { RawProperty } from './contract-profile.ts';
import type { Rule } from './dataset.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import { sqlName, sqlText } from './sql-text.ts';
import type { Path } from './yaml-document.ts';

/** Of each limit, the rows that break it, as a condition; null of a value that is none. */
const BROKEN: Readonly<Record<string, (column: string, limit: unknown) => string | null>> = {
  minimum: (column, limit) => (isNumber(limit) ? `${column} < ${limit}` : null),
  maximum: (column, limit) => (isNumber(limit) ? `${column} > ${limit}` : null),
  exclusiveMinimum: (column, limit) => (isNumber(limit) ? `${column} <= ${limit}` : null),
  exclusiveMaximum: (column, limit) => (isNumber(limit) ? `${column} >= ${limit}` : null),
  multipleOf: (column, limit) => (isNumber(limit) && limit > 0 ? `${column} % ${limit} <> 0` : null),
  minLength: (column, limit) => (isNumber(limit) ? `length(${column}) < ${limit}` : null),
  maxLength: (column, limit) => (isNumber(limit) ? `length(${column}) > ${limit}` : null),
  pattern: (column, limit) =>
    typeof limit === 'string' ? `NOT regexp_matches(${column}, ${sqlText(limit)})` : null,
};

/** Which limits can be held against rows of which type. */
const LIMITS_OF: Readonly<Record<string, readonly string[]>> = {
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  string: ['minLength', 'maxLength', 'pattern'],
};

/**
 * What ODCS has a column say beside its rules (`unique`, `logicalTypeOptions`), as rules: rows are checked against it. What
 * cannot be held against rows gets a `rule-not-run` warning.
 */
export function readLimits(raw: RawProperty, path: Path, problems: Problems): Rule[] {
  const { name } = raw;
  if (name === undefined) return [];
  const rule = (key: string, at: Path, description: string, measure: Rule['measure']): Rule => ({
    name: `${name}_${key}`,
    description,
    dimension: key === 'unique' ? 'uniqueness' : 'conformity',
    severity: 'error',
    column: name,
    measure,
    expectation: { operator: 'mustBe', value: 0 },
    place: problems.placeOf(at),
  });
  const rules: Rule[] = [];
  if (raw.unique === true) {
    const description = `No two rows share ${name}.`;
    rules.push(
      rule('unique', [...path, 'unique'], description, { kind: 'duplicateValues', columns: [name] }),
    );
  }
  for (const [key, limit] of Object.entries(raw.logicalTypeOptions ?? {})) {
    const broken = BROKEN[key];
    // A format or a time zone says what a value is, and limits none.
    if (broken === undefined || limit === null) continue;
    const at = [...path, 'logicalTypeOptions', key];
    const known = (LIMITS_OF[raw.logicalType ?? ''] ?? []).includes(key);
    const condition = known ? broken(sqlName(name), limit) : null;
    if (condition === null) {
      const message = `${key} ${quote(limit)} is not checked: it is no limit of a column of type ${raw.logicalType ?? 'unknown'}; write a rule for it`;
      problems.warning(at, 'rule-not-run', message);
      continue;
    }
    const description = `${name} keeps to ${key} ${quote(limit)}.`;
    const query = `SELECT COUNT(*) FROM {object} WHERE ${condition}`;
    rules.push(rule(key, at, description, { kind: 'sql', query }));
  }
  return rules;
}

function isNumber(limit: unknown): limit is number {
  return typeof limit === 'number' && Number.isFinite(limit);
}
