/** Derives the filters of a dataset: the parameters that its fact route accepts. Pure. */

import type { FilterDescriptor } from '../format/documents.ts';
import { isForeignKey } from './columns.ts';
import type { BaseColumn, Column, Contracts, Dataset } from './dataset.ts';
import { isParameter } from './dataset-name.ts';

export function datasetFilters(
  dataset: Dataset,
  contracts: Contracts,
  levels: readonly string[],
): FilterDescriptor[] {
  const filters = withOwnParameters([
    ...yearFilters(dataset),
    {
      param: 'detail',
      kind: 'detail',
      type: 'string',
      multi_value: false,
      enum_enforced: true,
      values: levels,
      default: defaultLevel(dataset, levels),
    },
    ...dataset.columns
      .filter(({ role }) => role !== 'year' && role !== 'metric' && role !== 'attribute')
      .map(column => columnFilter(column, filterKind(column))),
    ...attributeFilters(dataset, contracts),
  ]);
  if (dataset.placeColumns.length > 0) filters.push(placeFilter(dataset, filters));
  const taken = new Set([...dataset.columns.map(({ name }) => name), ...filters.map(({ param }) => param)]);
  return [...filters, ...dataset.columns.flatMap(rangeFilters).filter(({ param }) => !taken.has(param))];
}

/** Whole keys of places. If a column has that name, underscores are added. */
function placeFilter({ placeColumns }: Dataset, others: readonly FilterDescriptor[]): FilterDescriptor {
  let param = 'place';
  while (others.some(other => other.param === param)) param += '_';
  return {
    param,
    kind: 'place',
    type: 'string',
    multi_value: true,
    enum_enforced: false,
    values: null,
    columns: placeColumns,
  };
}

function filterKind({ role }: Column): 'time' | 'categorical' | 'foreign_key' {
  return role === 'time' || role === 'categorical' ? role : 'foreign_key';
}

/** Dates and numbers that are neither codes nor the year. */
export function hasRange({ role, type }: Pick<Column, 'role' | 'type'>): boolean {
  return role !== 'year' && !isForeignKey(role) && type !== 'string' && type !== 'boolean';
}

function rangeFilters(column: Column): FilterDescriptor[] {
  const { name, type } = column;
  if (!hasRange(column) || type === 'boolean') return [];
  return (['min', 'max'] as const).flatMap((bound): FilterDescriptor[] => {
    const param = `${name}_${bound}`;
    if (isParameter(param)) return [];
    const base = { param, kind: 'range', type, bound, multi_value: false } as const;
    return [{ ...base, enum_enforced: false, values: null, column: name }];
  });
}

/** A column named like a parameter that every dataset has gets `<name>_column`. */
function withOwnParameters(filters: readonly FilterDescriptor[]): FilterDescriptor[] {
  const taken = new Set<string>();
  return filters.map(filter => {
    let { param } = filter;
    while (filter.multi_value && (isParameter(param) || taken.has(param))) param = `${param}_column`;
    taken.add(param);
    return param === filter.param ? filter : { ...filter, param };
  });
}

/** The contract's default level, or the first level if the tree lacks that one. */
export function defaultLevel(dataset: Dataset, levels: readonly string[]): string {
  return levels.includes(dataset.defaultLevel) ? dataset.defaultLevel : (levels[0] ?? dataset.defaultLevel);
}

function yearFilters({ time }: Dataset): FilterDescriptor[] {
  const column = time.yearColumn;
  if (column === null) return [];
  const base = { type: 'integer', multi_value: false, enum_enforced: false, values: null, column } as const;
  return [
    { param: 'year', kind: 'year_exact', ...base },
    { param: 'year_min', kind: 'year_range', ...base },
    { param: 'year_max', kind: 'year_range', ...base },
  ];
}

function columnFilter(column: BaseColumn, kind: 'time' | 'categorical' | 'foreign_key'): FilterDescriptor {
  const values = column.type === 'boolean' ? ['false', 'true'] : (column.validValues?.map(String) ?? null);
  return {
    param: column.name,
    kind,
    type: filterType(column),
    multi_value: true,
    enum_enforced: values !== null,
    values,
    column: column.name,
  };
}

function filterType({ type }: BaseColumn): FilterDescriptor['type'] {
  return type === 'integer' || type === 'date' || type === 'timestamp' ? type : 'string';
}

function attributeFilters(dataset: Dataset, contracts: Contracts): FilterDescriptor[] {
  return dataset.foreignKeys.flatMap(key => {
    const dimension = contracts.dimensions.get(key.dimension);
    return (dimension?.columns ?? []).flatMap((column): FilterDescriptor[] => {
      if (column.validValues === null || !key.attributeColumns.includes(column.name)) return [];
      return [
        {
          param: column.name,
          kind: 'dimension_attribute',
          type: filterType(column),
          multi_value: true,
          enum_enforced: true,
          values: column.validValues.map(String),
          column: column.name,
          dimension: dimension?.name ?? '',
        },
      ];
    });
  });
}

/**
 * The columns whose bounds row groups state: the grain's, then every other column that a filter compares with
 * a list. Bounds of figures would enlarge manifests and exclude few groups.
 */
export function keyColumns(dataset: Dataset, filters: readonly FilterDescriptor[]): string[] {
  const filtered = filters.flatMap(({ kind, column }) =>
    column === undefined || kind === 'range' ? [] : [column],
  );
  return [...new Set([...dataset.grain, ...filtered])];
}
