/** Derives the checks of codes: whether their dimension has them, and whether they lost leading zeros. Pure. */
import type { Column, Contracts, Dataset, ForeignKey } from '../contract/dataset.ts';
import { dimensionTable, factTable } from '../lake/fact-table.ts';
import { identifier } from '../lake/sql.ts';
import { type Check, derived } from './check.ts';
import { profileTable } from './profile.ts';

/** Every code is in its dimension. */
export function foreignKeyCheck(dataset: Dataset, key: ForeignKey, contracts: Contracts): Check[] {
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
  // If another part of the key is NULL, nothing joins, but the key's own code must still exist in the dimension.
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

/** SQL of the dimension's key that a row's last key column is without its leading zeros; NULL if there is none. */
function paddedKey(
  table: string,
  others: readonly (readonly [local: string, target: string])[],
  [local, target]: readonly [local: string, target: string],
): string {
  const same = others.map(([own, other]) => ` AND ${own} = ${other}`).join('');
  return `(SELECT min(${target}::VARCHAR) FROM ${table} d WHERE ${target}::VARCHAR <> ${local}::VARCHAR AND ltrim(${target}::VARCHAR, '0') = ${local}::VARCHAR${same})`;
}

/** Names of columns whose codes all have the same number of digits. */
const FIXED_WIDTH = /(^|_)(fips|geo_?id|zip|zip_?code|zcta\d?|postal|postcode|plz)(_|$)/i;

/** Warns of codes that lost a leading zero, where no dimension tells which codes there are. */
export function zeroChecks(dataset: Dataset, column: Column): Check[] {
  const { name, role, type } = column;
  if (!FIXED_WIDTH.test(name) || /^(metric|attribute|time|year)$/.test(role)) return [];
  if (!['string', 'integer'].includes(type)) return [];
  if (dataset.foreignKeys.some(key => key.columns.includes(name))) return [];
  const value = `t.${identifier(name)}::VARCHAR`;
  const all = `p.${identifier(name)}::VARCHAR`;
  // One digit less than the longest, where all values are digits and none is shorter.
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
