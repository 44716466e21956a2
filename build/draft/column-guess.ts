/** Guesses what the columns of a table are: roles and units from values and names. */
import type { FarValues } from '../check/far-values.ts';
import { UNIT_BOUNDS } from '../check/implied-range.ts';
import { isCoordinateName } from '../contract/coordinates.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import type { ValueType } from '../lake/text-reading.ts';
import { type FoundTime, findTime, type SeenColumn } from './column-time.ts';
import { CODE_NAME, count, DATE_NAME, guessTypes, type TextReading } from './column-types.ts';
import type { DraftTable } from './draft-table.ts';
import type { OddTexts } from './odd-texts.ts';

export { count };

export type DraftRole = 'year' | 'time' | 'categorical' | 'metric' | 'attribute';

export interface ColumnGuess {
  readonly name: string;
  readonly type: ValueType;
  readonly typeReason: string;
  readonly role: DraftRole;
  readonly roleReason: string;
  /** The physical type that the contract states; null if it need not say. */
  readonly physical: string | null;
  /** Whether no value is missing. */
  readonly required: boolean;
  /** Number of different values. */
  readonly distinct: number;
  /** Characters of the longest value. */
  readonly longest: number;
  /** Digits of each whole number, if all have as many; null for other columns. */
  readonly digits: number | null;
  /** The column's own SQL, and the SQL of its typed values. */
  readonly sql: string;
  readonly value: string;
  /** For a time column of periods: the period. */
  readonly timeUnit: 'year' | 'quarter' | 'month' | null;
  readonly unit: string | null;
  /** Texts among the column's figures; null if it has none. */
  readonly odd: OddTexts | null;
  /** Figures that are probably none; null if there are none. */
  readonly far: FarValues | null;
  /** How the texts are written, and what is open of it. */
  readonly reading: TextReading;
}

const YEAR_NAME = /^(year|yr|año|ano|anio|année|annee|jahr|anno|jaar|år)$/iu;

export function isNamedLikeTime(name: string): boolean {
  return YEAR_NAME.test(name) || DATE_NAME.test(name);
}

export function isLatitude({ name, type }: Pick<ColumnGuess, 'name' | 'type'>): boolean {
  return type === 'number' && isCoordinateName('latitude', name);
}

export function isLongitude({ name, type }: Pick<ColumnGuess, 'name' | 'type'>): boolean {
  return type === 'number' && isCoordinateName('longitude', name);
}

/** More different texts than this, on more than half of the rows, are no categories. */
const MOST_CATEGORIES = 1_000;

export async function guessColumns(session: Session, table: DraftTable): Promise<ColumnGuess[]> {
  const typed = await guessTypes(session, table);
  const counts = await readAggregates<number | string | null>(
    session,
    table.table,
    typed.flatMap(({ column, value }) => [
      `count(${value})`,
      `count(DISTINCT ${column.sql})`,
      `min(${value})::VARCHAR`,
      `max(${value})::VARCHAR`,
      `max(length(${column.sql}::VARCHAR))`,
    ]),
  );
  const text = (value: number | string | null | undefined) => (value == null ? null : String(value));
  const seen = typed.map((one): SeenColumn => {
    const [present, distinct, least, most, length] = counts.splice(0, 5);
    return {
      ...one,
      required: present === table.rows,
      distinct: Number(distinct),
      least: text(least),
      most: text(most),
      length: Number(length ?? 0),
    };
  });
  // A build adds a column `year` to a dataset with a time.
  const isTaken = seen.some(one => one.column.name === 'year' && !isYearColumn(one));
  const time = isTaken ? null : await findTime(session, table, seen);
  return seen.map(one => {
    const { role, roleReason } = guessRole(table, one, time);
    return {
      physical: one.physical ?? null,
      name: one.column.name,
      type: one.type,
      typeReason: one.reason,
      role,
      roleReason,
      required: one.required,
      distinct: one.distinct,
      longest: one.length,
      digits: digitsOf(one),
      sql: one.column.sql,
      value: one.value,
      timeUnit: role === 'time' && time?.of === one ? time.unit : null,
      reading:
        time?.of === one && time.doubt !== undefined ? { ...one.reading, doubt: time.doubt } : one.reading,
      unit:
        one.type !== 'number' && one.type !== 'integer'
          ? null
          : one.column.percent === true
            ? 'percent'
            : unitOf(one),
      odd: one.odd,
      far: null,
    };
  });
}

function guessRole(
  table: DraftTable,
  one: SeenColumn,
  time: FoundTime | null,
): { role: DraftRole; roleReason: string } {
  const { name } = one.column;
  const as = (role: DraftRole, roleReason: string) => ({ role, roleReason });
  if (time?.of === one) return as('time', time.reason);
  if (isYearColumn(one)) return as('year', 'its name and values are years');
  if (isLatitude({ name, type: one.type }) || isLongitude({ name, type: one.type }))
    return as('attribute', 'a coordinate is neither measured nor counted');
  if (one.type === 'number') return as('metric', 'a number');
  if (one.type === 'integer')
    return CODE_NAME.test(name) || YEAR_NAME.test(name) || DATE_NAME.test(name)
      ? as('categorical', 'its name is that of a code or a period')
      : as('metric', 'a number');
  if (one.type === 'date' || one.type === 'timestamp')
    return as('categorical', time === null ? 'some rows lack it' : 'another column says when');
  if (one.type === 'boolean') return as('categorical', 'yes or no');
  const free = one.length > 200 || (one.distinct > MOST_CATEGORIES && one.distinct > table.rows / 2);
  return free
    ? as('attribute', `${one.distinct.toLocaleString('en')} different texts, so it is plain text`)
    : as('categorical', count(one.distinct, 'different value'));
}

function digitsOf({ type, least, most }: SeenColumn): number | null {
  return type === 'integer' && Number(least) > 0 && least?.length === most?.length
    ? (least?.length ?? null)
    : null;
}

function isYearColumn(one: SeenColumn): boolean {
  return one.type === 'integer' && one.required && YEAR_NAME.test(one.column.name) && isYears(one);
}

function isYears({ least, most }: SeenColumn): boolean {
  return Number(least) >= 1000 && Number(most) <= 2999;
}

/** Units by the ends of names, or in brackets at the end. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/(%|percent|percentage|pct|porcentaje|prozent)/iu, 'percent'],
  [/^(µg\/m³|µg\/m3|ug\/m3|ugm3|μg\/m³|μg\/m3)$/iu, 'µg/m³'],
  [/^(°c|celsius|degc|temp_c)$/iu, '°C'],
  [/^(°f|fahrenheit|degf)$/iu, '°F'],
  [/^(mm|cm|m|km|m2|km2|m3|ha|l|ml|g|kg|mg|t|s|min|h|w|kw|mw|kwh|mwh|gwh|hpa|db|ppm|ppb)$/u, ''],
  [/^(usd|us\$|\$|dollars?)$/iu, 'USD'],
  [/^(eur|€|euros?)$/iu, 'EUR'],
  [/^(days?|días?|dias?)$/iu, 'days'],
  [/^(hours?|horas?)$/iu, 'hours'],
  [/^(count|total|number|n)$/iu, 'count'],
];

/** The unit that the name tells, unless the values are beyond its bounds. */
function unitOf({ column, least, most }: SeenColumn): string | null {
  const unit = namedUnit(column.name);
  const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = UNIT_BOUNDS[unit ?? ''] ?? {};
  return Number(least) < low || Number(most) > high ? null : unit;
}

/** The unit that a name ends with: `height_m`, `Temp (°C)`, `Strom [kWh]`. */
function namedUnit(name: string): string | null {
  const [, bracketed] = /[([]\s*([^)\]]+?)\s*[)\]]\s*$/u.exec(name) ?? [];
  const last = bracketed ?? name.split(/[\s_]+/u).at(-1) ?? '';
  if (bracketed === undefined && last === name && !/^(percent|percentage|pct|count|%)$/iu.test(name))
    return null;
  for (const [pattern, unit] of UNITS) if (pattern.test(last)) return unit === '' ? last : unit;
  return bracketed !== undefined && bracketed.length <= 20 ? bracketed : null;
}
