/** Distinct values of a dataset's axes and keys, by slice: what checks on values read, and what values.json lists. */
import type { Contracts, Dataset, ForeignKey } from '../contract/dataset.ts';
import type { ColumnValue, ColumnValues, Scalar } from '../format/documents.ts';
import type { FilterDescriptor } from '../format/schema.ts';
import type { Session } from '../lake/database.ts';
import { dimensionTable, factTable, type LoadedTable, OWN_SCHEMA, SLICE_COLUMN } from '../lake/fact-table.ts';
import { identifier } from '../lake/sql.ts';
import type { Check } from './check.ts';

/** The rows that have the values of a profile's row. No column of a contract can have this name. */
export const COUNT_COLUMN = '"rows of value"';

/** Columns: `_slice`, the profiled columns, and their count. */
export function profileTable(subject: LoadedTable, columns: readonly string[]): string {
  return `${OWN_SCHEMA}.${identifier(`_values ${subject.name} ${columns.join(',')}`)}`;
}

/** Profiles every set of columns that a check on values asks for, and each of the axes. */
export async function createProfiles(input: {
  readonly session: Session;
  readonly subject: LoadedTable;
  readonly checks: readonly Check[];
  readonly axes?: readonly string[];
}): Promise<void> {
  const { session, subject, checks, axes = [] } = input;
  const sets = new Map<string, readonly string[]>(axes.map(name => [name, [name]]));
  for (const { measure } of checks) {
    if (measure.kind === 'values') sets.set(measure.columns.join(','), measure.columns);
  }
  // Widest first: a set within a wider one is summed from it, without another scan of the rows.
  const ordered = [...sets.values()].sort((a, b) => b.length - a.length);
  const made: (readonly string[])[] = [];
  for (const columns of ordered) {
    const wider = made.find(candidate => columns.every(name => candidate.includes(name)));
    const list = [SLICE_COLUMN, ...columns.map(identifier)].join(', ');
    const source = wider === undefined ? subject.table : profileTable(subject, wider);
    const count = wider === undefined ? 'count(*)' : `sum(${COUNT_COLUMN})`;
    await session.run(
      `CREATE TABLE ${profileTable(subject, columns)} AS SELECT ${list}, ${count}::BIGINT AS ${COUNT_COLUMN} FROM ${source} GROUP BY ALL`,
    );
    made.push(columns);
  }
}

/** The entries of values.json, in the order of the filters; values ascending. */
export async function readValues(
  session: Session,
  dataset: Dataset,
  contracts: Contracts,
  filters: readonly FilterDescriptor[],
  sliceYears: readonly number[],
): Promise<ColumnValues[]> {
  const found: ColumnValues[] = [];
  for (const filter of filters) {
    if (filter.column === undefined || filter.kind === 'year_range') continue;
    const column = dataset.columns.find(candidate => candidate.name === filter.column);
    const key = dataset.foreignKeys.find(candidate =>
      filter.kind === 'dimension_attribute'
        ? candidate.attributeColumns.includes(filter.column ?? '')
        : candidate.column === filter.column,
    );
    const query = valuesQuery(dataset, contracts, filter, key, sliceYears);
    const rows = await session.rows<Record<string, Scalar | null | number[]>>(query);
    found.push({
      param: filter.param,
      column: filter.column,
      label: column?.label ?? attributeLabel(contracts, key, filter.column),
      kind: filter.kind,
      values: rows.map(row => columnValue(row, key, filter.column ?? '')),
    });
  }
  return found;
}

function attributeLabel(contracts: Contracts, key: ForeignKey | undefined, column: string): string {
  const dimension = key === undefined ? undefined : contracts.dimensions.get(key.dimension);
  return dimension?.columns.find(candidate => candidate.name === column)?.label ?? column;
}

function columnValue(
  row: Record<string, Scalar | null | number[]>,
  key: ForeignKey | undefined,
  column: string,
): ColumnValue {
  const others = key?.columns.filter(name => name !== column && `key_${name}` in row) ?? [];
  return {
    value: row['value'] as Scalar,
    label: row['label'] as string | null,
    rows: row['rows'] as number,
    years: row['years'] as number[],
    ...(others.length > 0
      ? { keys: Object.fromEntries(others.map(name => [name, row[`key_${name}`] as Scalar])) }
      : {}),
  };
}

function valuesQuery(
  dataset: Dataset,
  contracts: Contracts,
  filter: FilterDescriptor,
  key: ForeignKey | undefined,
  sliceYears: readonly number[],
): string {
  const years = `list(DISTINCT ([${sliceYears.join(', ')}])[p.${SLICE_COLUMN} + 1] ORDER BY ([${sliceYears.join(', ')}])[p.${SLICE_COLUMN} + 1]) AS years`;
  const column = identifier(filter.column ?? '');
  const dimension = key === undefined ? undefined : contracts.dimensions.get(key.dimension);
  if (key === undefined || dimension === undefined) {
    return `SELECT p.${column} AS value, NULL AS label, sum(${COUNT_COLUMN})::DOUBLE AS rows, ${years} FROM ${profileTable(factTable(dataset), [filter.column ?? ''])} p WHERE p.${column} IS NOT NULL GROUP BY ALL ORDER BY value`;
  }
  const on = key.columns
    .map((name, i) => `p.${identifier(name)} = d.${identifier(key.targetColumns[i] ?? name)}`)
    .join(' AND ');
  const from = `${profileTable(factTable(dataset), key.columns)} p LEFT JOIN ${dimensionTable(dimension).table} d ON ${on}`;
  if (filter.kind === 'dimension_attribute') {
    return `SELECT d.${column} AS value, NULL AS label, sum(${COUNT_COLUMN})::DOUBLE AS rows, ${years} FROM ${from} WHERE d.${column} IS NOT NULL GROUP BY ALL ORDER BY value`;
  }
  // The first attribute that the join adds is the name that people know a key by.
  const [name] = key.attributeColumns;
  const label = name === undefined ? 'NULL' : `d.${identifier(name)}`;
  const others = key.columns
    .filter(other => other !== filter.column)
    .map(other => `p.${identifier(other)} AS ${identifier(`key_${other}`)}, `)
    .join('');
  const order = key.columns.map(other => `p.${identifier(other)}`).join(', ');
  const groups = [
    `p.${column}`,
    ...(name === undefined ? [] : [label]),
    ...key.columns.filter(other => other !== filter.column).map(other => `p.${identifier(other)}`),
  ];
  return `SELECT p.${column} AS value, ${label} AS label, ${others}sum(${COUNT_COLUMN})::DOUBLE AS rows, ${years} FROM ${from} WHERE p.${column} IS NOT NULL GROUP BY ${groups.join(', ')} ORDER BY value, ${order}`;
}
