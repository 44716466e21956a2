/**
 * The columns of published rows: the contract's own, each foreign key followed by its join's attributes.
 * Pure.
 */
import type { BaseColumn, Contracts, Dataset, Dimension, ForeignKey } from '../contract/dataset.ts';
import type { RowColumn } from '../format/manifest.ts';

export interface PublishedColumn {
  readonly row: RowColumn;
  readonly column: BaseColumn;
  /** The dimension column that lists its values: a key's target, or the attribute itself. */
  readonly reference: { readonly dimension: Dimension; readonly column: string } | null;
  /** Null for the contract's own columns. */
  readonly join: ForeignKey | null;
}

export function publishedColumns(dataset: Dataset, contracts: Contracts): PublishedColumn[] {
  const found: PublishedColumn[] = [];
  for (const column of dataset.columns) {
    found.push({
      row: rowColumn(column, null),
      column,
      reference: keyReference(dataset, contracts, column),
      join: null,
    });
    for (const join of dataset.foreignKeys) {
      if (join.column !== column.name) continue;
      const dimension = contracts.dimensions.get(join.dimension);
      if (dimension === undefined) continue;
      for (const name of join.attributeColumns) {
        const attribute = dimension.columns.find(candidate => candidate.name === name);
        if (attribute === undefined) continue;
        found.push({
          row: rowColumn(attribute, dimension.name),
          column: attribute,
          reference: { dimension, column: name },
          join,
        });
      }
    }
  }
  return found;
}

export function dimensionRowColumns(dimension: Dimension): PublishedColumn[] {
  return dimension.columns.map(column => ({
    row: rowColumn(column, null),
    column,
    reference: { dimension, column: column.name },
    join: null,
  }));
}

function keyReference(
  dataset: Dataset,
  contracts: Contracts,
  column: BaseColumn,
): PublishedColumn['reference'] {
  if (column.type !== 'string') return null;
  for (const key of dataset.foreignKeys) {
    const index = key.columns.indexOf(column.name);
    const target = key.targetColumns[index];
    const dimension = contracts.dimensions.get(key.dimension);
    // The dimension of the column itself, not one whose composite key only contains it.
    if (index !== key.columns.length - 1 || target === undefined || dimension === undefined) continue;
    return { dimension, column: target };
  }
  return null;
}

const PARQUET_TYPES = {
  int: 'INT32',
  bigint: 'INT64',
  double: 'DOUBLE',
  string: 'BYTE_ARRAY',
  boolean: 'BOOLEAN',
  date: 'INT32',
  timestamp: 'INT64',
  timestamptz: 'INT64',
} as const satisfies Record<BaseColumn['physical'], RowColumn['parquet']>;

function rowColumn(column: BaseColumn, from: string | null): RowColumn {
  const parquet = PARQUET_TYPES[column.physical];
  const utc = column.physical === 'timestamptz' ? { utc: true as const } : {};
  return { name: column.name, type: column.type, parquet, ...utc, from };
}
