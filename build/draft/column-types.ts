/** Guesses the types of columns from values and names, and which column says when. */

import { LIFE_DATE } from '../contract/columns.ts';
import { isCoordinateName } from '../contract/compile-dimension.ts';
import { NO_FORM } from '../contract/text-form.ts';
import type { ColumnType } from '../format/documents.ts';
import { countOf } from '../format/shown-text.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { isFloating, isInteger } from '../lake/parquet-shape.ts';
import { isInexact } from '../lake/row-time.ts';
import {
  type Cells,
  type ColumnReading,
  type Doubt,
  readCellAggregates,
  readCells,
} from '../lake/text-cells.ts';
import { readColumnsOf } from '../lake/text-values.ts';
import type { DraftTable, RawColumn } from './draft-table.ts';

/** Tried first; then all rows are read. */
const FIRST_ROWS = 5_000;

/**
 * In this order, texts are tried as types; columns named like dates as dates first. All are tried as numbers together,
 * because a build, too, settles "1,467" by the decimal marks of all columns of numbers.
 */
const TRIALS: readonly { readonly type: ColumnType; readonly isDated: readonly boolean[] }[] = [
  { type: 'date', isDated: [true] },
  { type: 'timestamp', isDated: [true] },
  { type: 'number', isDated: [true, false] },
  { type: 'boolean', isDated: [true, false] },
  { type: 'date', isDated: [false] },
  { type: 'timestamp', isDated: [false] },
];

export const DATE_NAME =
  /(date|day|time|period|month|quart|fecha|día|mes|trimestre|datum|monat|mois|jour|week)/iu;
/** Their values, such as 202001, can look like months. */
const NO_MONTH_NAME = /(week|woche|semana|semaine|quart|qtr|trimestre|half|semest)/iu;
/** SQL over v. Programs write such a number as 1e+05 or 1.0E5. */
const POWER = "regexp_full_match(trim(v), '[0-9]+[eE][0-9]+')";
export const CODE_NAME =
  /(^|[^\p{L}])(id|code|código|codigo|key|zip|postcode|postal|fips|geoid|nr|no|number|sku|isin|phone|cp|naics|isic|nace|sic|ein|duns|nces|leaid|ncessch)$|^(id|cod|code)([^\p{L}]|$)|^((council|police|school|congressional|voting|health)[ _-])?(district|ward|precinct|zone|region|sector|beat|route|tract|borough|parish)$|fips\d*$|^\p{L}+fp\d*$/iu;

interface TypedColumn extends RawColumn {
  readonly type: ColumnType;
  readonly typeReason: string;
  /** SQL of its typed values. */
  readonly value: string;
  /** Texts among its figures; null if there are none. */
  readonly odd: OddTexts | null;
  /** One of its values with a sign such as % or $, which makes figures texts; null if most values aren't figures. */
  readonly signed: string | null;
  readonly reading: TextReading;
  /** Null if the contract needn't state it. */
  readonly physical: string | null;
}

export async function guessTypes(session: Session, table: DraftTable): Promise<TypedColumn[]> {
  const texts = await typesOfTexts(
    session,
    table,
    table.columns.filter(({ native }) => native === null),
  );
  const natives = await readNativeTypes(session, table);
  return table.columns.map(column => {
    const native = natives.get(column);
    return native === undefined ? texts.get(column)! : typeOfNative(column, native);
  });
}

function typeOfNative(column: RawColumn, { type, typeReason, physical, odd }: NativeType): TypedColumn {
  const utc = column.native === 'TIMESTAMP WITH TIME ZONE' && type === 'timestamp';
  const present = odd === null ? column.sql : `CASE WHEN NOT isnan(${column.sql}) THEN ${column.sql} END`;
  const stored: Partial<Record<ColumnType, string>> = { string: 'VARCHAR', integer: 'BIGINT', date: 'DATE' };
  const value = stored[type] === undefined ? present : `(${present})::${stored[type]}`;
  const reading = { form: NO_FORM, utc, doubt: null };
  return { ...column, type, typeReason, value, physical, reading, odd, signed: null };
}

async function typesOfTexts(
  session: Session,
  { table, rows }: DraftTable,
  columns: readonly RawColumn[],
): Promise<ReadonlyMap<RawColumn, TypedColumn>> {
  const found = new Map<RawColumn, TypedColumn>();
  const odd = await findOddTexts(session, table, columns);
  const cells = columns.map(({ sql }) => ({ text: sql }));
  const looks = await readCellAggregates<number | string | null, Cells>(session, table, cells, () => [
    `min(v) FILTER (${SIGNED})`,
    `min(v) FILTER (regexp_full_match(trim(v), '[0-9]+[.][0-9]*0') OR ${POWER})`,
    'count(v)',
    "count_if(regexp_full_match(trim(v), '0[0-9]+([.,][0-9]+)?'))",
    `CASE WHEN min(length(trim(v))) = max(length(trim(v))) THEN count_if(${POWER}) END`,
    "count_if(regexp_full_match(trim(v), '[0-9]+E[0-9]+'))",
    `count_if(${SIGNED} OR ${figure('v')})`,
    "count_if(regexp_full_match(trim(v), '(0[1-9]|1[0-2])[.](18|19|20)[0-9]{2}'))",
    "count_if(regexp_full_match(trim(v), '(18|19|20)[0-9]{2}[.](0[1-9]|1[0-2])'))",
    "count_if(regexp_full_match(trim(v), '(18|19|20)[0-9]{2}[.][0-9]{1,2}'))",
  ]);
  const signed = new Map<RawColumn, string>();
  const numbered = new Map<RawColumn, string>();
  const dated = new Set(columns.filter(({ name }) => DATE_NAME.test(name)));
  const as = (column: RawColumn, type: ColumnType, reason: string, value = column.sql, reading = UNREAD) => {
    const texts = odd.get(column) ?? null;
    // A column of texts keeps odd texts; only those of unknown meaning make a column of figures one of texts.
    const isOdd = texts !== null && (type === 'string') === texts.unknown.length > 0;
    found.set(column, {
      ...column,
      type,
      typeReason: reason,
      value,
      physical: null,
      reading,
      odd: isOdd ? texts : null,
      signed: signed.get(column) ?? null,
    });
  };
  for (const [i, column] of columns.entries()) {
    const [sign, code, ...counts] = looks[i]!;
    const [present = 0, zeros = 0, powers = 0, capitals = 0, figures = 0, ...periods] = counts.map(Number);
    const [months, ofYear, years] = periods.map(count => count === present);
    if (typeof sign === 'string' && figures > present / 2) signed.set(column, sign);
    if (typeof code === 'string') numbered.set(column, code);
    if (present === 0) as(column, 'string', 'no row has a value');
    else if (column.areTexts === true) as(column, 'string', 'the file says that its values are texts (="7")');
    else if (months) dated.add(column);
    else if (ofYear || (years && dated.has(column)))
      as(column, 'string', 'its values are periods, of which 2020.1 and 2020.10 are two');
    else if (zeros > 0) {
      odd.delete(column);
      const message = `${countOf(zeros, 'value')} begin${zeros === 1 ? 's' : ''} with a zero, which a number would lose`;
      as(column, 'string', message);
    } else if (powers > 0 && powers < present)
      as(column, 'string', 'its values are codes of one length, such as 12E3');
    else if (capitals > present / 2 && capitals === figures)
      as(
        column,
        'string',
        'its values are codes such as 1E5: programs write a number as 1e5, 1E+05 or 1.0E5',
      );
  }
  for (const { type, isDated } of TRIALS) {
    const open = columns.flatMap(column => {
      if (found.has(column) || !isDated.includes(dated.has(column))) return [];
      return [{ ...textColumn(column, type), missing: odd.get(column)?.missing ?? [] }];
    });
    if (open.length === 0) continue;
    const isLarge = rows > FIRST_ROWS;
    const first = await readColumnsOf(session, table, open, isLarge ? FIRST_ROWS : null);
    const isLikely = first.map(({ doubt }) => doubt?.kind !== 'unread');
    const likely = open.filter((_, i) => isLikely[i]);
    const all = isLarge ? await readColumnsOf(session, table, likely) : first.filter((_, i) => isLikely[i]);
    const present = await readAggregates<number>(
      session,
      table,
      all.map(({ value }) => `count(${value})`),
    );
    for (const [i, { column }] of likely.entries()) {
      const { value, doubt, form, utc, whole } = all[i]!;
      if (doubt?.kind === 'unread' || (present[i] === 0 && doubt === null)) continue;
      const format = form.format ?? doubt?.answers[0]?.yaml ?? '';
      const isMonth = /M/.test(format) && !/d|MMM/.test(format);
      if (isMonth && NO_MONTH_NAME.test(column.name)) {
        if (!/yyyyMM/.test(format)) as(column, 'string', 'its values are texts');
      } else if (doubt?.kind === 'inexact') {
        const long = countOf(doubt.rows, 'whole number');
        as(column, 'string', `${long} beyond 2^53, which a number would round`);
      } else if (doubt !== null) as(column, type, 'if the question is settled', value, { form, utc, doubt });
      else if (CODE_NAME.test(column.name) && (whole !== null || numbered.has(column))) {
        const code = whole === null ? undefined : numbered.get(column);
        const wrong = code && `, but a program wrote numbers such as ${code}: write the codes as texts`;
        as(column, 'string', `its name is that of a code, which may have leading zeros${wrong ?? ''}`);
      } else if (whole !== null)
        as(column, 'integer', 'every value reads as one', whole, { form, utc, doubt });
      else as(column, type, 'every value reads as one', value, { form, utc, doubt });
    }
  }
  for (const column of columns) if (!found.has(column)) as(column, 'string', 'its values are texts');
  return found;
}

const UNREAD: TextReading = { form: NO_FORM, utc: false, doubt: null };

function textColumn(column: RawColumn, type: ColumnType) {
  const isSmall = isCoordinateName('latitude', column.name) || isCoordinateName('longitude', column.name);
  return { column, text: column.sql, type, stated: null, hasNumbers: column.hasNumbers, isSmall };
}

/** How texts are written, and the question if that is ambiguous. */
export type TextReading = Pick<ColumnReading, 'form' | 'utc' | 'doubt'>;

export interface SeenColumn extends TypedColumn {
  /** No value is missing. */
  readonly required: boolean;
  readonly distinct: number;
  readonly least: string | null;
  readonly most: string | null;
  /** Characters of the longest value. */
  readonly longest: number;
  /** Of codes of one length, some of which begin with a zero; null for others. */
  readonly digits: number | null;
  /** A value whose name is that of a total, such as "All grades"; null if there is none. */
  readonly total: string | null;
}

export interface FoundTime {
  readonly of: SeenColumn;
  readonly unit: 'year' | 'quarter' | 'month' | null;
  readonly reason: string;
  /** Present if the values may be something else. */
  readonly doubt?: Doubt;
  /** Present if texts in Parquet are read as dates. */
  readonly as?: Pick<SeenColumn, 'type' | 'typeReason' | 'value' | 'reading'>;
}

/** The column that says when: a date, a timestamp or a period in text; preferably one named so. */
export async function findTime(
  session: Session,
  table: DraftTable,
  columns: readonly SeenColumn[],
): Promise<FoundTime | null> {
  const dated = columns.filter(
    ({ name, type, required }) =>
      required && (type === 'date' || type === 'timestamp') && !LIFE_DATE.test(name),
  );
  const settled = dated.filter(({ reading }) => reading.doubt === null);
  const likely = settled.length > 0 ? settled : dated;
  const named = likely.find(({ name }) => DATE_NAME.test(name)) ?? likely[0];
  if (named !== undefined) {
    const unit = named.type === 'date' ? await periodOf(session, table, named) : null;
    const what = named.type === 'date' ? (unit === null ? 'days' : `first days of ${unit}s`) : 'moments';
    return {
      of: named,
      unit,
      reason: `the ${dated.length === 1 ? 'only' : 'first'} column of dates; its values are ${what}`,
    };
  }
  const texts = columns.filter(({ type, required }) => type === 'string' && required);
  // Of the texts in Parquet, a build reads only the time's as dates.
  for (const of of texts.filter(({ native, name }) => native === 'VARCHAR' && DATE_NAME.test(name)))
    for (const type of ['date', 'timestamp'] as const) {
      const numbered = `(SELECT ${of.sql}, row_number() OVER () - 1 AS rowid FROM ${table.table})`;
      const [found] = await readColumnsOf(session, numbered, [textColumn(of, type)]);
      if (found === undefined || found.doubt !== null) continue;
      const as = { type, typeReason: 'every text reads as one', value: found.value, reading: found };
      const unit = type === 'date' ? await periodOf(session, table, found) : null;
      return { of, unit, reason: 'the first column of dates', as };
    }
  const cells = texts.map(({ sql }) => ({ text: `${sql}::VARCHAR` }));
  const counts = await readCellAggregates<number, Cells>(session, table.table, cells, () => [
    "count_if(regexp_full_match(v, '[0-9]{4}-?[QT][1-4]'))",
    "count_if(regexp_full_match(v, '[0-9]{4}-(0[1-9]|1[0-2])'))",
    'count_if(TRY_CAST(right(v, 2) AS INTEGER) = (TRY_CAST(left(v, 4) AS INTEGER) + 1) % 100)',
  ]);
  for (const [i, one] of texts.entries()) {
    const [quarters = 0, months = 0, next = 0] = counts[i]!;
    if (quarters === table.rows) return { of: one, unit: 'quarter', reason: 'every value is a quarter' };
    if (months < table.rows || NO_MONTH_NAME.test(one.name)) continue;
    return next < table.rows
      ? { of: one, unit: 'month', reason: 'every value is a month' }
      : { of: one, unit: null, ...(await schoolYears(session, table, one)) };
  }
  return null;
}

async function periodOf(
  session: Session,
  table: DraftTable,
  { value }: Pick<SeenColumn, 'value'>,
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

/** 2009-10, 2010-11 and 2011-12 are months or school years. */
async function schoolYears(
  session: Session,
  { table, rows }: DraftTable,
  { sql }: SeenColumn,
): Promise<Pick<FoundTime, 'reason' | 'doubt'>> {
  const found = await session.rows<{ text: string }>(
    `SELECT DISTINCT ${sql}::VARCHAR AS text FROM ${table} ORDER BY 1 LIMIT 3`,
  );
  const [year = '', month = ''] = found[0]?.text.split('-') ?? [];
  const answers = [
    { yaml: '- { property: time_unit, value: month }', means: `month ${Number(month)} of ${year}` },
    {
      yaml: '- { property: column_role, value: categorical }',
      means: `the year from ${year} to ${Number(year) + 1}; in place of the column_role above`,
    },
  ];
  const cells = found.map(({ text }, i) => ({ row: i + 1, text }));
  return {
    reason: 'every value is a month, or a year that begins in one and ends in the next',
    doubt: { kind: 'ambiguous', rows, cells, answers },
  };
}

/** `physical` is set if texts are stored as another type. */
type NativeType = Pick<TypedColumn, 'type' | 'typeReason' | 'physical' | 'odd'>;

/** A column with values that JSON readers can't read back becomes text. */
async function readNativeTypes(
  session: Session,
  { table, columns }: Pick<DraftTable, 'table' | 'columns'>,
): Promise<ReadonlyMap<RawColumn, NativeType>> {
  const known = columns.flatMap(column =>
    column.native === null ? [] : [{ column, native: column.native }],
  );
  const kinds = known.map(({ column, native }) => ({ column, native, ...kindOf(column.sql, native) }));
  const counts = await readAggregates<number>(
    session,
    table,
    kinds.flatMap(({ column: { sql }, unfit, none, narrower }) => [
      `count_if(${sql} IS NOT NULL AND (${unfit}))`,
      `count_if(${none})`,
      `count_if(NOT ${none} AND (${narrower?.unfit ?? 'true'}))`,
      `count_if(${sql} IS NOT NULL AND NOT ${none})`,
    ]),
  );
  return new Map(
    kinds.map(({ column, native, type, physical, why, narrower }, i): [RawColumn, NativeType] => {
      const typeReason = `${native} in the file`;
      const [unfit = 0, rows = 0, wider = 0, all = 0] = counts.slice(4 * i);
      if (unfit > 0) {
        const reason = `${typeReason}, with values that ${why}`;
        return [column, { type: 'string', physical, typeReason: reason, odd: null }];
      }
      const odd = rows === 0 ? null : { missing: ['NaN'], unknown: [], rows };
      if (narrower === undefined || all === 0 || wider > 0)
        return [column, { type, typeReason, physical: null, odd }];
      const reason = `${typeReason}, ${narrower.why}`;
      return [column, { type: narrower.type, typeReason: reason, physical: null, odd }];
    }),
  );
}

interface Kind {
  readonly type: ColumnType;
  readonly physical: string | null;
  /** True for values that can't be read back. */
  readonly unfit: string;
  readonly why: string;
  /** True for values that say that there is none. */
  readonly none: string;
  /** A type whose values some programs store in this one. `unfit`: true for other values. */
  readonly narrower?: { readonly type: ColumnType; readonly unfit: string; readonly why: string };
}

function kindOf(sql: string, native: string): Kind {
  const inexact = {
    physical: null,
    unfit: isInexact(sql, native) ?? 'false',
    why: 'a 64-bit float would round',
    none: 'false',
  };
  if (isInteger(native)) return { type: 'integer', ...inexact };
  if (native.startsWith('DECIMAL')) return { type: 'number', ...inexact };
  if (isFloating(native)) {
    const isFraction = `${sql} <> trunc(${sql}) OR abs(${sql}) > ${Number.MAX_SAFE_INTEGER}`;
    const narrower = { type: 'integer', unfit: isFraction, why: 'all whole' } as const;
    const none = `coalesce(isnan(${sql}), false)`;
    return {
      type: 'number',
      physical: 'double',
      unfit: `isinf(${sql})`,
      why: 'are infinite',
      none,
      narrower,
    };
  }
  if (native === 'DATE' || native.startsWith('TIMESTAMP')) {
    const outside = `coalesce(year(${sql}) NOT BETWEEN 1 AND 9999, true)`;
    const unfit = native === 'TIMESTAMP_NS' ? `${outside} OR epoch_ns(${sql}) % 1000 <> 0` : outside;
    const type = native === 'DATE' ? 'date' : 'timestamp';
    const time = { type, physical: type, unfit, why: 'ISO 8601 cannot write with six decimals' } as const;
    if (type === 'date' || native === 'TIMESTAMP WITH TIME ZONE') return { ...time, none: 'false' };
    const narrower = {
      type: 'date',
      unfit: `date_trunc('day', ${sql}) <> ${sql}`,
      why: 'all at midnight',
    } as const;
    return { ...time, none: 'false', narrower };
  }
  const type = native === 'BOOLEAN' ? 'boolean' : 'string';
  return { type, physical: null, unfit: 'false', why: '', none: 'false' };
}

export interface OddTexts {
  /** Texts that mean a missing figure, as the column writes them. */
  readonly missing: readonly string[];
  /** The most frequent first. They make the column one of texts. */
  readonly unknown: readonly string[];
  /** Number of rows with any of them. */
  readonly rows: number;
}

/** A column with more different odd texts is one of texts. */
const MOST_TEXTS = 20;

/** With fewer different figures, a letter may be one of their kind: grades are 1 to 12 and K. */
const LEAST_FIGURES = 20;

const WORDS =
  'n/?a|n\\.\\s?a\\.?|n\\.?d\\.?|nr|nc|nan|null|none|nil|missing|blank|unknown|unavailable|tfs|too few( students)?|not (available|applicable|reported|calculated|tested|measured|published|disclosed)|no data|insufficient data|suppressed|unreliable|withheld|redacted|masked|confidential';
/** Signs; words; words and letters in brackets; bounds such as <10; spreadsheet errors. */
const MARKER = new RegExp(
  `^([*.…?#:/_–—-]+|\\\\n|${WORDS}|[([](${WORDS}|[a-z])[)\\]]|(n\\s*)?[<>≤≥]\\s*=?\\s*[\\d.,]+\\s*%?|#[a-z/0!]+[!?]?)$`,
  'iu',
);
const LETTER = /^[a-z]$/iu;

/**
 * True for texts that may be figures or dates: they have digits, and no letters or other signs except the e of an
 * exponent. 250,000+ and 2,500- are bounds, 1-4 is a range.
 */
function figure(text: string): string {
  const plain = `regexp_replace(${text}, '([0-9])[eE]([-+]?[0-9])', '\\1\\2')`;
  return `(regexp_matches(${text}, '[0-9]') AND NOT regexp_matches(${plain}, '[<>≤≥*†‡§#%‰()\\p{L}\\p{No}\\p{Sc}]|[-+]\\s*$|^[0-9]+\\s*[-–—]\\s*[0-9]+$'))`;
}

/** SQL over v: figures with a percent sign, a currency or brackets around them. */
const SIGNED =
  "(regexp_full_match(trim(v), '[-+(\\p{Zs}]*(\\p{L}{0,3}\\p{Sc})?[-+(\\p{Zs}]*[0-9][0-9.,''’\\p{Zs}]*[-)%‰\\p{Sc}]*') AND regexp_matches(v, '[%‰()\\p{Sc}]'))";

/** Of columns that have both figures and odd texts. */
async function findOddTexts(
  session: Session,
  table: string,
  columns: readonly RawColumn[],
): Promise<Map<RawColumn, OddTexts>> {
  const isOdd = `v <> '' AND NOT ${figure('v')} AND NOT ${SIGNED}`;
  const cells = columns.map(column => ({ column, text: column.sql }));
  const counts = await readCellAggregates<number, Cells>(session, table, cells, () => [
    `count_if(${figure('v')})`,
    `count_if(${isOdd})`,
    `approx_count_distinct(trim(v)) FILTER (${isOdd})`,
  ]);
  const mixed = cells.flatMap((cell, i) => {
    const [figures = 0, rows = 0, about = 0] = counts[i]!;
    return figures === 0 || rows === 0 || about > 2 * MOST_TEXTS ? [] : [{ ...cell, figures, rows }];
  });
  const listed = await readCells<{ text: string; rows: number }, Cells>(session, table, mixed, () => [
    'trim(v) AS text, count(*) AS rows',
    `WHERE ${isOdd} GROUP BY ALL ORDER BY i, rows DESC, text`,
  ]);
  const found = new Map<RawColumn, OddTexts>();
  for (const [i, { column, figures, rows }] of mixed.entries()) {
    const texts = listed[i]!;
    if (texts.length > MOST_TEXTS) continue;
    const letters = texts.some(one => LETTER.test(one.text));
    const { different } = letters
      ? await session.row<{ different: number }>(
          `SELECT count(DISTINCT trim(${column.sql})) AS different FROM ${table} WHERE ${figure(column.sql)}`,
        )
      : { different: 0 };
    const isMarker = (one: string) =>
      one === '' || MARKER.test(one) || (LETTER.test(one) && different >= LEAST_FIGURES);
    const unknown = texts.filter(one => !isMarker(one.text));
    // A few figures among texts are part of them.
    if (unknown.length > 0 && figures < rows) continue;
    found.set(column, {
      missing: texts.flatMap(one => (isMarker(one.text) && one.text !== '' ? [one.text] : [])),
      unknown: unknown.map(one => one.text),
      rows,
    });
  }
  return found;
}
