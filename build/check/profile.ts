/**
 * Profiles: the distinct values of a dataset's axes and keys by slice. Checks on values read them, and
 * values.json lists them.
 */
import type { Column, Contracts, Dataset, Dimension, ForeignKey } from '../contract/dataset.ts';
import type { ColumnValue, ColumnValues, FilterDescriptor, Scalar } from '../format/documents.ts';
import { FILTER_KINDS } from '../format/filter-kinds.ts';
import { type Session, spread } from '../lake/database.ts';
import { dimensionTable, factTable, type LoadedTable, OWN_SCHEMA, SLICE_COLUMN } from '../lake/fact-table.ts';
import { identifier } from '../lake/sql.ts';
import { timeText } from '../slice/text-sql.ts';
import type { Check } from './check.ts';

/** The number of rows. No contract's column can have this name. */
export const COUNT_COLUMN = '"rows of value"';

/** Columns: SLICE_COLUMN, the profiled columns, COUNT_COLUMN. */
export function profileTable(subject: LoadedTable, columns: readonly string[]): string {
  return `${OWN_SCHEMA}.${identifier(`_values ${subject.table} ${columns.join(',')}`)}`;
}

/** Creates one profile for each set of columns that a check reads, and for each axis. */
export async function fillProfiles(
  session: Session,
  subject: LoadedTable,
  checks: readonly Check[],
  axes: readonly string[] = [],
): Promise<void> {
  const sets = new Map<string, readonly string[]>(axes.map(name => [name, [name]]));
  for (const { measure } of checks) {
    if (measure.kind === 'values') sets.set(measure.columns.join(','), measure.columns);
  }
  for (const columns of sets.values()) {
    const names = [SLICE_COLUMN, ...columns.map(identifier)].join(', ');
    await session.run(
      `CREATE TABLE ${profileTable(subject, columns)} AS SELECT ${names}, count(*)::BIGINT AS ${COUNT_COLUMN} FROM ${subject.table} GROUP BY ALL`,
    );
  }
}

/** Longer values are prose. */
const LONGEST_VALUE = 255;

/** So few values are a readable list even if none repeats. */
const FEW_VALUES = 50;

/** Prose, or texts that hardly repeat in a column whose role was guessed. */
function isFreeText(column: Column | undefined, values: readonly ColumnValue[]): boolean {
  if (column?.role !== 'categorical' || column.type !== 'string' || column.validValues !== null) return false;
  const isProse = values.some(
    ({ value }) => String(value).length > LONGEST_VALUE || /[\r\n]/.test(String(value)),
  );
  const rows = values.reduce((sum, value) => sum + value.rows, 0);
  return isProse || (column.guessed && values.length > FEW_VALUES && rows < 2 * values.length);
}

/** The entries of values.json in the order of the filters, with ascending values and without free text. */
export async function readValues(
  sessions: readonly Session[],
  dataset: Dataset,
  contracts: Contracts,
  filters: readonly FilterDescriptor[],
  sliceYears: readonly number[],
): Promise<ColumnValues[]> {
  const listed = filters.flatMap(filter =>
    filter.column === undefined || !FILTER_KINDS[filter.kind].isListed
      ? []
      : [{ ...filter, column: filter.column }],
  );
  const years = `list_sort(list(DISTINCT ([${sliceYears.join(', ')}])[p.${SLICE_COLUMN} + 1])) AS years`;
  const found = await spread(sessions, listed, async (session, filter): Promise<ColumnValues | null> => {
    const column = dataset.columns.find(candidate => candidate.name === filter.column);
    const key = dataset.foreignKeys.find(candidate =>
      filter.kind === 'dimension_attribute'
        ? candidate.attributeColumns.includes(filter.column)
        : candidate.column === filter.column,
    );
    const { select, order } = valuesQuery(dataset, contracts, filter, key, years);
    const labels = (column ?? attributeOf(contracts, key, filter.column))?.valueLabels ?? {};
    const rows = await session.rows<ValueRow>(`${select} ORDER BY ${order}`);
    const values = rows.map(row => columnValue(row, key, filter.column, labels));
    if (isFreeText(column, values)) return null;
    return {
      param: filter.param,
      column: filter.column,
      label: column?.label ?? attributeOf(contracts, key, filter.column)?.label ?? filter.column,
      kind: filter.kind,
      values,
    };
  });
  return found.filter(one => one !== null);
}

/** The first attribute, if it is a text. */
function nameAttribute({ attributeColumns: [first], columns }: Dimension): string | undefined {
  return columns.find(({ name }) => name === first)?.type === 'string' ? first : undefined;
}

function attributeOf(contracts: Contracts, key: ForeignKey | undefined, column: string) {
  const dimension = key === undefined ? undefined : contracts.dimensions.get(key.dimension);
  return dimension?.columns.find(candidate => candidate.name === column);
}

interface ValueRow extends Readonly<Record<`key_${string}`, Scalar | null>> {
  readonly value: Scalar;
  readonly label: string | null;
  readonly rows: number;
  /** Ascending. */
  readonly years: readonly number[];
}

function columnValue(
  { value, label, rows, years, ...keys }: ValueRow,
  key: ForeignKey | undefined,
  column: string,
  labels: Readonly<Record<string, string>>,
): ColumnValue {
  const named = Object.hasOwn(labels, String(value)) ? labels[String(value)] : undefined;
  const others = key?.columns.filter(name => name !== column && `key_${name}` in keys) ?? [];
  return {
    value,
    label: label ?? named ?? null,
    rows,
    years,
    ...(others.length > 0
      ? { keys: Object.fromEntries(others.map(name => [name, keys[`key_${name}`] as Scalar])) }
      : {}),
  };
}

function valuesQuery(
  dataset: Dataset,
  contracts: Contracts,
  filter: FilterDescriptor,
  key: ForeignKey | undefined,
  years: string,
): { readonly select: string; readonly order: string } {
  const column = identifier(filter.column ?? '');
  const dimension = key === undefined ? undefined : contracts.dimensions.get(key.dimension);
  if (key === undefined || dimension === undefined) {
    const isTime = filter.type === 'date' || filter.type === 'timestamp';
    const value = isTime ? timeText(`p.${column}`) : `p.${column}`;
    const select = `SELECT ${value} AS value, NULL AS label, sum(${COUNT_COLUMN})::DOUBLE AS rows, ${years} FROM ${profileTable(factTable(dataset), [filter.column ?? ''])} p WHERE p.${column} IS NOT NULL GROUP BY ALL`;
    return { select, order: 'value' };
  }
  const on = key.columns
    .map((name, i) => `p.${identifier(name)} = d.${identifier(key.targetColumns[i] ?? name)}`)
    .join(' AND ');
  const from = `${profileTable(factTable(dataset), key.columns)} p LEFT JOIN ${dimensionTable(dimension).table} d ON ${on}`;
  if (filter.kind === 'dimension_attribute') {
    const select = `SELECT d.${column} AS value, NULL AS label, sum(${COUNT_COLUMN})::DOUBLE AS rows, ${years} FROM ${from} WHERE d.${column} IS NOT NULL GROUP BY ALL`;
    return { select, order: 'value' };
  }
  // The first attribute of the join is the key's label, else that of the dimension if it is a text.
  const [name = nameAttribute(dimension)] = key.attributeColumns;
  const label = name === undefined ? 'NULL' : `d.${identifier(name)}`;
  const others = key.columns.filter(other => other !== filter.column);
  const named = others.map(other => `p.${identifier(other)} AS ${identifier(`key_${other}`)}, `);
  const groups = [
    `p.${column}`,
    ...(name === undefined ? [] : [label]),
    ...others.map(other => `p.${identifier(other)}`),
  ];
  return {
    select: `SELECT p.${column} AS value, ${label} AS label, ${named.join('')}sum(${COUNT_COLUMN})::DOUBLE AS rows, ${years} FROM ${from} WHERE p.${column} IS NOT NULL GROUP BY ${groups.join(', ')}`,
    order: ['value', ...others.map(other => identifier(`key_${other}`))].join(', '),
  };
}
