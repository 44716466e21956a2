/** Derives the checks that follow from a contract's columns, and those of its rules. Pure. */
import type { BaseColumn, Column, Contracts, Dataset, Dimension, Rule } from '../contract/dataset.ts';
import { expectsNone } from '../contract/expectation.ts';
import { SLICE_COLUMN } from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier, literals } from '../lake/sql.ts';
import { type Check, derived, NONE } from './check.ts';
import { foreignKeyCheck, zeroChecks } from './code-checks.ts';
import { impliedRange } from './implied-range.ts';
import { periodRule } from './period-rule.ts';

const INT32 = 2 ** 31;
/** Control characters below the space, and a byte order mark at the beginning, which every decoder removes. */
export const UNFIT_TEXT = '[\\x00-\\x08\\x0b-\\x1f]|^\\x{FEFF}';

/** Derives every check of a dataset on the lake's slices: implied checks first, then the contract's own rules. */
export function datasetChecks(dataset: Dataset, contracts: Contracts, slices: readonly LakeSlice[]): Check[] {
  return [
    ...dataset.columns.flatMap(column => [...columnChecks(dataset, column), ...zeroChecks(dataset, column)]),
    ...dataset.foreignKeys.flatMap(key => foreignKeyCheck(dataset, key, contracts)),
    ...keyChecks(dataset, slices),
    ...dataset.rules.flatMap(rule => ruleCheck(dataset, rule)),
  ];
}

/** Derives the checks of a dimension: columns, key, and its contract's own rules. */
export function dimensionChecks(dimension: Dimension): Check[] {
  return [
    ...dimension.columns.flatMap(column => {
      const value = `t.${identifier(column.name)}`;
      const checks: Check[] = [];
      if (!column.nullable || column.role === 'key') checks.push(presence(column, value));
      if (column.validValues !== null) checks.push(allowedValues(dimension, column, column.validValues));
      if (column.type === 'integer') checks.push(integerCheck(column, value));
      if (column.type === 'number') checks.push(finiteCheck(column, value));
      if (column.type === 'string') checks.push(textCheck(column, value));
      return checks;
    }),
    {
      ...derived(
        null,
        'key_unique',
        'uniqueness',
        `No two rows share ${dimension.primaryKey.join(', ')}.`,
        '',
      ),
      measure: { kind: 'duplicates', columns: dimension.primaryKey, expectation: NONE },
    },
    ...dimension.rules.flatMap(rule => ruleCheck(dimension, rule)),
  ];
}

function presence(column: BaseColumn, value: string): Check {
  const { name } = column;
  return derived(
    column,
    `${name}_not_null`,
    'completeness',
    `${name} is present in every row.`,
    `${value} IS NULL`,
  );
}

function finiteCheck(column: BaseColumn, value: string): Check {
  const { name } = column;
  const description = `${name} is a finite number: no NaN, no infinity, no integer beyond ±(2^53 − 1).`;
  return derived(column, `${name}_finite`, 'conformity', description, `NOT isfinite(${value})`);
}

function textCheck(column: BaseColumn, value: string): Check {
  const { name } = column;
  const description = `${name} has no control characters below U+0020 other than tab and line feed, and does not begin with U+FEFF.`;
  const violation = `regexp_matches(${value}, '${UNFIT_TEXT}')`;
  return derived(column, `${name}_text`, 'conformity', description, violation);
}

function columnChecks(dataset: Dataset, column: Column): Check[] {
  const { name } = column;
  const value = `t.${identifier(name)}`;
  const checks: Check[] = [];
  if (!column.nullable) checks.push(presence(column, value));
  if (column.role === 'year') {
    checks.push(
      derived(
        column,
        'year_known',
        'coverage',
        `Every row's ${name} is one that the contract promises.`,
        `${value} NOT IN (${literals(dataset.years)})`,
      ),
    );
  }
  const period = column.role === 'time' ? periodRule(column, dataset.time.unit) : null;
  if (period !== null) {
    const violation = period.violation(value);
    checks.push(derived(column, `${name}_period`, 'conformity', period.description, violation));
  }
  if (column.validValues !== null) checks.push(allowedValues(dataset, column, column.validValues));
  if (column.type === 'integer') checks.push(integerCheck(column, value));
  if (column.type === 'number') checks.push(finiteCheck(column, value));
  const isKey = dataset.foreignKeys.some(key => key.columns.includes(name));
  if (column.type === 'string' && column.validValues === null && !isKey)
    checks.push(textCheck(column, value));
  const range = impliedRange(column);
  if (range !== null) {
    checks.push(derived(column, `${name}_range`, 'conformity', range.description, range.violation(value)));
  }
  return checks;
}

/** If a library rule of the contract states the list, the check takes that rule's name and description. */
function allowedValues(
  contract: Dataset | Dimension,
  column: BaseColumn,
  values: NonNullable<BaseColumn['validValues']>,
): Check {
  const stated = contract.rules.find(rule => rule.column === column.name && statesList(rule, contract));
  const value = `t.${identifier(column.name)}`;
  const check = derived(
    column,
    stated?.name ?? `${column.name}_values`,
    stated?.dimension ?? 'conformity',
    stated?.description || `${column.name} is one of the ${values.length} values that the contract lists.`,
    `${value} NOT IN (${literals(values)})`,
  );
  return stated === undefined ? check : { ...check, source: 'contract' };
}

/** Whether a column's allowed values were read from this rule, which allows no exception. */
function statesList(rule: Rule, contract: Dataset | Dimension): boolean {
  const { measure, expectation, severity, column } = rule;
  if (measure.kind !== 'invalidValues' || severity !== 'error' || !expectsNone(expectation)) return false;
  return contract.columns.some(one => one.name === column && one.validValues !== null);
}

function integerCheck(column: BaseColumn, value: string): Check {
  const { name } = column;
  return column.physical === 'int'
    ? derived(
        column,
        `${name}_safe_integer`,
        'conformity',
        `${name} fits a 32-bit integer, as the contract's type int says.`,
        `${value} < ${-INT32} OR ${value} >= ${INT32}`,
      )
    : derived(
        column,
        `${name}_safe_integer`,
        'conformity',
        `${name} is within ±(2^53 − 1), so that no reader rounds it.`,
        `${value} > ${Number.MAX_SAFE_INTEGER} OR ${value} < ${-Number.MAX_SAFE_INTEGER}`,
      );
}

/** Checks of the grain, of the folder's year and of the level's keys. */
function keyChecks(dataset: Dataset, slices: readonly LakeSlice[]): Check[] {
  const year = dataset.columns.find(column => column.role === 'year');
  const folderYears = `[${slices.map(slice => slice.year).join(', ')}]`;
  const checks: Check[] = [
    {
      ...derived(
        null,
        'grain_unique',
        'uniqueness',
        `No two rows share ${dataset.grain.join(', ')}; NULL counts as a value.`,
        '',
      ),
      // The contract does not promise a grain that the build guessed.
      ...(dataset.grainGuessed ? { severity: 'warning' as const } : {}),
      measure: { kind: 'duplicates', columns: dataset.grain, expectation: NONE },
    },
  ];
  if (year !== undefined) {
    checks.push({
      ...derived(
        null,
        'year_in_folder',
        'consistency',
        "Every row's year is the year of the folder that it is in.",
        `t.${identifier(year.name)} IS DISTINCT FROM (${folderYears})[t.${SLICE_COLUMN} + 1]`,
      ),
      column: year.name,
    });
  }
  const levels = levelViolation(dataset, slices);
  if (levels !== null) {
    checks.push(
      derived(
        null,
        'level_keys',
        'consistency',
        "Every row has the place keys of its level, and NULL in the place keys that are not its level's.",
        levels,
      ),
    );
  }
  return checks;
}

function levelViolation(dataset: Dataset, slices: readonly LakeSlice[]): string | null {
  const parts: string[] = [];
  for (const [level, keys] of dataset.levelKeys) {
    const indexes = slices.flatMap((slice, index) => (slice.detail === level ? [index] : []));
    const wrong = [
      ...keys.present.map(name => `t.${identifier(name)} IS NULL`),
      ...keys.absent.map(name => `t.${identifier(name)} IS NOT NULL`),
    ];
    if (indexes.length === 0 || wrong.length === 0) continue;
    parts.push(`(t.${SLICE_COLUMN} IN (${indexes.join(', ')}) AND (${wrong.join(' OR ')}))`);
  }
  return parts.length === 0 ? null : parts.join(' OR ');
}

/** The check of a rule that the contract states. Rules that only list allowed values are implied checks already. */
function ruleCheck(contract: Dataset | Dimension, rule: Rule): Check[] {
  const base = {
    name: rule.name,
    source: 'contract',
    column: rule.column,
    description: rule.description,
    dimension: rule.dimension,
    severity: rule.severity,
    ...(contract.native ? {} : { foreign: true as const }),
    place: rule.place,
  } as const;
  const { measure, expectation } = rule;
  switch (measure.kind) {
    case 'sql':
      return [{ ...base, measure: { kind: 'query', query: measure.query, expectation } }];
    case 'nullValues':
      return [{ ...base, measure: { kind: 'count', condition: anyNull(measure.columns), expectation } }];
    case 'missingValues':
      return [
        {
          ...base,
          measure: { kind: 'count', condition: anyMissing(contract, measure.columns), expectation },
        },
      ];
    case 'duplicateValues':
      return [{ ...base, measure: { kind: 'duplicates', columns: measure.columns, expectation } }];
    case 'rowCount':
      return [{ ...base, measure: { kind: 'count', condition: 'true', expectation } }];
    case 'invalidValues': {
      if (statesList(rule, contract) || rule.column === null) return [];
      const condition = `t.${identifier(rule.column)} NOT IN (${literals(measure.values)})`;
      return [{ ...base, measure: { kind: 'count', condition, expectation } }];
    }
    default:
      return measure satisfies never;
  }
}

function anyNull(columns: readonly string[]): string {
  return columns.map(name => `t.${identifier(name)} IS NULL`).join(' OR ');
}

/** ODCS counts empty text, like NULL, as missing. */
function anyMissing(contract: Dataset | Dimension, columns: readonly string[]): string {
  const parts = columns.map(name => {
    const isText = contract.columns.some(column => column.name === name && column.type === 'string');
    const value = `t.${identifier(name)}`;
    return isText ? `${value} IS NULL OR trim(${value}) = ''` : `${value} IS NULL`;
  });
  return parts.join(' OR ');
}
