/** Reads columns of dates and moments in the only pattern that their texts, or the contract, allow. */
import { NO_FORM } from '../contract/text-form.ts';
import { readAggregates } from './column-batches.ts';
import { literal } from './sql.ts';
import { readCellAggregates, readSkeletons } from './text-cells.ts';
import {
  type Answer,
  type ColumnReading,
  type Doubt,
  findDoubt,
  isUnread,
  plainReading,
  type TextColumn,
  type TextRows,
  unreadTexts,
} from './text-reading.ts';
import { presentText } from './text-skeletons.ts';
import { SOME_TIME, timePatterns } from './time-forms.ts';
import { isUnclear, offsetText, type TimePattern, type TimeReader, timeValueOf } from './time-texts.ts';

interface TimeColumn extends TextColumn {
  readonly type: 'date' | 'timestamp';
}

/** The name of a zone in an example. */
const SOME_ZONE = 'America/New_York';

export async function readTimeColumns(
  rows: TextRows,
  columns: readonly TimeColumn[],
): Promise<ColumnReading[]> {
  const { session, from } = rows;
  const looks = await readCellAggregates<number, TimeColumn>(session, from, columns, ({ type, stated }) => {
    const unread = isUnread('own', isoWithoutOffset('own', type));
    const isTime = `regexp_matches(own, '[0-9]') AND regexp_full_match(own, ${literal(SOME_TIME)})`;
    const others = stated === null ? `CASE WHEN ${unread} THEN NOT (${isTime}) END` : 'false';
    return [`count_if(${unread})`, `count_if(${others})`];
  });
  const found = new Map<TimeColumn, ColumnReading>();
  for (const [i, column] of columns.entries()) {
    const { format, zone } = column.stated?.form ?? NO_FORM;
    const [unread = 0, others = 0] = looks[i]!;
    const value = isoWithoutOffset(presentText(column), column.type);
    if (format === null && zone === null && unread === 0) found.set(column, plainReading(value, null));
    else if (others > 0) found.set(column, plainReading(value, unreadTexts(others)));
  }
  const guessed = columns.filter(column => !found.has(column) && column.stated?.form.format == null);
  const forms = await readSkeletons(session, from, guessed);
  const patterns = new Map(guessed.map((column, i) => [column, timePatterns(forms[i] ?? [])]));
  for (const [i, column] of guessed.entries()) {
    const value = isoWithoutOffset(presentText(column), column.type);
    const count = forms[i]?.reduce((sum, one) => sum + one.count, 0) ?? 0;
    if (column.stated === null && patterns.get(column)?.length === 0 && count > 0)
      found.set(column, plainReading(value, unreadTexts(count)));
  }
  const open = columns.flatMap(column => (found.has(column) ? [] : [tried(column, patterns.get(column))]));
  const counts = await readCellAggregates<number, TriedColumn>(session, from, open, ({ values }) =>
    [
      ...values('own').map(value => isUnread('own', value)),
      `${offsetText('own')} <> ''`,
      `${offsetText('own')} = ''`,
    ].map(condition => `count_if(${condition})`),
  );
  for (const [i, one] of open.entries()) found.set(one.column, await readTimeColumn(rows, one, counts[i]!));
  return columns.map(column => found.get(column)!);
}

/** A column, and the patterns that its texts may have. */
interface TriedColumn extends TimeColumn {
  readonly column: TimeColumn;
  readonly patterns: readonly TimePattern[];
  readonly reader: (pattern: TimePattern, utc?: boolean) => TimeReader;
  /** SQL of the values in each pattern, from the SQL of `presentText`. */
  readonly values: (own: string) => readonly string[];
}

function tried(column: TimeColumn, guessed: readonly TimePattern[] = []): TriedColumn {
  const { type, stated } = column;
  const { format, zone } = stated?.form ?? NO_FORM;
  const isMoment = stated === null ? null : stated.physical === 'timestamptz';
  const reader = (pattern: TimePattern, utc = isMoment ?? true): TimeReader => ({
    ...{ pattern, type, utc },
    zone: zone ?? 'UTC',
  });
  const likely = guessed.length === 0 ? ['ISO'] : guessed;
  const patterns = format === null ? likely : [format];
  const values = (own: string) => patterns.map(pattern => valueIn(own, reader(pattern), format === null));
  return { ...column, column, patterns, reader, values };
}

async function readTimeColumn(
  rows: TextRows,
  { column, patterns, reader, values: valuesOf }: TriedColumn,
  counts: readonly number[],
): Promise<ColumnReading> {
  const { type, stated } = column;
  const own = presentText(column);
  const { format, zone } = stated?.form ?? NO_FORM;
  const isMoment = stated === null ? null : stated.physical === 'timestamptz';
  const values = valuesOf(own);
  const unread = patterns.map((_, i) => counts[i] ?? 0);
  const [moments = 0, clocks = 0] = counts.slice(-2);
  const best = unread.indexOf(Math.min(...unread));
  const pattern = patterns[best]!;
  const value = values[best]!;
  const likely = patterns.flatMap((one, i) => (unread[i] === 0 ? [{ pattern: one, value: values[i]! }] : []));
  const utc = type === 'timestamp' && (isMoment ?? moments > 0);
  const isSettled = likely.length === 1 && pattern !== 'ISO';
  const reading: ColumnReading = {
    ...plainReading(value, null),
    form: { ...NO_FORM, format: isSettled ? pattern : null },
    utc,
  };
  const doubt = async (kind: Doubt['kind'], condition: string, answers: readonly Answer[] = []) => ({
    ...reading,
    doubt: await findDoubt(rows, kind, column, condition, answers),
  });
  const inZones = ['UTC', SOME_ZONE].map(name => ({
    yaml: options({ format, timezone: true, defaultTimezone: name }),
    means: `a time of day in ${name}`,
  }));
  if (type === 'timestamp' && isMoment === false && moments > 0)
    return doubt(
      'offset',
      `${offsetText(own)} <> ''`,
      clocks > 0
        ? inZones
        : [{ yaml: options({ format, timezone: true }), means: 'a moment, published in UTC' }],
    );
  if (utc && zone !== null) {
    const unclear = isUnclear(own, reader(pattern));
    if ((await countIf(rows, [unclear]))[0]! > 0) return doubt('unclear', unclear);
  }
  if (likely.length === 0) return doubt('unread', isUnread(own, value));
  const isShort = format === null && isShortYear(pattern);
  const others = likely.filter(one => one.value !== value).map(one => one.value);
  const differing = (
    await countIf(
      rows,
      others.map(other => isOther(value, other)),
    )
  ).findIndex(n => n > 0);
  if (isShort || differing >= 0) {
    const asked = await doubt(
      'ambiguous',
      isShort ? `${own} IS NOT NULL` : isOther(value, others[differing]!),
    );
    const readers = likely.map(one => reader(one.pattern));
    return { ...asked, doubt: asked.doubt && (await withAnswers(rows, own, asked.doubt, readers, utc)) };
  }
  return utc && zone === null && moments > 0 && clocks > 0
    ? doubt('ambiguous', `${offsetText(own)} = ''`, inZones)
    : reading;
}

function isOther(value: string, other: string): string {
  return `(${value}) IS DISTINCT FROM (${other})`;
}

function isShortYear(pattern: TimePattern): boolean {
  return /(?<!y)yy(?!y)/.test(pattern);
}

/** Digits alone are a date only if their year is a likely one. */
function valueIn(own: string, reader: TimeReader, isGuess: boolean): string {
  const value = timeValueOf(own, reader);
  if (!isGuess || !/^[yMd]+$/.test(reader.pattern)) return value;
  return `CASE WHEN year(${value}) BETWEEN 1800 AND 2199 THEN ${value} END`;
}

async function withAnswers(
  { session, table }: TextRows,
  own: string,
  doubt: Doubt,
  readers: readonly TimeReader[],
  utc: boolean,
): Promise<Doubt> {
  const [first] = doubt.cells;
  const list = readers.map((one, i) => `(${timeValueOf(own, one)})::VARCHAR AS "${i}"`).join(', ');
  const means = await session.row<Record<string, string | null>>(
    `SELECT ${list} FROM ${table} WHERE rowid = ${(first?.row ?? 1) - 1}`,
  );
  return {
    ...doubt,
    answers: readers.map(({ pattern }, i) => ({
      yaml: options({ format: pattern, ...(utc ? { timezone: true } : {}) }),
      means: means[`${i}`] ?? 'no value',
    })),
  };
}

/** ISO 8601 as most files have it. */
function isoWithoutOffset(own: string, type: 'date' | 'timestamp'): string {
  const date = '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}';
  return type === 'date'
    ? `CASE WHEN regexp_full_match(${own}, '${date}([T ]00:00(:00(\\.0+)?)?)?') THEN TRY_CAST(${own} AS DATE) END`
    : `CASE WHEN regexp_full_match(${own}, '${date}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6}0*)?)?)?') THEN TRY_CAST(${own} AS TIMESTAMP) END`;
}

/** `logicalTypeOptions` of a column as a line of YAML. */
function options(values: Readonly<Record<string, string | boolean | null>>): string {
  const members = Object.entries(values).flatMap(([key, value]) => {
    if (value === null || value === 'ISO') return [];
    const text = String(value);
    return `${key}: ${/^[\w/.:-]+( [\w/.:-]+)*$/.test(text) ? text : JSON.stringify(text)}`;
  });
  return `logicalTypeOptions: { ${members.join(', ')} }`;
}

async function countIf({ session, from }: TextRows, conditions: readonly string[]): Promise<number[]> {
  return readAggregates<number>(
    session,
    from,
    conditions.map(condition => `count_if(${condition})`),
  );
}
