/** The columns that a table shows. */
import type { ColumnType, Scalar } from '../../../build/format/documents.ts';
import { t } from '../messages/messages.ts';
import type { ExploredDataset } from './dataset.ts';
import { hasNamesakes } from './chosen-places.ts';
import { formatCell, NULL_MARK, titleName } from './format.ts';
import { isOpen, levelOf, oneYear, type Question } from './question.ts';
import { columnAt, type Rows } from './rows.ts';
import { describeNull } from './wording.ts';

export interface ShownColumn {
  readonly name: string;
  /** Position in the rows. */
  readonly at: number;
  readonly type: ColumnType;
  readonly unit: string | null;
  readonly isMargin: boolean;
  readonly label: string;
  readonly description: string;
  readonly numeric: boolean;
  readonly nullable: boolean;
  /** The contract's words for values; empty if it has none. */
  readonly names: ReadonlyMap<string, string>;
  /** What an empty cell shows, and what that means. */
  readonly nullMark: string;
  readonly nullMeaning: string;
  /** Characters. */
  readonly width: number;
}

const NARROWEST = 9;
const WIDEST = 34;
const MEASURED_ROWS = 60;
const COMPARED_ROWS = 10_000;

/** The columns that can have values at the question's level. Without `all`, only those that tell rows apart, and figures. */
export function deriveColumns(question: Question, rows: Rows, all = true): ShownColumn[] {
  const { dataset } = question;
  if (!all) {
    const ambiguous = findAmbiguous(dataset, rows);
    return deriveColumns(question, rows).filter(
      ({ name }) => ambiguous.has(name) || tellsRows(question, name),
    );
  }
  const { places } = levelOf(question);
  const { schema, manifest } = dataset;
  const absent = new Set(manifest.place.filter(column => !places.includes(column)));
  for (const { column, attribute_columns_added: added } of schema.foreign_keys) {
    if (absent.has(column)) for (const name of added) absent.add(name);
  }
  const columns = new Map(schema.columns.map(column => [column.name, column]));
  return rows.columns.flatMap(({ name, type }, at) => {
    if (absent.has(name)) return [];
    const column = columns.get(name);
    const field = dataset.fields.find(one => one.column === name);
    const label = column?.label || field?.label || titleName(name);
    const metric = column?.role === 'metric';
    const unit = column?.unit ?? null;
    const numeric = metric && (type === 'integer' || type === 'number');
    const isMargin = dataset.metrics.some(({ margin }) => margin?.name === name);
    const shape = { type, unit: numeric && type === 'integer' ? (unit ?? 'count') : unit, isMargin };
    const names = new Map(Object.entries(column?.value_labels ?? {}));
    const nullMark = numeric && !isMargin ? t.words.noFigure : NULL_MARK;
    return [
      {
        name,
        at,
        type,
        unit: shape.unit,
        isMargin,
        label,
        description: column?.short_description || column?.description || '',
        numeric,
        nullable: column?.nullable ?? true,
        names,
        nullMark,
        nullMeaning: describeNull(dataset, name),
        width: measureWidth(rows, at, label, value =>
          value === null ? nullMark : (names.get(String(value)) ?? formatCell(value, shape)),
        ),
      },
    ];
  });
}

/** The characters of a column, by its first rows and its label on two lines, next to the sort mark. */
export function measureWidth(
  rows: Rows,
  at: number,
  label: string,
  show: (value: Scalar | null) => string,
): number {
  const shown = Array.from({ length: Math.min(rows.rows, MEASURED_ROWS) }, (_, row) =>
    show(rows.cell(row, at)),
  );
  const longestWord = Math.max(...label.split(/\s+/).map(word => word.length));
  const header = Math.max(longestWord, Math.ceil(label.length / 2)) + 6;
  return Math.min(WIDEST, Math.max(NARROWEST, header, ...shown.map(({ length }) => length + 4)));
}

/** Columns of codes that are needed to tell apart places of the same name in the same larger place. */
function findAmbiguous({ fields }: ExploredDataset, rows: Rows): ReadonlySet<string> {
  const places = fields.filter(({ kind }) => kind === 'place');
  const found = places.filter(({ column, nameColumn }, i) => {
    const [code, name] = [columnAt(rows, column), nameColumn === null ? -1 : columnAt(rows, nameColumn)];
    if (code < 0 || name < 0) return false;
    const larger = places.slice(0, i).map(one => columnAt(rows, one.column));
    const codes = new Map<string, Scalar | null>();
    for (let row = 0; row < Math.min(rows.rows, COMPARED_ROWS); row++) {
      const words = JSON.stringify([...larger, name].map(at => (at < 0 ? null : rows.cell(row, at))));
      const value = rows.cell(row, code);
      if (codes.has(words) && codes.get(words) !== value) return true;
      codes.set(words, value);
    }
    return false;
  });
  return new Set(found.map(({ column }) => column));
}

/** Whether a column tells the question's rows apart or has figures. If a code has a name, the name is enough. */
function tellsRows(question: Question, name: string): boolean {
  const { dataset, detail } = question;
  const { schema, fields, yearColumn } = dataset;
  if (name === yearColumn) return oneYear(question.years) === null;
  const field = fields.find(one => one.kind !== 'mark' && (one.column === name || one.nameColumn === name));
  if (!field) return schema.columns.some(column => column.name === name);
  const isNamed = field.nameColumn !== null && field.column === name;
  return field.kind === 'place'
    ? !isNamed || hasNamesakes(dataset, detail)
    : !isNamed && isOpen(question, field);
}
