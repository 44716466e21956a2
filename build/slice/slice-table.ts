/** SQL for the joined, typed and sorted rows of slices, from which all formats are written. */
import type { Contracts, Dataset } from '../contract/dataset.ts';
import { castColumn, duckdbType, isDerived, presentValue, yearIn } from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import type { ParquetShape } from '../lake/parquet-shape.ts';
import { identifier, parquetRows, rowOrder } from '../lake/sql.ts';
import type { PublishedColumn } from './row-columns.ts';
import { enumTable, joinsOf, type ValueTypes } from './value-types.ts';

export interface SliceTableInput {
  readonly dataset: Dataset;
  readonly contracts: Contracts;
  readonly columns: readonly PublishedColumn[];
  readonly types: ValueTypes;
  readonly shapes: ReadonlyMap<string, ParquetShape>;
}

/** Selects the joined, typed rows of slices, in the order of the given columns, NULLs first. */
export function sliceRows(
  input: SliceTableInput,
  slices: readonly LakeSlice[],
  order: readonly string[],
): string {
  return `${joinedRows(input, factRows(input, slices))} ORDER BY ${rowOrder(order, 't')}`;
}

/** Selects the published columns from rows of facts: each foreign key is followed by its joined columns. */
export function joinedRows({ columns, contracts }: SliceTableInput, rows: string): string {
  const joins = joinsOf(columns);
  const list = columns.map(column => {
    const quoted = identifier(column.column.name);
    if (column.join === null) return `t.${quoted}`;
    return `d${joins.indexOf(column.join)}.${quoted}`;
  });
  const clauses = joins.map((join, i) => {
    const dimension = contracts.dimensions.get(join.dimension);
    if (dimension === undefined) throw new Error(`The dimension ${join.dimension} was not compiled.`);
    const on = join.columns.map(
      (column, k) => `t.${identifier(column)} = d${i}.${identifier(join.targetColumns[k] ?? column)}`,
    );
    return `LEFT JOIN ${enumTable(dimension)} d${i} ON ${on.join(' AND ')}`;
  });
  return `SELECT ${list.join(', ')} FROM (${rows}) t ${clauses.join(' ')}`;
}

/** Selects the contract's own columns, typed, from all files of the slices. */
export function factRows({ types, shapes, ...input }: SliceTableInput, slices: readonly LakeSlice[]): string {
  const columns = input.columns.filter(column => column.join === null);
  const typed = (file: string, folderYear: number | null) =>
    columns.map(column => {
      const name = identifier(column.column.name);
      const type = types.typeOf(column);
      const shape = shapes.get(file);
      const isYear = 'role' in column.column && column.column.role === 'year';
      if (isYear && shape !== undefined && (folderYear !== null || isDerived(column.column)))
        return `${yearIn(input.dataset, shape, folderYear ?? 0)}::${type} AS ${name}`;
      const from = shape?.columns.get(column.column.name);
      // A file may lack a nullable column.
      if (shape !== undefined && from === undefined) return `NULL::${type} AS ${name}`;
      return `${castColumn(presentValue(column.column), from, type, column.column)} AS ${name}`;
    });
  const yearColumn = columns.find(column => 'role' in column.column && column.column.role === 'year');
  const hasYear = (path: string) =>
    yearColumn === undefined ||
    isDerived(yearColumn.column) ||
    shapes.get(path)?.columns.has(yearColumn.column.name) === true;
  const files = slices.flatMap(slice => slice.files.map(file => ({ file, year: slice.year })));
  // DuckDB reads several files with the first one's types, and would round fractions in a later file.
  const signatures = new Set(
    files.map(({ file }) => JSON.stringify([...(shapes.get(file.path)?.columns ?? [])].sort())),
  );
  const [first] = files;
  if (first && signatures.size === 1 && files.every(({ file }) => hasYear(file.path))) {
    return `SELECT ${typed(first.file.path, null).join(', ')} FROM ${parquetRows(files.map(({ file }) => file.absolute))}`;
  }
  return files
    .map(
      ({ file, year }) =>
        `SELECT ${typed(file.path, hasYear(file.path) ? null : year).join(', ')} FROM ${parquetRows([file.absolute])}`,
    )
    .join(' UNION ALL ');
}

/** The columns for Parquet, which stores ENUMs as text. */
export function storedColumns(columns: readonly PublishedColumn[]): string {
  return columns
    .map(({ column }) => `${identifier(column.name)}::${duckdbType(column)} AS ${identifier(column.name)}`)
    .join(', ');
}
