/**
 * The smallest changes to a table `t` that break a derived check, worked out from what the check says. A check with two
 * sides (below and above a range, a key too many and a key too few) has a change for each.
 */
import type { Check } from '../../../build/check/check.ts';
import type { BaseColumn, Dataset, Dimension } from '../../../build/contract/dataset.ts';
import { identifier, literal } from '../../../build/lake/sql.ts';

const UNKNOWN = 'unheard-of';
const NO_YEAR = 9999;

export interface DerivedBreak {
  /** What is done: `NULL`, `above 1`. */
  readonly what: string;
  readonly sql: string;
}

/** None where the check is not a derived one, or of a kind that nobody has thought of here. */
export function derivedBreaks(
  contract: Dataset | Dimension,
  check: Check,
  levels: readonly string[],
): DerivedBreak[] {
  const column = contract.columns.find(candidate => candidate.name === check.column);
  if (check.measure.kind === 'duplicates')
    return [
      { what: 'a row twice', sql: 'INSERT INTO t SELECT * FROM t WHERE rowid = (SELECT min(rowid) FROM t)' },
    ];
  if (check.name === 'level_keys' && contract.kind === 'dataset') return levelBreaks(contract, levels);
  if (column === undefined) return [];
  const set = (what: string, value: string) => ({ what, sql: setFirst(column, value) });
  switch (check.name) {
    case 'year_known':
      return [set('a year that is not promised', String(NO_YEAR))];
    case 'year_in_folder':
      return [set('the year after', `${identifier(column.name)} + 1`)];
    case `${column.name}_not_null`:
      return [set('NULL', 'NULL')];
    case `${column.name}_finite`:
      return [set('NaN', "'NaN'"), set('infinity', "'infinity'"), set('minus infinity', "'-infinity'")];
    case `${column.name}_text`:
      return [
        set('a control character', "concat('a', chr(1))"),
        set('a carriage return', "concat('a', chr(13))"),
      ];
    case `${column.name}_safe_integer`:
      return column.physical === 'int'
        ? [set('2^31', String(2 ** 31)), set('-2^31 - 1', String(-(2 ** 31) - 1))]
        : [set('2^53', String(2 ** 53)), set('-2^53', String(-(2 ** 53)))];
    case `${column.name}_range`:
      return rangeBreaks(column, check);
    case `${column.name}_known`:
      return contract.kind === 'dataset' ? unknownKey(contract, column) : [];
    default:
      return allowsList(column, check) ? [set('a value outside the list', outside(column))] : [];
  }
}

function setFirst(column: BaseColumn, value: string): string {
  return `UPDATE t SET ${identifier(column.name)} = ${value} WHERE rowid = (SELECT min(rowid) FROM t)`;
}

/** Names of allowed-values checks are the contract's; what they measure tells them. */
function allowsList(column: BaseColumn, { measure }: Check): boolean {
  return (
    column.validValues !== null &&
    (measure.kind === 'rows' || measure.kind === 'values') &&
    measure.violation.startsWith(`t.${identifier(column.name)} NOT IN (`)
  );
}

function outside({ type, validValues }: BaseColumn): string {
  if (type === 'string') return literal(UNKNOWN);
  const numbers = (validValues ?? []).map(Number);
  return String(Math.max(...numbers) + 1);
}

/** A step beyond each end: one for integers, a millionth for numbers. */
function rangeBreaks(column: BaseColumn, { measure }: Check): DerivedBreak[] {
  if (measure.kind !== 'rows' && measure.kind !== 'values') return [];
  const step = column.type === 'integer' ? 1 : 1e-6;
  const low = / < (-?[\d.e+-]+)/.exec(measure.violation)?.[1];
  const high = / > (-?[\d.e+-]+)/.exec(measure.violation)?.[1];
  return [
    ...(low === undefined
      ? []
      : [{ what: `below ${low}`, sql: setFirst(column, String(Number(low) - step)) }]),
    ...(high === undefined
      ? []
      : [{ what: `above ${high}`, sql: setFirst(column, String(Number(high) + step)) }]),
  ];
}

/** The column's code becomes one that the dimension lacks; where the sample has no row with a key, all of the key does. */
function unknownKey(dataset: Dataset, column: BaseColumn): DerivedBreak[] {
  const key = dataset.foreignKeys.find(candidate => candidate.column === column.name);
  if (key === undefined) return [];
  const whole = key.columns.map(name => `${identifier(name)} IS NOT NULL`).join(' AND ');
  const others = key.columns
    .filter(name => name !== column.name)
    .map(name => `, ${identifier(name)} = coalesce(${identifier(name)}, ${literal(UNKNOWN)})`)
    .join('');
  return [
    {
      what: 'an unknown key',
      sql: `UPDATE t SET ${identifier(column.name)} = ${literal(UNKNOWN)}${others}
        WHERE rowid = (SELECT coalesce(min(rowid) FILTER (WHERE ${whole}), min(rowid)) FROM t)`,
    },
  ];
}

/** For each level: NULL in a key that its rows have, a value in one that they have not. */
function levelBreaks(dataset: Dataset, levels: readonly string[]): DerivedBreak[] {
  return [...dataset.levelKeys].flatMap(([level, keys]) => {
    if (!levels.includes(level)) return [];
    const set = (name: string, value: string | null) => ({
      what: `${level} with ${name} ${value ?? 'NULL'}`,
      sql: `UPDATE t SET ${identifier(name)} = ${literal(value)}
        WHERE rowid = (SELECT min(rowid) FROM t WHERE detail = ${literal(level)})`,
    });
    return [...keys.present.map(name => set(name, null)), ...keys.absent.map(name => set(name, UNKNOWN))];
  });
}
