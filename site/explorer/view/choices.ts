/** The values of a field: found by name or code, and chosen. */
import type { Choice, Field } from './dataset.ts';
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
