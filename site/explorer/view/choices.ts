/** The values of a field: found by name or code, chosen, and with the rows that they have in a question. */
import type { Scalar } from '../../../build/format/documents.ts';
import type { ColumnStatistics, StatisticsDocument } from '../../../build/format/statistics.ts';
import type { Choice, ExploredDataset, Field } from './dataset.ts';
import { type Question, within } from './question.ts';
import { foldText } from './search-words.ts';

type Filters = ReadonlyMap<string, readonly string[]>;

/** The name of a field's value; a value that isn't listed is its own. */
export function nameValue({ choices }: Pick<Field, 'choices'>, value: string): string {
  return choices.find(choice => choice.value === value)?.label ?? value;
}

/** The name of the larger place that a part of a key is. */
export function namePart(fields: readonly Field[], param: string, part: string): string {
  const field = fields.find(one => one.param === param);
  return field ? nameValue(field, part) : part;
}

/** What a search compares of an item. Those of a lower rank come first. */
interface Searched {
  readonly name: string;
  readonly code: string;
  readonly rank?: 0 | 1;
}

/** Finds items whose name or code has all words of the text; of one rank, those that begin with it come first. */
export function findByText<Item>(
  items: readonly Item[],
  text: string,
  most: number,
  read: (item: Item) => Searched,
): Item[] {
  const wanted = foldText(text).trim();
  const words = wanted.split(/[\s,]+/).filter(Boolean);
  const ranks: Item[][] = [[], [], [], []];
  for (const item of items) {
    const { name, code, rank = 0 } = read(item);
    const [own, key] = [foldText(name).trim(), code.toLowerCase()];
    if (!words.every(word => own.includes(word) || key.includes(word))) continue;
    const starts = own.startsWith(wanted) || key.startsWith(wanted);
    const found = ranks[2 * rank + (starts ? 0 : 1)]!;
    if (found.length < most) found.push(item);
    if (ranks[0]!.length === most) break;
  }
  return ranks.flat().slice(0, most);
}

/** Finds choices that aren't chosen, first those within the chosen larger places. */
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
 * Returns the choices of the parameters. Each part of a key is a separate list, so two larger places match every
 * existing pair. An unknown value is its own label.
 */
export function chosenChoices({ param, choices }: Field, filters: Filters): Choice[] {
  return (filters.get(param) ?? []).flatMap((value): Choice[] => {
    const same = choices.filter(choice => choice.value === value);
    const found = same.filter(choice => fits(choice, filters));
    return found.length > 0 ? found : [same[0] ?? { value, label: value, years: [], rows: 0, keys: {} }];
  });
}

/** Returns the choice's code and its enclosing places: `0101, District 601`. */
export function describeKeys({ value, label, keys }: Choice, fields: readonly Field[]): string {
  const larger = Object.entries(keys).map(([param, part]) => namePart(fields, param, part));
  return [...(label === value ? [] : [value]), ...larger].join(', ');
}

function fits({ keys }: Choice, filters: Filters): boolean {
  return Object.entries(keys).every(([param, part]) => filters.get(param)?.includes(part) ?? true);
}

/** At least the rows that each value has in a question, as the API writes the value; one that is missing has none. */
export type Facet = ReadonlyMap<string, number>;

export function columnOf(statistics: StatisticsDocument, name: string): ColumnStatistics | null {
  return statistics.columns.find(column => column.name === name) ?? null;
}

/** Counts the rows of each value of a field in the years of the question; null if the statistics do not list them. */
export function deriveFacet(
  dataset: ExploredDataset,
  statistics: StatisticsDocument,
  question: Question,
  field: Field,
): Facet | null {
  const { combinations, years } = statistics;
  const values = columnOf(statistics, field.column)?.values;
  const others = dataset.fields.filter(({ param }) => param !== field.param && question.filters.has(param));
  const known = combinations?.columns.includes(field.column) ? combinations : null;
  const told = others.filter(({ column }) => known?.columns.includes(column));
  const rows = new Map<string, number>();
  const add = (value: Scalar, count: number) => {
    if (count > 0) rows.set(String(value), (rows.get(String(value)) ?? 0) + count);
  };
  if (known === null) {
    if (!values) return null;
    for (const { value, rows: counts } of values)
      for (const [i, count] of counts.entries())
        if (years[i] === undefined || within(years[i], question.years)) add(value, count);
    return rows;
  }
  const { columns } = known;
  const [own, year] = [columns.indexOf(field.column), columns.indexOf(dataset.yearColumn)];
  const wanted = told.map(
    ({ column, param }) => [columns.indexOf(column), question.filters.get(param) ?? []] as const,
  );
  for (const row of known.rows) {
    const value = row[own] ?? null;
    const fits =
      value !== null &&
      (year < 0 || within(Number(row[year]), question.years)) &&
      wanted.every(([at, list]) => list.includes(String(row[at])));
    if (fits) add(value, Number(row.at(-1)));
  }
  return rows;
}
