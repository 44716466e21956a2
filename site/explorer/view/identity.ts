/** What each row of a figure is about, besides its year: a key to group by, and a name that says what differs. */
import type { ExploredDataset, Field } from './dataset.ts';
import { levelOf, type Question } from './question.ts';
import { columnAt, type Rows } from './rows.ts';

export interface Identity {
  readonly key: string;
  readonly label: string;
}

interface Part {
  readonly field: Field;
  readonly column: number;
  readonly nameColumn: number;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Identities of all rows, in their order. Rows of one identity and one year never meet: places and axes are what is
 * left of the grain. A name has the parts that differ between rows; the larger place only where the finer one is not
 * enough to tell them apart. Where nothing differs it is the place's, or the level's.
 */
export function nameRows(dataset: ExploredDataset, question: Question, rows: Rows): Identity[] {
  const { places } = levelOf(dataset, question.detail);
  const parts = dataset.fields
    .filter(({ kind, column }) => kind === 'axis' || (kind === 'place' && places.includes(column)))
    .map(
      (field): Part => ({
        field,
        column: columnAt(rows, field.column),
        nameColumn: field.nameColumn === null ? -1 : columnAt(rows, field.nameColumn),
        names: new Map(field.choices.map(({ value, label }) => [value, label])),
      }),
    );
  const larger = (part: Part) => part.field.kind === 'place' && part.field.column !== places.at(-1);
  const varying = parts.filter(part => differs(rows, part.column));
  const fine = varying.filter(part => !larger(part));
  const leaf = parts.filter(part => part.field.kind === 'place' && !larger(part));
  const shown = varying.length === 0 ? leaf : fine.length === 0 ? varying : fine;
  const labels = new Map<string, Set<string>>();
  const identities = Array.from({ length: rows.rows }, (_, row): Identity => {
    const key = JSON.stringify(parts.map(part => rows.cell(row, part.column)));
    const label = shown.map(part => describePart(rows, row, part)).join(' · ');
    labels.set(label, (labels.get(label) ?? new Set()).add(key));
    return { key, label };
  });
  const coarse = varying.filter(larger);
  return identities.map((identity, row) => {
    if ((labels.get(identity.label)?.size ?? 1) === 1) return identity;
    const more = coarse.map(part => describePart(rows, row, part)).join(', ');
    return more === '' ? identity : { ...identity, label: `${identity.label} (${more})` };
  });
}

function differs(rows: Rows, column: number): boolean {
  if (column < 0) return false;
  for (let row = 1; row < rows.rows; row++) if (rows.cell(row, column) !== rows.cell(0, column)) return true;
  return false;
}

function describePart(rows: Rows, row: number, { column, nameColumn, names, field }: Part): string {
  const value = column < 0 ? null : rows.cell(row, column);
  if (value === null) return `No ${field.label.toLowerCase()}`;
  const name = nameColumn < 0 ? names.get(String(value)) : rows.cell(row, nameColumn);
  return String(name ?? names.get(String(value)) ?? value);
}
