/** Finds choices by name or code. */
import type { Choice, Field } from './dataset.ts';
import { foldText } from './word-stems.ts';

type Filters = ReadonlyMap<string, readonly string[]>;

/** Finds matching choices: first those within the chosen larger places, then those that start with the text. */
export function findChoices(field: Field, filters: Filters, text: string, most: number): Choice[] {
  const wanted = foldText(text).trim();
  const chosen = new Set(chosenChoices(field, filters));
  const ranks: Choice[][] = [[], [], [], []];
  for (const choice of field.choices) {
    if (chosen.has(choice)) continue;
    const label = foldText(choice.label).trim();
    const starts = label.startsWith(wanted) || choice.value.startsWith(text.trim());
    if (!starts && !label.includes(wanted)) continue;
    const rank = ranks[(fits(choice, filters) ? 0 : 2) + (starts ? 0 : 1)]!;
    if (rank.length < most) rank.push(choice);
    if (ranks[0]!.length === most) break;
  }
  return ranks.flat().slice(0, most);
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
  const larger = Object.entries(keys).map(([param, part]) => {
    const found = fields.find(one => one.param === param);
    return found?.choices.find(choice => choice.value === part)?.label ?? part;
  });
  return [...(label === value ? [] : [value]), ...larger].join(', ');
}

function fits({ keys }: Choice, filters: Filters): boolean {
  return Object.entries(keys).every(([param, part]) => filters.get(param)?.includes(part) ?? true);
}
