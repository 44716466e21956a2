/** Finds the column that says when, and the periods that its values are. */
import type { Session } from '../lake/database.ts';
import { type Cells, readCellAggregates } from '../lake/text-cells.ts';
import type { Doubt } from '../lake/text-reading.ts';
import { DATE_NAME, type TypedColumn } from './column-types.ts';
import type { DraftTable } from './draft-table.ts';

export interface SeenColumn extends TypedColumn {
  readonly required: boolean;
  readonly distinct: number;
  readonly least: string | null;
  readonly most: string | null;
  readonly length: number;
}

export interface FoundTime {
  readonly of: SeenColumn;
  readonly unit: 'year' | 'quarter' | 'month' | null;
  readonly reason: string;
  /** Present if the values may be something else. */
  readonly doubt?: Doubt;
}

/** The column that says when: a date or a moment, or a period in text; the one named so, else the first. */
export async function findTime(
  session: Session,
  table: DraftTable,
  columns: readonly SeenColumn[],
): Promise<FoundTime | null> {
  const dated = columns.filter(({ type, required }) => required && (type === 'date' || type === 'timestamp'));
  const settled = dated.filter(({ reading }) => reading.doubt === null);
  const likely = settled.length > 0 ? settled : dated;
  const named = likely.find(({ column }) => DATE_NAME.test(column.name)) ?? likely[0];
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
  const cells = texts.map(({ column }) => ({ text: `${column.sql}::VARCHAR` }));
  const counts = await readCellAggregates<number, Cells>(session, table.table, cells, () => [
    "count_if(regexp_full_match(v, '[0-9]{4}-?[QT][1-4]'))",
    "count_if(regexp_full_match(v, '[0-9]{4}-(0[1-9]|1[0-2])'))",
    'count_if(TRY_CAST(right(v, 2) AS INTEGER) = (TRY_CAST(left(v, 4) AS INTEGER) + 1) % 100)',
  ]);
  for (const [i, one] of texts.entries()) {
    const [quarters = 0, months = 0, next = 0] = counts[i]!;
    if (quarters === table.rows) return { of: one, unit: 'quarter', reason: 'every value is a quarter' };
    if (months < table.rows) continue;
    return next < table.rows
      ? { of: one, unit: 'month', reason: 'every value is a month' }
      : { of: one, unit: null, ...(await schoolYears(session, table, one)) };
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

/** 2009-10, 2010-11 and 2011-12 are months, or years from one to the next. */
async function schoolYears(
  session: Session,
  { table, rows }: DraftTable,
  { column }: SeenColumn,
): Promise<Pick<FoundTime, 'reason' | 'doubt'>> {
  const found = await session.rows<{ text: string }>(
    `SELECT DISTINCT ${column.sql}::VARCHAR AS text FROM ${table} ORDER BY 1 LIMIT 3`,
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
