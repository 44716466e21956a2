/** Derives the checks of a contract: those that its columns imply, and those of its quality rules. Pure. */
import { PERIOD_TEXTS } from '../contract/compile-dataset.ts';
import type {
  BaseColumn,
  Column,
  Contracts,
  Dataset,
  DatasetTime,
  Dimension,
  ForeignKey,
  Rule,
} from '../contract/dataset.ts';
import { expectsNone } from '../contract/quality-rules.ts';
import { dimensionTable, factTable, SLICE_COLUMN } from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier, literal, literals } from '../lake/sql.ts';
import { type Check, derived, NONE } from './check.ts';
import { profileTable } from './profile.ts';

const INT32 = 2 ** 31;
/** Control characters, and a byte order mark at the start, which decoders remove. */
export const UNFIT_TEXT = '[\\x00-\\x08\\x0b-\\x1f]|^\\x{FEFF}';

/** Implied checks first, then the contract's own rules. */
export function datasetChecks(dataset: Dataset, contracts: Contracts, slices: readonly LakeSlice[]): Check[] {
  return [
    ...dataset.columns.flatMap(column => [...columnChecks(dataset, column), ...zeroChecks(dataset, column)]),
    ...dataset.foreignKeys.flatMap(key => foreignKeyCheck(dataset, key, contracts)),
    ...keyChecks(dataset, slices),
    ...dataset.rules.flatMap(rule => ruleCheck(dataset, rule)),
  ];
}

export function dimensionChecks(dimension: Dimension): Check[] {
  return [
    ...dimension.columns.flatMap(column => [
      ...(!column.nullable || column.role === 'key' ? [presence(column)] : []),
      ...valueChecks(dimension, column, true),
    ]),
    uniqueness(dimension.primaryKey, 'key_unique'),
    ...dimension.rules.flatMap(rule => ruleCheck(dimension, rule)),
  ];
}

function presence(column: BaseColumn): Check {
  const { name } = column;
  const description = `${name} is present in every row.`;
  return derived(column, `${name}_not_null`, 'completeness', description, `t.${identifier(name)} IS NULL`);
}

/** What a column's list of values and its type imply. `isText`: whether any text may occur. */
function valueChecks(contract: Dataset | Dimension, column: BaseColumn, isText: boolean): Check[] {
  const { name, type, physical, validValues } = column;
  const value = `t.${identifier(name)}`;
  const conforms = (what: string, description: string, violation: string) =>
    derived(column, `${name}_${what}`, 'conformity', `${name} ${description}`, violation);
  const checks = validValues === null ? [] : [allowedValues(contract, column, validValues)];
  if (type === 'integer' && physical === 'int') {
    const description = "is a whole number that fits 32 bits, as the contract's type int says.";
    const violation = `${value} < ${-INT32} OR ${value} >= ${INT32} OR ${value} <> trunc(${value})`;
    checks.push(conforms('safe_integer', description, violation));
  } else if (type === 'integer') {
    const most = Number.MAX_SAFE_INTEGER;
    const description = 'is a whole number within ±(2^53 − 1), so that no reader rounds it.';
    const violation = `${value} > ${most} OR ${value} < ${-most} OR ${value} <> trunc(${value})`;
    checks.push(conforms('safe_integer', description, violation));
  } else if (type === 'number') {
    const description = 'is a finite number: no NaN, no infinity, no integer beyond ±(2^53 − 1).';
    checks.push(conforms('finite', description, `NOT isfinite(${value})`));
  } else if (type === 'string' && isText) {
    const description =
      'has no control characters below U+0020 other than tab and line feed, and does not begin with U+FEFF.';
    checks.push(conforms('text', description, `regexp_matches(${value}, '${UNFIT_TEXT}')`));
  }
  return checks;
}

function columnChecks(dataset: Dataset, column: Column): Check[] {
  const { name } = column;
  const value = `t.${identifier(name)}`;
  const checks: Check[] = [];
  if (!column.nullable) checks.push(presence(column));
  if (column.role === 'year') {
    const description = `Every row's ${name} is one that the contract promises.`;
    const violation = `${value} NOT IN (${literals(dataset.years)})`;
    checks.push(derived(column, 'year_known', 'coverage', description, violation));
  }
  const period = column.role === 'time' ? periodRule(column, dataset.time.unit) : null;
  if (period !== null) {
    const violation = period.violation(value);
    checks.push(derived(column, `${name}_period`, 'conformity', period.description, violation));
  }
  const isKey = dataset.foreignKeys.some(key => key.columns.includes(name));
  checks.push(...valueChecks(dataset, column, column.validValues === null && !isKey));
  const range = impliedRange(column);
  if (range !== null) {
    checks.push(derived(column, `${name}_range`, 'conformity', range.description, range.violation(value)));
  }
  return checks;
}

/** If a library rule states the list, the check takes its name and description. */
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

/** Whether this rule defines a column's allowed values: it allows no exception. */
function statesList(rule: Rule, contract: Dataset | Dimension): boolean {
  const { measure, expectation, severity, column } = rule;
  if (measure.kind !== 'invalidValues' || severity !== 'error' || !expectsNone(expectation)) return false;
  return contract.columns.some(one => one.name === column && one.validValues !== null);
}

function keyChecks(dataset: Dataset, slices: readonly LakeSlice[]): Check[] {
  const year = dataset.columns.find(column => column.role === 'year');
  const checks = [uniqueness(dataset.grain, 'grain_unique', '; NULL counts as a value')];
  // A guessed grain isn't a promise.
  if (dataset.grainGuessed) checks[0] = { ...checks[0]!, severity: 'warning' };
  if (year !== undefined) {
    const description = "Every row's year is the year of the folder that it is in.";
    const folderYears = `[${slices.map(slice => slice.year).join(', ')}]`;
    const violation = `t.${identifier(year.name)} IS DISTINCT FROM (${folderYears})[t.${SLICE_COLUMN} + 1]`;
    const check = derived(null, 'year_in_folder', 'consistency', description, violation);
    checks.push({ ...check, column: year.name });
  }
  const levels = levelViolation(dataset, slices);
  if (levels !== null) {
    const description =
      "Every row has the place keys of its level, and NULL in the place keys that are not its level's.";
    checks.push(derived(null, 'level_keys', 'consistency', description, levels));
  }
  return checks;
}

function uniqueness(columns: readonly string[], name: string, note = ''): Check {
  const description = `No two rows share ${columns.join(', ')}${note}.`;
  const check = derived(null, name, 'uniqueness', description, '');
  return { ...check, measure: { kind: 'duplicates', columns, expectation: NONE } };
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

/** Rules that only list allowed values are implied checks already. */
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
      return [{ ...base, measure: { kind: 'rows', condition: anyNull(measure.columns), expectation } }];
    case 'missingValues':
      return [
        {
          ...base,
          measure: { kind: 'rows', condition: anyMissing(contract, measure.columns), expectation },
        },
      ];
    case 'duplicateValues':
      return [{ ...base, measure: { kind: 'duplicates', columns: measure.columns, expectation } }];
    case 'rowCount':
      return [{ ...base, measure: { kind: 'rows', condition: 'true', expectation } }];
    case 'invalidValues': {
      if (statesList(rule, contract) || rule.column === null) return [];
      const condition = `t.${identifier(rule.column)} NOT IN (${literals(measure.values)})`;
      return [{ ...base, measure: { kind: 'rows', condition, expectation } }];
    }
    default:
      return measure satisfies never;
  }
}

function anyNull(columns: readonly string[]): string {
  return columns.map(name => `t.${identifier(name)} IS NULL`).join(' OR ');
}

/** ODCS counts empty text as missing, like NULL. */
function anyMissing(contract: Dataset | Dimension, columns: readonly string[]): string {
  const parts = columns.map(name => {
    const isText = contract.columns.some(column => column.name === name && column.type === 'string');
    const value = `t.${identifier(name)}`;
    return isText ? `${value} IS NULL OR trim(${value}) = ''` : `${value} IS NULL`;
  });
  return parts.join(' OR ');
}

function foreignKeyCheck(dataset: Dataset, key: ForeignKey, contracts: Contracts): Check[] {
  const dimension = contracts.dimensions.get(key.dimension);
  if (dimension === undefined) return [];
  const pairs = key.columns.map(
    (column, i) => [`t.${identifier(column)}`, `d.${identifier(key.targetColumns[i] ?? column)}`] as const,
  );
  const present = pairs.map(([local]) => `${local} IS NOT NULL`).join(' AND ');
  const equal = pairs.map(([local, target]) => `${local} = ${target}`).join(' AND ');
  const column = dataset.columns.find(candidate => candidate.name === key.column) ?? null;
  const table = dimensionTable(dimension).table;
  const unknown = `${present} AND NOT EXISTS (SELECT 1 FROM ${table} d WHERE ${equal})`;
  // If another part of the key is NULL, nothing joins, but the key's own code must still be in the dimension.
  const [last] = pairs.slice(-1);
  const alone =
    pairs.length === 1 || last === undefined
      ? ''
      : ` OR (${last[0]} IS NOT NULL AND NOT (${present}) AND NOT EXISTS (SELECT 1 FROM ${table} d WHERE ${last[0]} = ${last[1]}))`;
  return [
    {
      ...derived(
        column,
        `${key.column}_known`,
        'consistency',
        `Every ${key.columns.join(' and ')} is in the dimension ${dimension.name}.`,
        '',
      ),
      measure: {
        kind: 'values',
        columns: key.columns,
        violation: `(${unknown})${alone}`,
        ...(last === undefined ? {} : { meant: paddedKey(table, pairs.slice(0, -1), last) }),
      },
    },
  ];
}

/** SQL of the dimension's key that the row's last key column lost leading zeros of; NULL if there is none. */
function paddedKey(
  table: string,
  others: readonly (readonly [local: string, target: string])[],
  [local, target]: readonly [local: string, target: string],
): string {
  const same = others.map(([own, other]) => ` AND ${own} = ${other}`).join('');
  return `(SELECT min(${target}::VARCHAR) FROM ${table} d WHERE ${target}::VARCHAR <> ${local}::VARCHAR AND ltrim(${target}::VARCHAR, '0') = ${local}::VARCHAR${same})`;
}

/** Names of columns whose codes all have the same length. */
const FIXED_WIDTH = /(^|_)(fips|geo_?id|zip|zip_?code|zcta\d?|postal|postcode|plz)(_|$)/i;

/** Warns about codes that lost a leading zero, if no dimension lists the codes. */
function zeroChecks(dataset: Dataset, column: Column): Check[] {
  const { name, role, type } = column;
  if (!FIXED_WIDTH.test(name) || /^(metric|attribute|time|year)$/.test(role)) return [];
  if (!['string', 'integer'].includes(type)) return [];
  if (dataset.foreignKeys.some(key => key.columns.includes(name))) return [];
  const value = `t.${identifier(name)}::VARCHAR`;
  const all = `p.${identifier(name)}::VARCHAR`;
  // One digit less than the longest, if all values are digits and none is shorter.
  const short = `(SELECT CASE WHEN bool_and(regexp_full_match(${all}, '[0-9]+')) AND max(length(${all})) = min(length(${all})) + 1 THEN min(length(${all})) END FROM ${profileTable(factTable(dataset), [name])} p)`;
  const check = derived(
    column,
    `${name}_zeros`,
    'conformity',
    `All codes of ${name} have the same number of digits: none has lost a leading zero.`,
    '',
  );
  return [
    {
      ...check,
      severity: 'warning',
      measure: {
        kind: 'values',
        columns: [name],
        violation: `length(${value}) = ${short}`,
        meant: `'0' || ${value}`,
      },
    },
  ];
}

/** From the unit (a proportion is 0 to 1, counts and ratios aren't negative) and from the contract. */
export function impliedRange(
  column: Column,
): { description: string; violation: (value: string) => string } | null {
  if (column.type !== 'integer' && column.type !== 'number') return null;
  if (column.role === 'year') return null;
  const implied = UNIT_BOUNDS[column.unit ?? ''] ?? {};
  const low = column.valueMin ?? implied.low;
  const high = column.valueMax ?? implied.high;
  if (low === undefined && high === undefined) return null;
  const bounds =
    low !== undefined && high !== undefined
      ? `${low} to ${high}`
      : low !== undefined
        ? `at least ${low}`
        : `at most ${high}`;
  return {
    description: `${column.name} is ${bounds}${column.unit === null ? '' : ` (${column.unit})`}.`,
    violation: value => {
      const below = low === undefined ? [] : [`${value} < ${low}`];
      const above = high === undefined ? [] : [`${value} > ${high}`];
      const outside = [...below, ...above].join(' OR ');
      // Another check reports NaN and infinity.
      return column.type === 'number' ? `isfinite(${value}) AND (${outside})` : outside;
    },
  };
}

export const UNIT_BOUNDS: Readonly<Record<string, { readonly low?: number; readonly high?: number }>> = {
  proportion: { low: 0, high: 1 },
  count: { low: 0 },
  ratio: { low: 0 },
  percentile: { low: 0, high: 100 },
};

interface PeriodRule {
  readonly description: string;
  /** True for a value that isn't a period. */
  readonly violation: (value: string) => string;
}

/** Null if every date or timestamp is allowed. */
function periodRule({ name, type }: Column, unit: DatasetTime['unit']): PeriodRule | null {
  if (type === 'string' && (unit === 'quarter' || unit === 'month')) {
    const { pattern, example } = PERIOD_TEXTS[unit];
    return {
      description: `${name} is a ${unit} such as ${example}.`,
      violation: value => `NOT regexp_matches(${value}, ${literal(pattern)})`,
    };
  }
  if (type !== 'date' || unit === 'day') return null;
  return {
    description: `${name} is the first day of a ${unit}.`,
    violation: value => `${value} <> date_trunc(${literal(unit)}, ${value})`,
  };
}
