/** Derives the filters of a dataset: the parameters that its fact route accepts. Pure. */

import type { FilterDescriptor } from '../format/schema.ts';
import type { BaseColumn, Contracts, Dataset } from './dataset.ts';

export function datasetFilters(
  dataset: Dataset,
  contracts: Contracts,
  levels: readonly string[],
): FilterDescriptor[] {
  const filters: FilterDescriptor[] = [
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
      .filter(column => column.role !== 'year' && column.role !== 'metric')
      .map(column => columnFilter(column, column.role === 'categorical' ? 'categorical' : 'foreign_key')),
    ...attributeFilters(dataset, contracts),
  ];
  return dataset.placeColumns.length === 0 ? filters : [...filters, placeFilter(dataset, filters)];
}

/** Whole keys of places. A contract may have a column of that name: underscores then tell the two apart. */
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

/** The contract's default level, or the tree's first level if the tree lacks that one. */
export function defaultLevel(dataset: Dataset, levels: readonly string[]): string {
  return levels.includes(dataset.defaultLevel) ? dataset.defaultLevel : (levels[0] ?? dataset.defaultLevel);
}

function yearFilters(dataset: Dataset): FilterDescriptor[] {
  const column = dataset.columns.find(candidate => candidate.role === 'year')?.name ?? 'year';
  const base = { type: 'integer', multi_value: false, enum_enforced: false, values: null, column } as const;
  return [
    { param: 'year', kind: 'year_exact', ...base },
    { param: 'year_min', kind: 'year_range', ...base },
    { param: 'year_max', kind: 'year_range', ...base },
  ];
}

function columnFilter(column: BaseColumn, kind: 'categorical' | 'foreign_key'): FilterDescriptor {
  const values = column.type === 'boolean' ? ['false', 'true'] : (column.validValues?.map(String) ?? null);
  return {
    param: column.name,
    kind,
    type: column.type === 'integer' ? 'integer' : 'string',
    multi_value: true,
    enum_enforced: values !== null,
    values,
    column: column.name,
  };
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
          type: column.type === 'integer' ? 'integer' : 'string',
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

/** The columns for which row groups state bounds: the grain's, then every other column that a filter compares. */
export function keyColumns(dataset: Dataset, filters: readonly FilterDescriptor[]): string[] {
  const filtered = filters.flatMap(filter => (filter.column === undefined ? [] : [filter.column]));
  return [...new Set([...dataset.grain, ...filtered])];
}
