/** Guesses the types of a table's columns: from the values, and of codes and dates from their names too. */
import { isCoordinateName } from '../contract/coordinates.ts';
import { NO_FORM } from '../contract/text-form.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { type Cells, readCellAggregates } from '../lake/text-cells.ts';
import type { ColumnReading, ValueType } from '../lake/text-reading.ts';
import { readColumnsOf } from '../lake/text-values.ts';
import type { DraftTable, RawColumn } from './draft-table.ts';
import { type NativeType, readNativeTypes } from './native-types.ts';
import { findOddTexts, type OddTexts } from './odd-texts.ts';

/** Rows that are looked at before all are read. */
const FIRST_ROWS = 5_000;

/** The types that a column's texts are tried as; one named like a date is tried as a date before a number. */
const TYPE_ORDER: readonly ValueType[] = ['number', 'boolean', 'date', 'timestamp'];
const DATED_ORDER: readonly ValueType[] = ['date', 'timestamp', 'number', 'boolean'];

export const DATE_NAME =
  /(date|day|time|period|month|quarter|fecha|día|mes|trimestre|datum|mois|jour|week)/iu;
export const CODE_NAME =
  /(^|[^\p{L}])(id|code|código|codigo|key|zip|postcode|postal|fips|geoid|nr|no|number|sku|isin|phone|cp)$|^(id|cod|code)([^\p{L}]|$)/iu;

export interface TypedColumn {
  readonly column: RawColumn;
  readonly type: ValueType;
  readonly reason: string;
  readonly value: string;
  readonly odd: OddTexts | null;
  readonly reading: TextReading;
  /** See ColumnGuess. */
  readonly physical?: string | null;
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

function typeOfNative(column: RawColumn, { type, reason, physical }: NativeType): TypedColumn {
  const utc = column.native === 'TIMESTAMP WITH TIME ZONE' && type === 'timestamp';
  const value = type === 'string' ? `${column.sql}::VARCHAR` : column.sql;
  return { column, type, reason, value, physical, reading: { form: NO_FORM, utc, doubt: null }, odd: null };
}

async function typesOfTexts(
  session: Session,
  { table, rows }: DraftTable,
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
  const cells = columns.map(({ sql }) => ({ text: sql }));
  const looks = await readCellAggregates<number, Cells>(session, table, cells, () => [
    'count(v)',
    "count_if(regexp_full_match(trim(v), '0[0-9]+'))",
  ]);
  for (const [i, column] of columns.entries()) {
    const [present = 0, zeros = 0] = looks[i]!;
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

const UNREAD: TextReading = { form: NO_FORM, utc: false, doubt: null };

function textColumn(column: RawColumn, type: ValueType) {
  const isSmall = isCoordinateName('latitude', column.name) || isCoordinateName('longitude', column.name);
  return { column, text: column.sql, type, stated: null, hasNumbers: column.hasNumbers, isSmall };
}

/** How a column's texts are written, and what is open of it. */
export type TextReading = Pick<ColumnReading, 'form' | 'utc' | 'doubt'>;

export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
