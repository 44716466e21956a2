/** Reads columns of dates and moments in the only pattern that their texts, or the contract, allow. */
import { NO_FORM } from '../contract/text-form.ts';
import { readAggregates } from './column-batches.ts';
import {
  type Answer,
  type ColumnReading,
  type Doubt,
  findDoubt,
  isUnread,
  plainReading,
  type TextColumn,
  type TextRows,
} from './text-reading.ts';
import { presentText, presentTexts, readSkeletons } from './text-skeletons.ts';
import { timePatterns } from './time-forms.ts';
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
  const unread = await countIf(
    { ...rows, from: presentTexts(rows.from, columns) },
    columns.map(({ type }, i) => isUnread(`own${i}`, isoWithoutOffset(`own${i}`, type))),
  );
  const found: ColumnReading[] = [];
  for (const [i, column] of columns.entries()) {
    const { format, zone } = column.stated?.form ?? NO_FORM;
    const isPlain = format === null && zone === null && unread[i] === 0;
    const plain = isoWithoutOffset(presentText(column), column.type);
    found.push(
      isPlain ? plainReading(plain, null) : await readTimeColumn(rows, column, plain, unread[i] ?? 0),
    );
  }
  return found;
}

/** `plain` and `unread`: the value as ISO 8601 without an offset, and how many texts have none. */
async function readTimeColumn(
  rows: TextRows,
  column: TimeColumn,
  plain: string,
  unread: number,
): Promise<ColumnReading> {
  const { type, stated } = column;
  const own = presentText(column);
  const zone = stated?.form.zone ?? null;
  const isMoment = stated === null ? null : stated.physical === 'timestamptz';
  const reader = (pattern: TimePattern, utc = isMoment ?? true): TimeReader => ({
    ...{ pattern, type, utc },
    zone: zone ?? 'UTC',
  });
  const format = stated?.form.format ?? null;
  const guessed = format === null ? await guessedPatterns(rows, own) : [format];
  if (guessed.length === 0 && stated === null)
    return plainReading(plain, await findDoubt(rows, 'unread', column, isUnread(own, plain), [], unread));
  const patterns = guessed.length === 0 ? ['ISO'] : guessed;
  const values = patterns.map(pattern => valueIn(own, reader(pattern), format === null));
  const counts = await countIf({ ...rows, from: presentTexts(rows.from, [column]) }, [
    ...patterns.map(pattern => isUnread('own0', valueIn('own0', reader(pattern), format === null))),
    `${offsetText('own0')} <> ''`,
    `${offsetText('own0')} = ''`,
  ]);
  const unreadBy = counts.slice(0, patterns.length);
  const [moments = 0, clocks = 0] = counts.slice(-2);
  const best = unreadBy.indexOf(Math.min(...unreadBy));
  const pattern = patterns[best]!;
  const value = values[best]!;
  const likely = patterns.flatMap((one, i) =>
    unreadBy[i] === 0 ? [{ pattern: one, value: values[i]! }] : [],
  );
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

/** None if the texts have no form of a date, or too many forms to look at. */
async function guessedPatterns({ session, from }: TextRows, own: string): Promise<readonly TimePattern[]> {
  const skeletons = await readSkeletons(session, from, own);
  return skeletons === null ? [] : timePatterns(skeletons);
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
