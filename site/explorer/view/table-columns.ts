/** The columns that a table shows. */
import type { ColumnType, Scalar } from '../../../build/format/documents.ts';
import { t } from '../messages/messages.ts';
import { hasNamesakes } from './chosen-places.ts';
import { formatCell, NULL_MARK, titleName } from './format.ts';
import { isOpen, levelOf, oneYear, type Question } from './question.ts';
import type { Rows } from './rows.ts';
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

/** The columns that tell the question's rows apart, and figures. */
export function tableColumns(question: Question, rows: Rows): ShownColumn[] {
  return deriveColumns(question, rows).filter(({ name }) => tellsRows(question, name));
}

/** The columns that can have values at the question's level. */
export function deriveColumns(question: Question, rows: Rows): ShownColumn[] {
  const { dataset } = question;
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
