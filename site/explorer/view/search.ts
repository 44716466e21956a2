/** Choices found by name or code. */
import type { Choice, Field } from './dataset.ts';

export type Filters = ReadonlyMap<string, readonly string[]>;

/** Choices that match the text and the other parts of the key that are chosen already; names that begin with it first. */
export function findChoices(field: Field, filters: Filters, text: string, most: number): Choice[] {
  const wanted = fold(text);
  const chosen = new Set(chosenChoices(field, filters));
  const starts: Choice[] = [];
  const holds: Choice[] = [];
  for (const choice of field.choices) {
    if (chosen.has(choice) || !fits(choice, filters)) continue;
    const label = fold(choice.label);
    if (label.startsWith(wanted) || choice.value.startsWith(text.trim())) starts.push(choice);
    else if (label.includes(wanted)) holds.push(choice);
    if (starts.length === most) break;
  }
  return [...starts, ...holds].slice(0, most);
}

/**
 * What the parameters choose. Parts of a key are lists of their own, so that places of two larger places bring every
 * pair of them that exists. A value that the dataset does not have is its own label.
 */
export function chosenChoices({ param, choices }: Field, filters: Filters): Choice[] {
  return (filters.get(param) ?? []).flatMap((value): Choice[] => {
    const same = choices.filter(choice => choice.value === value);
    const found = same.filter(choice => fits(choice, filters));
    return found.length > 0 ? found : [same[0] ?? { value, label: value, years: [], keys: {} }];
  });
}

/** The choice's code, and what its key is part of: `0101, District 601`. */
export function describeKeys(field: Field, { value, label, keys }: Choice, fields: readonly Field[]): string {
  const larger = Object.entries(keys).map(([param, part]) => {
    const found = fields.find(one => one.param === param);
    return found?.choices.find(choice => choice.value === part)?.label ?? part;
  });
  return [...(label === value ? [] : [value]), ...larger].join(', ');
}

function fits({ keys }: Choice, filters: Filters): boolean {
  return Object.entries(keys).every(([param, part]) => filters.get(param)?.includes(part) ?? true);
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
