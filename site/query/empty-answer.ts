/** Explains an empty answer from the values that the dataset's columns have. */
import type { ColumnValue, ValuesDocument } from '../../build/format/documents.ts';
import { nearest } from '../../build/format/nearest.ts';
import { spellYears } from '../../build/format/time-text.ts';
import type { Condition } from './condition.ts';
import type { Value } from './order.ts';
import type { Plan } from './plan.ts';

/** More sentences don't help a reader. */
const MOST = 3;

/** A requested value, with the other columns of its key. */
interface Wanted {
  readonly column: string;
  readonly value: Value;
  readonly keys: ReadonlyMap<string, Value>;
  /** All values of the column, and those among them that the request means; empty if the document lists none. */
  readonly listed: readonly ColumnValue[];
  readonly found: readonly ColumnValue[];
}

/** Notices for an answer without rows. `years`: the requested years that have data. */
export function explainEmpty({ table, request, years }: Plan, document: ValuesDocument): readonly string[] {
  const { conditions, detail } = request;
  const unfilled = conditions
    .flatMap(({ columns }) => columns)
    .filter(column => !isFilled(table.levels, detail, column));
  if (unfilled.length > 0)
    return unfilled.slice(0, MOST).map(column => `Rows of the level ${detail} have no ${column}.`);
  const isPinned = ({ columns, param, bound, keys }: Condition) =>
    columns[0] === param && bound === 'key' && keys.length === 1;
  const pinned = conditions.filter(isPinned).map(({ param, keys }) => [param, keys[0]![0] ?? null] as const);
  const asked = conditions.map(one => ({ ...one, wanted: wantedValues(one, new Map(pinned), document) }));
  const list = `${table.name}/values lists all.`;
  const absent: string[] = [];
  // Finding the nearest value is slow, and a query has room for thousands.
  for (const one of asked.flatMap(({ wanted }) => wanted))
    if (absent.length < MOST) absent.push(...explainValue(one, list));
  if (absent.length > 0) return absent;
  const late = asked.flatMap(one => explainYears(one, one.wanted, years));
  if (late.length > 0) return late.slice(0, MOST);
  return [`No row at the level ${detail} satisfies all conditions together.`];
}

/** A level leaves the columns of smaller places NULL. */
function isFilled(levels: Plan['table']['levels'], detail: string, column: string): boolean {
  const isPlace = (level: string) => levels.get(level)?.places.includes(column) === true;
  return isPlace(detail) || ![...levels.keys()].some(isPlace);
}

/** `pinned`: other columns of which the request wants one value. */
function wantedValues(
  { bound, columns, keys }: Condition,
  pinned: Wanted['keys'],
  document: Partial<ValuesDocument>,
): readonly Wanted[] {
  if (bound !== 'key') return [];
  return keys.flatMap(key =>
    columns.map((column, index) => {
      const value = key[index] ?? null;
      const own = columns.slice(0, index).map((part, at) => [part, key[at] ?? null] as const);
      const within = new Map([...pinned, ...own]);
      const listed = document.columns?.find(one => one.column === column)?.values ?? [];
      const found = listed.filter(one => one.value === value && isWithin(one, within));
      return { column, value, keys: within, listed, found };
    }),
  );
}

/** `list`: the sentence that says where all values are. */
function explainValue({ column, value, keys, listed, found }: Wanted, list: string): readonly string[] {
  if (listed.length === 0 || value === null || found.length > 0) return [];
  const within = listed.filter(one => isWithin(one, keys));
  const text = String(value);
  const composed = new Set(listed.flatMap(one => Object.keys(one.keys ?? {})));
  const under = [...composed].flatMap(name => (keys.has(name) ? [` in ${name} ${keys.get(name)}`] : []));
  const what = `No row has ${column} '${text}'${under.join('')}`;
  const named = within.filter(({ label }) => label !== null && fold(label) === fold(text));
  if (named.length > 0) {
    const more = named.length > MOST ? ` and ${named.length - MOST} more` : '';
    return [`${what}: ${named[0]?.label} is ${named.slice(0, MOST).map(describeKey).join(', ')}${more}.`];
  }
  const code = nearest(text, new Set(within.map(one => String(one.value))));
  const name = code === null ? nearest(text, new Set(within.flatMap(({ label }) => label ?? []))) : null;
  const near = within.find(one =>
    code === null ? name !== null && one.label === name : String(one.value) === code,
  );
  if (!near) return [`${what}. ${list}`];
  return [`${what}. The nearest is ${describeKey(near)}${near.label === null ? '' : `, ${near.label}`}.`];
}

/** Whether a value of a composite key belongs to the requested values of the other columns. */
function isWithin({ keys = {} }: ColumnValue, wanted: Wanted['keys']): boolean {
  return Object.entries(keys).every(([name, key]) => (wanted.get(name) ?? key) === key);
}

/** `660`; in a composite key `0101 in district_code 601`. */
function describeKey({ value, keys = {} }: ColumnValue): string {
  const under = Object.entries(keys).map(([name, key]) => ` in ${name} ${key}`);
  return `${value}${under.join('')}`;
}

function fold(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The years in which the requested values have rows, if none of them is requested. */
function explainYears(
  { param, texts }: Condition,
  wanted: readonly Wanted[],
  years: readonly number[],
): readonly string[] {
  const had = new Set(wanted.flatMap(({ found }) => found.flatMap(one => one.years)));
  const isKnown = had.size > 0 && wanted.every(({ found }) => found.length > 0);
  if (!isKnown || years.length === 0 || years.some(year => had.has(year))) return [];
  const what = `${param} ${texts.slice(0, MOST).join(', ')}`;
  return [`${what} has rows only in ${spellYears([...had].sort((a, b) => a - b))}.`];
}
