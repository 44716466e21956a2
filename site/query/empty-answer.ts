/** Explains an empty answer from the values that the dataset's columns have. */
import type { ColumnValue, ValuesDocument } from '../../build/format/documents.ts';
import { spellYears } from '../../build/format/time-text.ts';
import type { Condition } from './condition.ts';
import { nearest } from './nearest.ts';
import type { Value } from './order.ts';
import type { Plan } from './plan.ts';

/** More sentences don't help a reader. */
const MOST = 3;

/** A requested value, with the other columns of its key. */
interface Wanted {
  readonly column: string;
  readonly value: Value;
  readonly keys: ReadonlyMap<string, Value>;
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
  const wanted = conditions
    .flatMap(wantedValues)
    .map(one => ({ ...one, keys: new Map([...pinned, ...one.keys]) }));
  const list = `${table.name}/values lists all.`;
  const absent: string[] = [];
  // Finding the nearest value is slow, and a query has room for thousands.
  for (const one of wanted)
    if (absent.length < MOST) absent.push(...explainValue(one, valuesOf(document, one.column), list));
  if (absent.length > 0) return absent;
  const late = conditions.flatMap(condition => explainYears(condition, document, years));
  if (late.length > 0) return late.slice(0, MOST);
  return [`No row at the level ${detail} satisfies all conditions together.`];
}

/** A level leaves the columns of smaller places NULL. */
function isFilled(levels: Plan['table']['levels'], detail: string, column: string): boolean {
  const isPlace = (level: string) => levels.get(level)?.places.includes(column) === true;
  return isPlace(detail) || ![...levels.keys()].some(isPlace);
}

function wantedValues(condition: Condition): readonly Wanted[] {
  if (condition.bound !== 'key') return [];
  const { columns, keys } = condition;
  return keys.flatMap(key =>
    columns.map((column, index) => ({
      column,
      value: key[index] ?? null,
      keys: new Map(columns.slice(0, index).map((part, at) => [part, key[at] ?? null])),
    })),
  );
}

/** Empty if the document doesn't list the column's values. */
function valuesOf({ columns = [] }: Partial<ValuesDocument>, column: string): readonly ColumnValue[] {
  return columns.find(one => one.column === column)?.values ?? [];
}

/** `list`: the sentence that says where all values are. */
function explainValue(
  { column, value, keys }: Wanted,
  all: readonly ColumnValue[],
  list: string,
): readonly string[] {
  if (all.length === 0 || value === null) return [];
  const within = all.filter(one => isWithin(one, keys));
  if (within.some(one => one.value === value)) return [];
  const text = String(value);
  const composed = new Set(all.flatMap(one => Object.keys(one.keys ?? {})));
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
  condition: Condition,
  document: ValuesDocument,
  years: readonly number[],
): readonly string[] {
  const wanted = wantedValues(condition);
  const had = new Set<number>();
  for (const { column, value, keys } of wanted) {
    const found = valuesOf(document, column).filter(one => one.value === value && isWithin(one, keys));
    if (found.length === 0) return [];
    for (const year of found.flatMap(one => one.years)) had.add(year);
  }
  if (wanted.length === 0 || years.length === 0 || had.size === 0 || years.some(year => had.has(year)))
    return [];
  const what = `${condition.param} ${condition.texts.slice(0, MOST).join(', ')}`;
  return [`${what} has rows only in ${spellYears([...had].sort((a, b) => a - b))}.`];
}
