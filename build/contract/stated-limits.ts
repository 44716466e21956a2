import type { RawProperty } from './contract-profile.ts';
import type { Rule } from './dataset.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import { sqlName, sqlText } from './sql-text.ts';
import type { Path } from './yaml-document.ts';

interface Limit {
  /** Logical types that the limit applies to. */
  readonly of: readonly string[];
  readonly isOne: (limit: unknown) => boolean;
  /** A condition that is true for the rows that break the limit. */
  readonly broken: (column: string, limit: unknown) => string;
}

const isNumber = (limit: unknown) => Number.isFinite(limit);
const ofNumbers = (operator: string): Limit => ({
  of: ['integer', 'number'],
  isOne: isNumber,
  broken: (column, limit) => `${column} ${operator} ${limit}`,
});
const ofLengths = (operator: string): Limit => ({
  of: ['string'],
  isOne: isNumber,
  broken: (column, limit) => `length(${column}) ${operator} ${limit}`,
});

const LIMITS: ReadonlyMap<string, Limit> = new Map([
  ['minimum', ofNumbers('<')],
  ['maximum', ofNumbers('>')],
  ['exclusiveMinimum', ofNumbers('<=')],
  ['exclusiveMaximum', ofNumbers('>=')],
  [
    'multipleOf',
    {
      of: ['integer'],
      isOne: limit => isNumber(limit) && Number(limit) > 0,
      broken: (column, limit) => `${column} % ${limit} <> 0`,
    },
  ],
  ['minLength', ofLengths('<')],
  ['maxLength', ofLengths('>')],
  [
    'pattern',
    {
      of: ['string'],
      isOne: limit => typeof limit === 'string',
      broken: (column, limit) => `NOT regexp_matches(${column}, ${sqlText(String(limit))})`,
    },
  ],
]);

/**
 * Turns the limits that a column states next to its rules (`unique`, `logicalTypeOptions`) into rules. A limit that
 * rows cannot be checked against gets a `rule-not-run` warning.
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
    const known = LIMITS.get(key);
    // A format or a time zone describes a value without limiting it.
    if (known === undefined || limit === null) continue;
    const at = [...path, 'logicalTypeOptions', key];
    if (!known.of.includes(raw.logicalType ?? '') || !known.isOne(limit)) {
      const message = `${key} ${quote(limit)} is not checked, because a column of type ${raw.logicalType ?? 'unknown'} has no such limit: write a rule for it`;
      problems.warning(at, 'rule-not-run', message);
      continue;
    }
    const description = `${name} keeps to ${key} ${quote(limit)}.`;
    const query = `SELECT COUNT(*) FROM {object} WHERE ${known.broken(sqlName(name), limit)}`;
    rules.push(rule(key, at, description, { kind: 'sql', query }));
  }
  return rules;
}
