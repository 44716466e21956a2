/** An answer to SQL as a dataset of its own, so that the views and files of datasets show it. */
import { FORMAT, type TimeUnit } from '../../../build/format/documents.ts';
import type { DatasetManifest, RowColumn } from '../../../build/format/manifest.ts';
import type { ColumnDescriptor, SchemaDocument } from '../../../build/format/schema.ts';
import { t } from '../messages/messages.ts';
import { deriveMetrics, type ExploredDataset, type Field } from './dataset.ts';
import { ALL_YEARS, type Question } from './question.ts';
import type { Rows } from './rows.ts';
import { deriveTimeline } from './timeline.ts';

/** What a reader chooses for a chart of an answer. */
export interface AnswerChoice {
  /** Column whose values a chart draws. */
  readonly figure: string;
  /** Column that names bars and lines; null if none does. */
  readonly label: string | null;
  /** Column with the time of lines; null in bars. */
  readonly time: string | null;
}

/** The columns of an answer by what a chart can use them for. */
export interface AnswerColumns {
  readonly figures: readonly string[];
  readonly labels: readonly string[];
  readonly times: readonly string[];
}

const LEVEL = 'rows';

export function findColumns(rows: Rows): AnswerColumns {
  const units = rows.columns.map((_, column) => timeUnitOf(rows, column));
  const numeric = rows.columns.map(({ type }) => type === 'integer' || type === 'number');
  const take = (keep: (at: number) => boolean) =>
    rows.columns.flatMap(({ name }, at) => (keep(at) ? [name] : []));
  const isYear = (at: number) => units[at] === 'year' && /year/i.test(rows.columns[at]?.name ?? '');
  const times = take(at => units[at] !== null);
  return {
    // A year is a number that nobody draws, unless there is no other.
    figures: [
      ...take(at => numeric[at]! && units[at] === null),
      ...take(at => numeric[at]! && units[at] !== null),
    ],
    labels: [...take(at => !numeric[at]), ...take(at => numeric[at]!)],
    times: [...take(isYear), ...times.filter(name => !take(isYear).includes(name))],
  };
}

/** The first figure, the first label that is no time, and the first time. Null if the answer has no figure. */
export function firstChoice({ figures, labels, times }: AnswerColumns, lines: boolean): AnswerChoice | null {
  const time = lines ? (times[0] ?? null) : null;
  const figure = figures.find(name => name !== time);
  if (figure === undefined || (lines && time === null)) return null;
  const others = labels.filter(name => name !== figure && name !== time && !(lines && times.includes(name)));
  const named = others.filter(name => !figures.includes(name));
  return {
    figure,
    label: named[0] ?? (lines ? null : (others.find(name => times.includes(name)) ?? null)),
    time,
  };
}

/** Whether two rows of the answer would stand in one place of the chart. */
export function hasDoubles(rows: Rows, { label, time }: AnswerChoice): boolean {
  const columns = [label, time].map(name => rows.columns.findIndex(column => column.name === name));
  const seen = new Set<string>();
  for (let row = 0; row < rows.rows; row++)
    seen.add(JSON.stringify(columns.map(at => (at < 0 ? null : rows.cell(row, at)))));
  return seen.size < rows.rows;
}

/** The question of an answer: all of its rows. */
export const ANSWER_QUESTION: Question = { detail: LEVEL, years: ALL_YEARS, places: [], filters: new Map() };

/** Describes an answer as its charts and files need it. Without a choice, only files can be written of it. */
export function answerDataset(
  rows: Rows,
  statement: string,
  sample: boolean,
  choice: AnswerChoice | null,
): ExploredDataset {
  const { figure = null, label = null, time = null } = choice ?? {};
  const unit =
    time === null
      ? 'none'
      : timeUnitOf(
          rows,
          rows.columns.findIndex(({ name }) => name === time),
        )!;
  const columns = rows.columns.map(({ name, type }) => describeColumn(name, type, figure));
  const title = t.answer.title;
  const schema: SchemaDocument = {
    format: FORMAT,
    release: '',
    main_topic: '',
    sub_topic: '',
    topic: 'answer',
    key: 'sql',
    version: '',
    year_min: null,
    year_max: null,
    year_gaps: [],
    available_years: [],
    update_frequency: null,
    detail_levels: [LEVEL],
    default_detail: LEVEL,
    time: { unit, column: time },
    path_template: '',
    grain: [label, time].filter(name => name !== null),
    title,
    summary: '',
    description: '',
    area: t.answer.area,
    source: `SQL: ${statement.replace(/\s+/g, ' ').trim()}`,
    source_url: null,
    endpoint: '',
    columns,
    key_metric: figure,
    usage: '',
    limitations: '',
    null_semantics: {},
    schema_hash: '',
    tags: [],
    granularity_description: '',
    example_queries: [],
    foreign_keys: [],
    filters: [],
    filter_hints: [],
    values_endpoint: '',
  };
  const stored = rows.columns.map(storedColumn);
  const manifest: DatasetManifest = {
    format: FORMAT,
    release: '',
    dataset: 'sql',
    version: '',
    schema_hash: '',
    license: null,
    attribution: null,
    rows: rows.rows,
    columns: stored,
    order: [],
    place: [],
    key_columns: [],
    slices: [],
    copies: [],
    documents: [],
    ...(sample ? { sample } : {}),
  };
  return {
    key: 'sql',
    schema,
    manifest,
    levels: [{ name: LEVEL, years: [], places: [] }],
    table: {
      kind: 'dataset',
      name: 'sql',
      folder: '',
      columns: stored,
      keyColumns: [],
      order: [],
      year: -1,
      yearFirst: false,
      levels: new Map(),
      defaultLevel: LEVEL,
      stamp: { version: '', schemaHash: '', release: '', license: null, attribution: null, sample },
      parameters: new Map(),
    },
    fields: label === null ? [] : [labelField(rows, label)],
    metrics: deriveMetrics(columns),
    yearColumn: '',
    timeline: deriveTimeline(schema, time ?? ''),
    // No contract says of an answer which of its years compare.
    comparability: { pooledYears: null, breaksOf: () => [] },
  };
}

function describeColumn(
  name: string,
  type: ColumnDescriptor['type'],
  figure: string | null,
): ColumnDescriptor {
  const isFigure = name === figure || (figure !== null && name === `${figure}_moe`);
  return {
    name,
    type,
    role: isFigure ? 'metric' : 'categorical',
    nullable: true,
    label: name,
    short_description: '',
    description: '',
    valid_values: null,
    example: null,
    unit: null,
    value_min: null,
    value_max: null,
    null_meaning: null,
    key_metric_grain_contributor: false,
    metric_component: null,
  };
}

function storedColumn({ name, type }: Rows['columns'][number]): RowColumn {
  const parquet =
    type === 'integer'
      ? 'INT64'
      : type === 'number'
        ? 'DOUBLE'
        : type === 'boolean'
          ? 'BOOLEAN'
          : 'BYTE_ARRAY';
  return { name, type, parquet, from: null };
}

/** The labels as the values of an axis, in the answer's order. */
function labelField(rows: Rows, column: string): Field {
  const at = rows.columns.findIndex(({ name }) => name === column);
  const values = new Set<string>();
  for (let row = 0; row < rows.rows; row++) values.add(String(rows.cell(row, at) ?? 'NULL'));
  const choices = [...values].map(value => ({ value, label: value, years: [], rows: 0, keys: {} }));
  return {
    param: column,
    column,
    kind: 'axis',
    label: column,
    description: '',
    type: rows.columns[at]?.type ?? 'string',
    total: null,
    headline: null,
    choices,
    shapes: null,
    nameColumn: null,
    overlap: null,
  };
}

const FORMS: readonly (readonly [Exclude<TimeUnit, 'none' | 'year'>, RegExp])[] = [
  ['quarter', /^\d{4}-?[QT][1-4]$/],
  ['month', /^\d{4}-\d\d$/],
  ['day', /^\d{4}-\d\d-\d\d$/],
  ['instant', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/],
];

/** What time the values of a column are, all alike; null if they are none. */
function timeUnitOf(rows: Rows, column: number): Exclude<TimeUnit, 'none'> | null {
  let unit: Exclude<TimeUnit, 'none'> | null = null;
  for (let row = 0; row < rows.rows; row++) {
    const value = rows.cell(row, column);
    if (value === null) continue;
    const own = unitOfValue(value);
    if (own === null || (unit !== null && own !== unit)) return null;
    unit = own;
  }
  return unit;
}

function unitOfValue(value: string | number | boolean): Exclude<TimeUnit, 'none'> | null {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 1500 && value <= 2200 ? 'year' : null;
  return FORMS.find(([, form]) => form.test(String(value)))?.[0] ?? null;
}
