/** The values of a field: found by name or code, chosen, and those with rows. */
import type { StatisticsDocument } from '../../../build/format/documents.ts';
import type { Choice, Field } from './dataset.ts';
import { type Question, within } from './question.ts';
import { foldText } from './search-words.ts';

type Filters = ReadonlyMap<string, readonly string[]>;

/** The label of a field's value, or the value itself if it isn't listed. */
export function nameValue({ choices }: Pick<Field, 'choices'>, value: string): string {
  return choices.find(choice => choice.value === value)?.label ?? value;
}

/** What a search compares. Items of a lower rank come first. */
interface Searched {
  readonly name: string;
  readonly code: string;
  readonly rank?: 0 | 1;
}

/** Finds items whose name or code has all words of the text. Within a rank, those that begin with the text come first. */
export function findByText<Item>(
  items: readonly Item[],
  text: string,
  most: number,
  read: (item: Item) => Searched,
): Item[] {
  const wanted = foldText(text).trim();
  const words = wanted.split(/[\s,]+/).filter(Boolean);
  const found = items.flatMap(item => {
    const { name, code, rank = 0 } = read(item);
    const [own, key] = [foldText(name).trim(), code.toLowerCase()];
    if (!words.every(word => own.includes(word) || key.includes(word))) return [];
    const starts = own.startsWith(wanted) || key.startsWith(wanted);
    return [{ item, place: 2 * rank + (starts ? 0 : 1) }];
  });
  return found
    .sort((a, b) => a.place - b.place)
    .slice(0, most)
    .map(({ item }) => item);
}

/** Finds choices that aren't chosen yet, those within the chosen larger places first. */
export function findChoices(field: Field, filters: Filters, text: string, most: number): Choice[] {
  const chosen = new Set(chosenChoices(field, filters));
  const free = field.choices.filter(choice => !chosen.has(choice));
  return findByText(free, text, most, choice => ({
    name: choice.label,
    code: choice.value,
    rank: fits(choice, filters) ? 0 : 1,
  }));
}

/**
 * The chosen choices. Each part of a key has its own list, so with two larger places a code may match a place in each.
 * An unknown value is its own label.
 */
export function chosenChoices({ param, choices }: Field, filters: Filters): Choice[] {
  return (filters.get(param) ?? []).flatMap((value): Choice[] => {
    const same = choices.filter(choice => choice.value === value);
    const found = same.filter(choice => fits(choice, filters));
    return found.length > 0 ? found : [same[0] ?? { value, label: value, years: [], rows: 0, keys: {} }];
  });
}

/** The choice's code and the places it lies in: `0101, District 601`. */
export function describeKeys({ value, label, keys }: Choice, fields: readonly Field[]): string {
  const larger = Object.entries(keys).map(([param, part]) => {
    const field = fields.find(one => one.param === param);
    return field ? nameValue(field, part) : part;
  });
  return [...(label === value ? [] : [value]), ...larger].join(', ');
}

function fits({ keys }: Choice, filters: Filters): boolean {
  return Object.entries(keys).every(([param, part]) => filters.get(param)?.includes(part) ?? true);
}

/** The values of a field that have rows in the question's years; null if the statistics don't list the field's values. */
export function valuesWithRows(
  question: Question,
  statistics: StatisticsDocument,
  field: Field,
): ReadonlySet<string> | null {
  const { dataset } = question;
  const { combinations, years, columns } = statistics;
  const found = new Set<string>();
  if (!combinations?.columns.includes(field.column)) {
    const values = columns.find(({ name }) => name === field.column)?.values;
    if (!values) return null;
    const isAsked = (at: number) => years[at] === undefined || within(years[at], question.years);
    for (const { value, rows } of values)
      if (rows.some((count, at) => count > 0 && isAsked(at))) found.add(String(value));
    return found;
  }
  const positionOf = (column: string) => combinations.columns.indexOf(column);
  const [own, year] = [positionOf(field.column), positionOf(dataset.yearColumn)];
  const wanted = dataset.fields.flatMap(({ param, column }) => {
    const values = param === field.param ? undefined : question.filters.get(param);
    return values && positionOf(column) >= 0 ? [{ at: positionOf(column), values }] : [];
  });
  for (const row of combinations.rows) {
    const value = row[own] ?? null;
    const isOfYears = year < 0 || within(Number(row[year]), question.years);
    if (value !== null && isOfYears && wanted.every(({ at, values }) => values.includes(String(row[at]))))
      found.add(String(value));
  }
  return found;
}
