/** Guesses what the columns of a table are: types from the values, roles and units from values and names. */

import type { FarValues } from '../check/far-values.ts';
import { isCoordinateName } from '../contract/coordinates.ts';
import { NO_FORM } from '../contract/text-form.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { isInexact } from '../lake/inexact-decimals.ts';
import type { ColumnReading, ValueType } from '../lake/text-reading.ts';
import { readColumnsOf } from '../lake/text-values.ts';
import type { DraftTable, RawColumn } from './draft-table.ts';
import { findOddTexts, type OddTexts } from './odd-texts.ts';

export type DraftRole = 'year' | 'time' | 'categorical' | 'metric' | 'attribute';

export interface ColumnGuess {
  readonly name: string;
  readonly type: ValueType;
  readonly typeReason: string;
  readonly role: DraftRole;
  readonly roleReason: string;
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
  readonly reading: Pick<ColumnReading, 'form' | 'utc' | 'doubt'>;
}

/** Rows that are looked at before all are read. */
const FIRST_ROWS = 5_000;

/** The types that a column's texts are tried as; one named like a date is tried as a date before a number. */
const TYPE_ORDER: readonly ValueType[] = ['number', 'boolean', 'date', 'timestamp'];
const DATED_ORDER: readonly ValueType[] = ['date', 'timestamp', 'number', 'boolean'];

const YEAR_NAME = /^(year|yr|año|ano|anio|année|annee|jahr|anno|jaar|år)$/iu;
const DATE_NAME = /(date|day|time|period|month|quarter|fecha|día|mes|trimestre|datum|mois|jour|week)/iu;
const CODE_NAME =
  /(^|[^\p{L}])(id|code|código|codigo|key|zip|postcode|postal|fips|geoid|nr|no|number|sku|isin|phone|cp)$|^(id|cod|code)([^\p{L}]|$)/iu;
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
  const time = await findTime(session, table, seen);
  return seen.map(one => {
    const { role, roleReason } = guessRole(table, one, time);
    return {
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
      reading: one.reading,
      unit:
        one.type !== 'number' && one.type !== 'integer'
          ? null
          : one.column.percent === true
            ? 'percent'
            : unitOf(one.column.name),
      odd: one.odd,
      far: null,
    };
  });
}

interface TypedColumn {
  readonly column: RawColumn;
  readonly type: ValueType;
  readonly reason: string;
  readonly value: string;
  readonly odd: OddTexts | null;
  readonly reading: ColumnGuess['reading'];
}

interface SeenColumn extends TypedColumn {
  readonly required: boolean;
  readonly distinct: number;
  readonly least: string | null;
  readonly most: string | null;
  readonly length: number;
}

async function guessTypes(session: Session, table: DraftTable): Promise<TypedColumn[]> {
  const texts = await typesOfTexts(
    session,
    table,
    table.columns.filter(({ native }) => native === null),
  );
  const natives = table.columns.flatMap(({ sql, native }) => {
    const inexact = native === null ? null : isInexact(sql, native);
    return inexact === null ? [] : [{ sql, inexact }];
  });
  const counts = await readAggregates<number>(
    session,
    table.table,
    natives.map(({ inexact }) => `count(*) FILTER (${inexact})`),
  );
  const long = new Map(natives.map(({ sql }, i) => [sql, counts[i] ?? 0]));
  return table.columns.map(column =>
    column.native === null
      ? texts.get(column)!
      : typeOfNative(column, column.native, long.get(column.sql) ?? 0),
  );
}

function typeOfNative(column: RawColumn, native: string, long: number): TypedColumn {
  const reason =
    long === 0 ? `${native} in the file` : `${count(long, 'number')} that a 64-bit float would round`;
  const utc = native === 'TIMESTAMP WITH TIME ZONE';
  const reading = { form: NO_FORM, utc, doubt: null };
  const as = (type: ValueType): TypedColumn => ({
    column,
    type,
    reason,
    value: column.sql,
    reading,
    odd: null,
  });
  if (long > 0) return as('string');
  if (/^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(native)) return as('integer');
  if (/^(DOUBLE|FLOAT|DECIMAL)/.test(native)) return as('number');
  if (native === 'BOOLEAN') return as('boolean');
  if (native === 'DATE') return as('date');
  if (native.startsWith('TIMESTAMP')) return as('timestamp');
  return as('string');
}

async function typesOfTexts(
  session: Session,
  { table }: DraftTable,
  columns: readonly RawColumn[],
): Promise<ReadonlyMap<RawColumn, TypedColumn>> {
  const found = new Map<RawColumn, TypedColumn>();
  const odd = await findOddTexts(session, table, columns);
  const as = (column: RawColumn, type: ValueType, reason: string, value = column.sql, reading = UNREAD) => {
    const texts = odd.get(column) ?? null;
    // A column of texts keeps them, and only those of unknown meaning keep it from being one of figures.
    const isOdd = texts !== null && (type === 'string') === texts.unknown.length > 0;
    found.set(column, { column, type, reason, value, reading, odd: isOdd ? texts : null });
  };
  const looks = await readAggregates<number>(
    session,
    table,
    columns.flatMap(({ sql }) => [`count(${sql})`, `count_if(regexp_full_match(trim(${sql}), '0[0-9]+'))`]),
  );
  for (const column of columns) {
    const [present = 0, zeros = 0] = looks.splice(0, 2);
    if (present === 0) as(column, 'string', 'no row has a value');
    else if (zeros > 0)
      as(
        column,
        'string',
        `${count(zeros, 'value')} begin${zeros === 1 ? 's' : ''} with a zero, which a number would lose`,
      );
  }
  for (let at = 0; at < TYPE_ORDER.length; at++) {
    const open = columns.flatMap(column => {
      const type = (DATE_NAME.test(column.name) ? DATED_ORDER : TYPE_ORDER)[at]!;
      const missing = odd.get(column)?.missing ?? [];
      return found.has(column) ? [] : [{ ...textColumn(column, type), missing }];
    });
    const first = await readColumnsOf(session, table, open, FIRST_ROWS);
    const likely = open.filter((_, i) => first[i]?.doubt?.kind !== 'unread');
    const all = await readColumnsOf(session, table, likely);
    const present = await readAggregates<number>(
      session,
      table,
      all.map(({ value }) => `count(${value})`),
    );
    for (const [i, { column, type }] of likely.entries()) {
      const { value, doubt, form, utc, whole } = all[i]!;
      if (doubt?.kind === 'unread' || (present[i] === 0 && doubt === null)) continue;
      if (doubt?.kind === 'inexact')
        as(column, 'string', `${count(doubt.rows, 'whole number')} beyond 2^53, which a number would round`);
      else if (doubt !== null) as(column, type, 'if the question is settled', value, { form, utc, doubt });
      else if (whole !== null && CODE_NAME.test(column.name))
        as(column, 'string', 'its name is that of a code, which may have leading zeros');
      else if (whole !== null) as(column, 'integer', 'every value reads as one', whole, { form, utc, doubt });
      else as(column, type, 'every value reads as one', value, { form, utc, doubt });
    }
  }
  for (const column of columns) if (!found.has(column)) as(column, 'string', 'its values are texts');
  return found;
}

const UNREAD: ColumnGuess['reading'] = { form: NO_FORM, utc: false, doubt: null };

function textColumn(column: RawColumn, type: ValueType) {
  const isSmall = isCoordinateName('latitude', column.name) || isCoordinateName('longitude', column.name);
  return { column, text: column.sql, type, stated: null, hasNumbers: column.hasNumbers, isSmall };
}

interface FoundTime {
  readonly of: SeenColumn;
  readonly unit: ColumnGuess['timeUnit'];
  readonly reason: string;
}

/** The column that says when: a date or a moment, or a period in text; the one named so, else the first. */
async function findTime(
  session: Session,
  table: DraftTable,
  columns: readonly SeenColumn[],
): Promise<FoundTime | null> {
  const dated = columns.filter(({ type, required }) => required && (type === 'date' || type === 'timestamp'));
  const named = dated.find(({ column }) => DATE_NAME.test(column.name)) ?? dated[0];
  if (named !== undefined) {
    const unit = named.type === 'date' ? await periodOf(session, table, named) : null;
    const what = named.type === 'date' ? (unit === null ? 'days' : `first days of ${unit}s`) : 'moments';
    return {
      of: named,
      unit,
      reason: `the ${dated.length === 1 ? 'only' : 'first'} column of dates; its values are ${what}`,
    };
  }
  for (const one of columns.filter(({ type, required }) => type === 'string' && required)) {
    const { quarters, months } = await session.row<{ quarters: number; months: number }>(
      `SELECT count(*) FILTER (regexp_full_match(${one.column.sql}::VARCHAR, '[0-9]{4}-?[QT][1-4]')) AS quarters, count(*) FILTER (regexp_full_match(${one.column.sql}::VARCHAR, '[0-9]{4}-(0[1-9]|1[0-2])')) AS months FROM ${table.table}`,
    );
    if (quarters === table.rows) return { of: one, unit: 'quarter', reason: 'every value is a quarter' };
    if (months === table.rows) return { of: one, unit: 'month', reason: 'every value is a month' };
  }
  return null;
}

async function periodOf(
  session: Session,
  table: DraftTable,
  { value }: SeenColumn,
): Promise<FoundTime['unit']> {
  const row = await session.row<{
    days: boolean | null;
    months: boolean | null;
    quarters: boolean | null;
    n: number;
  }>(
    `SELECT bool_and(day(d) = 1) AS days, bool_and(month(d) = 1) AS months, bool_and(month(d) % 3 = 1) AS quarters, count(DISTINCT d) AS n FROM (SELECT ${value} AS d FROM ${table.table})`,
  );
  if (row.days !== true || row.n < 2) return null;
  return row.months === true ? 'year' : row.quarters === true ? 'quarter' : 'month';
}

function guessRole(
  table: DraftTable,
  one: SeenColumn,
  time: FoundTime | null,
): { role: DraftRole; roleReason: string } {
  const { name } = one.column;
  const as = (role: DraftRole, roleReason: string) => ({ role, roleReason });
  if (time?.of === one) return as('time', time.reason);
  if (one.type === 'integer' && one.required && YEAR_NAME.test(name) && isYears(one))
    return as('year', 'its name and values are years');
  if (isLatitude({ name, type: one.type }) || isLongitude({ name, type: one.type }))
    return as('attribute', 'a coordinate is neither measured nor counted');
  if (one.type === 'number') return as('metric', 'a number');
  if (one.type === 'integer')
    return CODE_NAME.test(name) || YEAR_NAME.test(name) || DATE_NAME.test(name)
      ? as('categorical', 'its name is that of a code or a period')
      : as('metric', 'a number');
  if (one.type === 'date' || one.type === 'timestamp') return as('categorical', 'another column says when');
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

function isYears({ least, most }: SeenColumn): boolean {
  return Number(least) >= 1000 && Number(most) <= 2999;
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
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

/** The unit that a name ends with: `height_m`, `Temp (°C)`, `Strom [kWh]`. */
function unitOf(name: string): string | null {
  const [, bracketed] = /[([]\s*([^)\]]+?)\s*[)\]]\s*$/u.exec(name) ?? [];
  const last = bracketed ?? name.split(/[\s_]+/u).at(-1) ?? '';
  if (bracketed === undefined && last === name && !/^(percent|percentage|pct|count|%)$/iu.test(name))
    return null;
  for (const [pattern, unit] of UNITS) if (pattern.test(last)) return unit === '' ? last : unit;
  return bracketed !== undefined && bracketed.length <= 20 ? bracketed : null;
}
