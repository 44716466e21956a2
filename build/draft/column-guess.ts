/** Guesses roles and units of columns, and finds columns that a table has once for each year. */

import { UNIT_BOUNDS } from '../check/derived-checks.ts';
import type { FarValues } from '../check/far-values.ts';
import { isCoordinateName } from '../contract/compile-dimension.ts';
import { LIFE_DATE, YEAR_WORDS } from '../contract/columns.ts';
import { diagnosticAt } from '../contract/diagnostic.ts';
import { countOf } from '../format/shown-text.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { longTable } from '../lake/prepared-table.ts';
import { identifier, literal } from '../lake/sql.ts';
import { quoteFew } from '../lake/table-header.ts';
import {
  CODE_NAME,
  DATE_NAME,
  type FoundTime,
  findTime,
  guessTypes,
  type SeenColumn,
} from './column-types.ts';
import { type DraftTable, freeName, type RawColumn } from './draft-table.ts';

type DraftRole = 'year' | 'time' | 'categorical' | 'metric' | 'attribute';

export interface ColumnGuess extends SeenColumn {
  readonly role: DraftRole;
  readonly roleReason: string;
  /** For a time column of periods. */
  readonly timeUnit: 'year' | 'quarter' | 'month' | null;
  readonly unit: string | null;
  /** Figures that are probably markers; null if there are none. */
  readonly far: FarValues | null;
}

const YEAR_NAME = new RegExp(`^(?:${YEAR_WORDS})$`, 'iu');
/** Not "year built", which doesn't say when a row is from. */
const KIND_OF_YEAR =
  /^(fy|ay|sy)$|^(fiscal|school|academic|calendar|report|reporting|survey|data|tax|budget|program|water|crop|election)[ _-]?(year|yr)$/iu;

/** Not of clock times such as 1030, whose years would be others. */
const TIME_OF_YEARS =
  /^(time|date|period|per[ií]odo|période|datum|zeit|zeitraum|tiempo|temps|tijd|(time|ref|reference|obs)[ _-]?(period|time|date|year))$/iu;

/** Not "days" or "visits per month", which are figures. */
const PERIOD_NAME =
  /^(\p{L}+[ _-])?(date|day|week|month|quarter|semester|period|fecha|día|semana|mes|trimestre|datum|tag|woche|monat|quartal|jour|semaine|mois)$/iu;

/** "School Year" and "FY" too, which may hold "2019-20". */
export function isNamedLikeTime(name: string): boolean {
  return (
    DATE_NAME.test(name) ||
    KIND_OF_YEAR.test(name) ||
    name.split(/[^\p{L}]+/u).some(word => YEAR_NAME.test(word))
  );
}

export function isLatitude({ name, type }: Pick<ColumnGuess, 'name' | 'type'>): boolean {
  return type === 'number' && isCoordinateName('latitude', name);
}

export function isLongitude({ name, type }: Pick<ColumnGuess, 'name' | 'type'>): boolean {
  return type === 'number' && isCoordinateName('longitude', name);
}

const TOTAL_NAME =
  '(grand )?totals?( (nacional|national|general|général))?|all|overall|both sexes|all (ages|areas|genders|grades|groups|people|persons|places|races|regions|sexes)|(ins)?gesamt|tod[ao]s|ambos sexos|ensemble';

/** If more than half of the rows have different texts and there are more of them, they aren't categories. */
const MOST_CATEGORIES = 1_000;

export async function guessColumns(session: Session, table: DraftTable): Promise<ColumnGuess[]> {
  const typed = await guessTypes(session, table);
  const counts = await readAggregates<number | string | null>(
    session,
    table.table,
    typed.flatMap(({ sql, type, value }) => [
      `count(${value})`,
      `count(DISTINCT ${sql})`,
      `min(${value})::VARCHAR`,
      `max(${value})::VARCHAR`,
      `max(length(${sql}::VARCHAR))`,
      type === 'string'
        ? `CASE WHEN bool_and(regexp_full_match(${sql}::VARCHAR, '[0-9]+')) AND min(${sql}::VARCHAR) < '1' THEN min(length(${sql}::VARCHAR)) END`
        : 'NULL',
      `min(${value}::VARCHAR) FILTER (regexp_full_match(${sql}::VARCHAR, ${literal(TOTAL_NAME)}, 'i'))`,
    ]),
  );
  const text = (value: number | string | null | undefined) => (value == null ? null : String(value));
  const seen = typed.map((one): SeenColumn => {
    const [present, distinct, least, most, length, shortest, total] = counts.splice(0, 7);
    return {
      ...one,
      required: present === table.rows,
      distinct: Number(distinct),
      least: text(least),
      most: text(most),
      longest: Number(length ?? 0),
      digits: shortest !== null && shortest === length ? Number(shortest) : null,
      total: text(total),
    };
  });
  const year = seen.find(one => YEAR_NAME.test(one.name) && hasYears(one));
  // A build adds a column `year` to a dataset with a time.
  const isTaken = seen.some(one => one.name === 'year' && one !== year);
  const time = isTaken ? null : await findTime(session, table, seen);
  // A fiscal year can differ from the year of a date.
  const isKind = ({ name }: SeenColumn) => KIND_OF_YEAR.test(name) || TIME_OF_YEARS.test(name);
  const kindOfYear = time === null ? seen.find(one => isKind(one) && hasYears(one)) : undefined;
  return seen.map((one): ColumnGuess => {
    const { role, roleReason } = guessRole(table, one, time, year ?? kindOfYear);
    const isNumber = one.type === 'number' || one.type === 'integer';
    const found = time?.of === one ? time : null;
    return {
      ...one,
      role,
      roleReason,
      timeUnit: role === 'time' ? (found?.unit ?? null) : null,
      reading: found?.doubt === undefined ? one.reading : { ...one.reading, doubt: found.doubt },
      ...found?.as,
      unit: isNumber ? (one.percent === true ? 'percent' : unitOf(one)) : null,
      far: null,
    };
  });
}

function guessRole(
  table: DraftTable,
  one: SeenColumn,
  time: FoundTime | null,
  year: SeenColumn | undefined,
): { role: DraftRole; roleReason: string } {
  const { name } = one;
  const as = (role: DraftRole, roleReason: string) => ({ role, roleReason });
  if (time?.of === one) return as('time', time.reason);
  if (one === year) return as('year', 'its name and values are years');
  if (isLatitude({ name, type: one.type }) || isLongitude({ name, type: one.type }))
    return as('attribute', 'a coordinate is neither measured nor counted');
  if (one.type === 'number') return as('metric', 'a number');
  if (one.type === 'integer')
    return [CODE_NAME, YEAR_NAME, KIND_OF_YEAR, PERIOD_NAME].some(pattern => pattern.test(name))
      ? as('categorical', 'its name is that of a code or a period')
      : as('metric', 'a number');
  if ((one.type === 'date' || one.type === 'timestamp') && LIFE_DATE.test(name))
    return as('categorical', 'it does not say when a figure applies');
  if (one.type === 'date' || one.type === 'timestamp')
    return as('categorical', time === null ? 'some rows lack it' : 'another column says when');
  if (one.type === 'boolean') return as('categorical', 'yes or no');
  const free = one.longest > 200 || (one.distinct > MOST_CATEGORIES && one.distinct > table.rows / 2);
  if (free)
    return as('attribute', `${one.distinct.toLocaleString('en')} different texts, so it is plain text`);
  const total = one.total === null ? '' : `; ${JSON.stringify(one.total)} reads as their total`;
  return as('categorical', countOf(one.distinct, 'different value') + total);
}

function hasYears({ name, type, required, least, most }: SeenColumn): boolean {
  const [from, to] = TIME_OF_YEARS.test(name) ? [1900, 2100] : [1000, 2999];
  return type === 'integer' && required && Number(least) >= from && Number(most) <= to;
}

const PART_OF_UNIT =
  /^(mm|cm|m|km|m2|km2|m3|ha|l|ml|ug|µg|g|kg|mg|t|s|min|h|w|kw|mw|kwh|mwh|gwh|hpa|db|ppm|ppb)$/u;

/** By the last word of a name, or the text in brackets. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/(%|percent|percentage|pct|porcentaje|prozent)/iu, 'percent'],
  [/^(µg\/m³|µg\/m3|ug\/m3|ugm3|μg\/m³|μg\/m3)$/iu, 'µg/m³'],
  [/^(°c|celsius|degc|temp_c)$/iu, '°C'],
  [/^(°f|fahrenheit|degf)$/iu, '°F'],
  [PART_OF_UNIT, ''],
  [/^(usd|us\$|\$|dollars?)$/iu, 'USD'],
  [/^(eur|€|euros?)$/iu, 'EUR'],
  [/^(days?|días?|dias?)$/iu, 'days'],
  [/^(hours?|horas?)$/iu, 'hours'],
  [/^(count|total|number|n)$/iu, 'count'],
];

/** The unit in the name, unless values are out of its bounds. */
function unitOf({ name, least, most }: SeenColumn): string | null {
  const unit = namedUnit(name);
  const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = UNIT_BOUNDS[unit ?? ''] ?? {};
  return Number(least) < low || Number(most) > high ? null : unit;
}

/** `height_m`, `no2_ug_m3`, `Temp (°C)`, `Strom [kWh]`. Not `people_per_km2`, whose unit has more words. */
function namedUnit(name: string): string | null {
  const [, bracketed] = /[([]\s*([^)\]]+?)\s*[)\]]\s*$/u.exec(name) ?? [];
  // A letter, a number or "note 1" is a mark.
  const isUnit = /^(?!\p{Ll}$|\d+$|[Nn]otes?\b).{1,20}$/u;
  if (bracketed !== undefined) return knownUnit(bracketed) ?? (isUnit.test(bracketed) ? bracketed : null);
  const words = name.split(/[\s_]+/u);
  const last = words.pop() ?? '';
  const isRate = /^(?:per|pro|por|par)$/iu.test(words.at(-1) ?? '');
  const before = words.at(isRate ? -2 : -1) ?? '';
  if (words.length === 0 && !/^(percent|percentage|pct|count|%)$/iu.test(name)) return null;
  if (PART_OF_UNIT.test(before) && PART_OF_UNIT.test(last))
    return knownUnit(`${before}/${last}`) ?? `${before}/${last}`;
  return isRate ? null : knownUnit(last);
}

function knownUnit(text: string): string | null {
  const [, unit] = UNITS.find(([pattern]) => pattern.test(text)) ?? [];
  return unit === '' ? text : (unit ?? null);
}

const YEAR = /(?<!\d)(?:1[89]|20|21)\d\d(?!\d)/g;

const MONTHS =
  'jan|feb|m[aä]r|apr|may|mai|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez|january|february|march|april|june|july|august|september|october|november|december';

/** A month or a quarter next to the year. */
const PART = new RegExp(`^\\W*((0?[1-9]|1[0-2])|[qtm]\\W*\\d{1,2}|${MONTHS})\\W*$`, 'iu');

/** Consecutive years: 2018-19, 2018/2019. */
const SCHOOL_YEAR = /(?<!\d)((?:1[89]|20|21)\d\d)\s*[-–/_]\s*((?:1[89]|20|21)?\d\d)(?!\d)/;

function isSchoolYear(name: string): boolean {
  const [, first, second] = SCHOOL_YEAR.exec(name) ?? [];
  return first !== undefined && Number(second) % 100 === (Number(first) + 1) % 100;
}

/** The name with `{year}` in place of its year; null without exactly one year. */
function formOf(name: string): string | null {
  const [year, ...others] = name.match(YEAR) ?? [];
  if (year === undefined || others.some(other => other !== year) || isSchoolYear(name)) return null;
  return PART.test(name.replace(year, '')) ? null : name.replaceAll(year, '{year}');
}

/** Named by the rest of the columns' names. */
function figureName(form: string, taken: ReadonlySet<string>): string {
  const rest = form
    .replaceAll('{year}', ' ')
    .replace(/^[^\p{L}\p{N}%]+|[^\p{L}\p{N}%)]+$/gu, '')
    .replace(/\s+/g, ' ');
  const isNoName =
    rest === '' || !/\p{L}/u.test(rest) || /^(fy|cy|sy|yr?|x|year|jahr|año|ano|année)$/iu.test(rest);
  return freeName(isNoName ? 'value' : rest, taken);
}

/** `v#` for a name such as v17. */
function numberedForm(name: string): string {
  return name.replace(/\d+/g, '#');
}

/** Returns the table, one with a row for each year, or the table with a note about its columns of periods. */
export async function readYearColumns(session: Session, table: DraftTable): Promise<DraftTable> {
  const groups = new Map<string, RawColumn[]>();
  for (const column of table.columns) {
    const form = formOf(column.name);
    if (form !== null) groups.set(form, [...(groups.get(form) ?? []), column]);
  }
  // Among v1 to v2100, v1950 isn't a year.
  const numbered = new Set(
    table.columns.flatMap(({ name }) => (name.match(YEAR) === null ? [numberedForm(name)] : [])),
  );
  const repeated = [...groups].filter(
    ([, columns]) => columns.length > 1 && !columns.some(({ name }) => numbered.has(numberedForm(name))),
  );
  const isOfYears = repeated.flatMap(([, columns]) => columns);
  const rest = table.columns.filter(column => !isOfYears.includes(column));
  if (repeated.length === 0) return withPeriodNote(table, numbered);
  const guesses = await guessColumns(session, table);
  const hasTime = guesses.some(({ role }) => role === 'year' || role === 'time');
  // The last year may have no figures yet.
  const isText = ({ type, distinct }: ColumnGuess) => type !== 'integer' && type !== 'number' && distinct > 0;
  const isNumeric = ({ name }: RawColumn) => !guesses.some(guess => guess.name === name && isText(guess));
  // Another column with a year in its name would be repeated in every year.
  const isMixed =
    rest.some(({ name }) => name.match(YEAR) !== null) ||
    repeated.some(([, columns]) => new Set(columns.map(({ percent }) => percent)).size > 1);
  if (hasTime || isMixed || !repeated.some(([, columns]) => columns.every(isNumeric)))
    return hasTime ? table : withPeriodNote(table, numbered);
  const taken = new Set(rest.map(({ name }) => name));
  if (rest.some(({ name }) => name.toLowerCase() === 'year')) return table;
  taken.add('year');
  const forms: Record<string, string> = {};
  for (const [form] of repeated) {
    const name = figureName(form, taken);
    taken.add(name);
    forms[name] = form;
  }
  const texts = table.columns.every(({ native }) => native === null);
  const long = longTable(table.table, table.columns, forms, 'year', texts);
  if (long === null) return table;
  const rowsOfYears = `${table.table.slice(0, -1)} by year"`;
  await session.run(`CREATE OR REPLACE TEMP TABLE ${rowsOfYears} AS ${long.select}`);
  const types = [...(await session.typesOf(rowsOfYears))];
  const columns = long.names.map((name, i): RawColumn => {
    const from = long.from[i]?.flatMap(at => table.columns[at] ?? []) ?? [];
    const [sql = '', native = ''] = types[i] ?? [];
    return {
      name,
      sql: identifier(sql),
      native: texts ? null : native,
      percent: from.length > 0 && from.every(({ percent }) => percent === true),
      hasNumbers: from.some(({ hasNumbers }) => hasNumbers),
    };
  });
  const [rows = 0] = await readAggregates<number>(session, rowsOfYears, ['count(*)']);
  const [first, last] = [long.years[0], long.years.at(-1)];
  const message = `The names of ${isOfYears.length} columns have years (${first} to ${last}), so each row is read as ${long.years.length} rows, with a column year: see year_columns of file_layout in the contract.`;
  const note = diagnosticAt(table.file.name, 'note', 'draft-years', message);
  return { ...table, table: rowsOfYears, columns, rows, notes: [...table.notes, note], yearColumns: forms };
}

/** Columns of months, quarters or school years, or years that may be other numbers. */
function withPeriodNote(table: DraftTable, numbered: ReadonlySet<string>): DraftTable {
  const isPeriod = (name: string) => name.match(YEAR) !== null && !numbered.has(numberedForm(name));
  const periods = table.columns.map(({ name }) => name).filter(isPeriod);
  if (periods.length < 2) return table;
  const message = periods.every(isSchoolYear)
    ? `The names of ${periods.length} columns are school years (${quoteFew(periods)}). Write one year in each, such as that in which it ends, and draft again: then they are read as rows of years.`
    : `The names of ${periods.length} columns have periods (${quoteFew(periods)}), and a dataset has a row for each. Write them as rows, a column for the period and one for the figure, and draft again. In DuckDB: UNPIVOT (FROM 'file.csv') ON ${periods.map(identifier).join(', ')} INTO NAME period VALUE value.`;
  const note = diagnosticAt(table.file.name, 'note', 'draft-years', message);
  return { ...table, notes: [...table.notes, note] };
}
