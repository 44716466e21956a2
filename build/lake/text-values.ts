/** SQL that reads the texts of CSV and JSON lines as values of a contract's types. */
import type { ColumnType } from '../format/documents.ts';
import { readAggregates } from './column-batches.ts';
import type { Session } from './database.ts';
import { literal, literals } from './sql.ts';

/** What a column's texts are read as. */
export type ValueType = ColumnType;

/** How a column writes its values; `reading` finds it out. */
export interface ColumnReading {
  /** SQL of the value: NULL for a missing value, and for a text that is none. */
  readonly value: string;
  /** Number of texts that are no value of the type. */
  readonly unread: number;
  /** The first of them, by order; null if there is none. */
  readonly example: string | null;
  /** Present if both day-first and month-first readings of the dates are possible. */
  readonly ambiguous?: true;
}

/** Texts by which programs write that a value is missing. A text column keeps them. */
const MISSING = ['', 'na', 'n/a', '#n/a', 'nan', 'null', 'none', '-', '.'];

/** Dates other than ISO 8601, as spreadsheets and offices write them, each with a time of day or without. */
const DATE_FORMATS = [
  '%d/%m/%Y',
  '%m/%d/%Y',
  '%d.%m.%Y',
  '%d-%m-%Y',
  '%m-%d-%Y',
  '%Y/%m/%d',
  '%Y.%m.%d',
  '%Y%m%d',
] as const;
const TIMES = ['', ' %H:%M', ' %H:%M:%S'];

/** A column of texts, by its SQL: a VARCHAR. */
export interface TextColumn {
  readonly text: string;
  readonly type: ValueType;
  /** Other texts that the contract reads as NULL. */
  readonly missing?: readonly string[];
}

/** DuckDB turns IN with a long list into a join, which carries all columns of the table. */
function isListed(text: string, list: readonly string[]): string {
  return `list_contains([${literals(list)}], ${text})`;
}

/** NULL if the text says that the value is missing. */
function present({ text, missing = [] }: TextColumn): string {
  const own = missing.length === 0 ? '' : ` AND NOT ${isListed(`trim(${text})`, missing)}`;
  return `CASE WHEN NOT ${isListed(`lower(trim(${text}))`, MISSING)}${own} THEN trim(${text}) END`;
}

/** The ways in which a column of the type may be written, best first. */
function candidates(column: TextColumn): readonly string[] {
  const { text, type, missing = [] } = column;
  const own = present(column);
  switch (type) {
    case 'string':
      return [
        missing.length === 0 ? text : `CASE WHEN NOT ${isListed(`trim(${text})`, missing)} THEN ${text} END`,
      ];
    case 'integer':
      // A cast alone would round 12.5 and read 1_000.
      return [
        `CASE WHEN regexp_full_match(${own}, '[-+]?[0-9]+(\\.0*)?') THEN TRY_CAST(regexp_replace(${own}, '\\..*', '') AS BIGINT) END`,
      ];
    case 'number':
      return [
        `CASE WHEN regexp_full_match(${own}, '[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?') THEN TRY_CAST(${own} AS DOUBLE) END`,
        // A comma before the fraction, with or without dots between thousands.
        `CASE WHEN regexp_full_match(${own}, '[-+]?([0-9]+|[0-9]{1,3}(\\.[0-9]{3})+)(,[0-9]+)?') THEN TRY_CAST(replace(replace(${own}, '.', ''), ',', '.') AS DOUBLE) END`,
      ];
    case 'boolean':
      return [
        `CASE WHEN lower(${own}) IN ('true', 't', 'yes', 'y', '1') THEN true WHEN lower(${own}) IN ('false', 'f', 'no', 'n', '0') THEN false END`,
      ];
    case 'date':
      return [
        `CASE WHEN regexp_full_match(${own}, '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([T ]00:00(:00(\\.0+)?)?Z?)?') THEN TRY_CAST(${own} AS DATE) END`,
        ...DATE_FORMATS.map(format => `TRY_CAST(try_strptime(${own}, ${literal(format)}) AS DATE)`),
      ];
    case 'timestamp':
      return [
        // An offset is turned into UTC.
        `CASE WHEN regexp_full_match(${own}, '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?)?( ?(Z|[-+][0-9]{2}(:?[0-9]{2})?))?') THEN TRY_CAST(${own} AS TIMESTAMP) END`,
        ...DATE_FORMATS.map(
          format => `try_strptime(${own}, [${TIMES.map(time => literal(`${format}${time}`)).join(', ')}])`,
        ),
      ];
    default:
      return type satisfies never;
  }
}

/**
 * Finds how each column of a table of texts is written: the first way that reads all its values, else the one that reads
 * most. `columns` are the SQL of texts, with their types.
 */
export async function readColumnsOf(
  session: Session,
  table: string,
  columns: readonly TextColumn[],
): Promise<ColumnReading[]> {
  const ways = columns.map(candidates);
  const known = await countUnread(
    session,
    table,
    columns,
    ways.map(way => way.slice(0, 1)),
  );
  // Most columns are written in the first way: only the others need another pass.
  const open = columns.map((_, i) => (known[i]?.[0] === 0 ? [] : (ways[i] ?? []).slice(1)));
  const more = open.some(way => way.length > 0) ? await countUnread(session, table, columns, open) : [];
  const readings = columns.map(({ text, type }, i): ColumnReading => {
    const counts = [known[i]?.[0] ?? 0, ...(more[i] ?? [])];
    const unread = Math.min(...counts);
    const value = ways[i]?.[counts.indexOf(unread)] ?? text;
    const isDated = type === 'date' || type === 'timestamp';
    const [dayFirst, monthFirst] = [counts[1], counts[2]];
    const ambiguous = isDated && unread === 0 && counts[0] !== 0 && dayFirst === 0 && monthFirst === 0;
    return { value, unread, example: null, ...(ambiguous ? { ambiguous } : {}) };
  });
  const examples = await readAggregates<string | null>(
    session,
    table,
    readings.flatMap(({ value, unread }, i) => {
      const column = columns[i]!;
      return unread === 0 ? [] : [`min(CASE WHEN ${isUnread(column, value)} THEN ${column.text} END)`];
    }),
  );
  return readings.map(one => (one.unread === 0 ? one : { ...one, example: examples.shift() ?? null }));
}

function isUnread(column: TextColumn, value: string): string {
  return column.type === 'string' ? 'false' : `${present(column)} IS NOT NULL AND (${value}) IS NULL`;
}

async function countUnread(
  session: Session,
  table: string,
  columns: readonly TextColumn[],
  ways: readonly (readonly string[])[],
): Promise<number[][]> {
  const counts = await readAggregates<number>(
    session,
    table,
    columns.flatMap((column, i) => (ways[i] ?? []).map(value => `count_if(${isUnread(column, value)})`)),
  );
  return ways.map(own => counts.splice(0, own.length));
}
