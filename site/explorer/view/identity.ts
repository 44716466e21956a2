/** Names what each row of a chart is about, besides its year: a key to group by, and unique words. */
import type { Scalar } from '../../../build/format/documents.ts';
import type { ExploredDataset } from './dataset.ts';
import { titleName } from './format.ts';
import { levelOf, type Question } from './question.ts';
import { columnAt, type Rows } from './rows.ts';

export interface Identity {
  readonly key: string;
  readonly label: string;
}

/** A column that tells rows of one year apart. */
interface Part {
  readonly noun: string;
  readonly isPlace: boolean;
  /** Whether the words around the chart already state its one value. */
  readonly isPinned: boolean;
  readonly column: number;
  readonly nameColumn: number;
  /** Null if no filter lists the values. */
  readonly names: ReadonlyMap<string, string> | null;
}

/**
 * Returns the identities of all rows, in their order. A key is the grain without the time, so two rows of one
 * period never share it. A place is named by its whole key, finest part first, since names of schools repeat across districts.
 * An axis is named unless the question pins it. If two keys still have the same words, their codes follow.
 */
export function nameRows(dataset: ExploredDataset, question: Question, rows: Rows): Identity[] {
  const parts = listParts(dataset, question, rows);
  const varying = parts.filter(part => differs(rows, part));
  const isOpen = (part: Part) =>
    varying.includes(part) || (!part.isPinned && valueAt(rows, 0, part) !== null);
  const axes = parts.filter(part => !part.isPlace && isOpen(part));
  const places = parts.filter(part => part.isPlace).reverse();
  const named = axes.length === 0 || places.some(isOpen) ? places : [];
  const keys = Array.from({ length: rows.rows }, (_, row) =>
    JSON.stringify(parts.map(part => valueAt(rows, row, part))),
  );
  const labels = keys.map((_, row) =>
    [describePlace(rows, row, named), ...axes.map(part => describePart(rows, row, part))]
      .filter(words => words !== '')
      .join(' · '),
  );
  const bearers = new Map<string, Set<string>>();
  for (const [row, label] of labels.entries())
    bearers.set(label, (bearers.get(label) ?? new Set()).add(keys[row]!));
  const codesOf = (row: number) => varying.map(part => valueAt(rows, row, part) ?? 'none').join(' ');
  return keys.map((key, row) => {
    const label = labels[row]!;
    return { key, label: bearers.get(label)!.size === 1 ? label : `${label} (${codesOf(row)})` };
  });
}

/** The axes and the level's places, in the order of the grain. */
function listParts(dataset: ExploredDataset, question: Question, rows: Rows): Part[] {
  const { schema, manifest, fields, yearColumn, timeline } = dataset;
  const { places } = levelOf(dataset, question.detail);
  return schema.grain
    .filter(name => name !== yearColumn && name !== timeline?.column)
    .filter(name => places.includes(name) || !manifest.place.includes(name))
    .map(name => {
      const field = fields.find(one => one.column === name && one.kind !== 'mark');
      const described = schema.columns.find(one => one.name === name);
      return {
        noun: field?.label || described?.label || titleName(name),
        isPlace: places.includes(name),
        isPinned: field !== undefined && question.filters.get(field.param)?.length === 1,
        column: columnAt(rows, name),
        nameColumn: field?.nameColumn ? columnAt(rows, field.nameColumn) : -1,
        names: field ? new Map(field.choices.map(({ value, label }) => [value, label])) : null,
      };
    });
}

function valueAt(rows: Rows, row: number, { column }: Part): Scalar | null {
  return column < 0 || rows.rows === 0 ? null : rows.cell(row, column);
}

function differs(rows: Rows, part: Part): boolean {
  for (let row = 1; row < rows.rows; row++)
    if (valueAt(rows, row, part) !== valueAt(rows, 0, part)) return true;
  return false;
}

/** Names the places that the row has: a level may mix kinds of places. */
function describePlace(rows: Rows, row: number, parts: readonly Part[]): string {
  const held = parts.filter(part => valueAt(rows, row, part) !== null);
  return (held.length > 0 ? held : parts.slice(0, 1)).map(part => describePart(rows, row, part)).join(', ');
}

function describePart(rows: Rows, row: number, part: Part): string {
  const value = valueAt(rows, row, part);
  if (value === null) return `No ${part.noun.toLowerCase()}`;
  const name = part.nameColumn < 0 ? null : rows.cell(row, part.nameColumn);
  if (name !== null) return String(name);
  return part.names === null ? `${part.noun} ${value}` : (part.names.get(String(value)) ?? String(value));
}
