/**
 * Manifest → table, once for each manifest: levels become a map, the bytes of each row group are summed, and paths
 * start at the tree's root.
 */

import type { AnsweredSchema, DescribedDataset } from '../../build/format/changes.ts';
import type {
  DimensionManifest,
  ParquetFile,
  RowColumn,
  RowGroup,
  RowsFile,
  SliceFiles,
} from '../../build/format/manifest.ts';
import { prepareCopies } from './copy-preparation.ts';
import { compareValues, type Value } from './order.ts';
import { deriveParameters } from './parameters.ts';
import type { PlacePart } from './request.ts';
import {
  DIMENSION_LEVEL,
  type ParquetSource,
  type Slice,
  type StoredFile,
  type Table,
  type TableStamp,
} from './table.ts';

/** Prepares a dataset. Its manifest and its schema document must be of one release. */
export function prepareDataset(folder: string, manifest: DescribedDataset, schema: AnsweredSchema): Table {
  const positions = columnPositions(manifest.columns);
  const keyOf = (column: string | undefined) =>
    column === undefined ? -1 : manifest.key_columns.indexOf(column);
  const yearColumn = schema.filters.find(filter => filter.kind === 'year_exact')?.column;
  // Rows in the order of their time are in the order of their years.
  const timeColumns = [yearColumn, schema.time?.column];
  const lead = keyOf(manifest.order.find(name => !timeColumns.includes(name)));
  const levels = new Map<string, Slice[]>(schema.detail_levels.map(detail => [detail, []]));
  for (const entry of manifest.slices) {
    const slices = levels.get(entry.detail) ?? [];
    levels.set(entry.detail, slices);
    slices.push(prepareSlice(folder, entry.year, entry, [entry.year], lead));
  }
  return {
    kind: 'dataset',
    name: manifest.dataset,
    folder,
    stamp: prepareStamp(manifest),
    columns: manifest.columns,
    keyColumns: manifest.key_columns,
    order: manifest.order.map(name => positions.get(name)!),
    year: positions.get(yearColumn ?? '') ?? -1,
    yearFirst: yearColumn === undefined || timeColumns.includes(manifest.order[0]),
    yearKey: keyOf(yearColumn),
    levels: new Map(
      [...levels].map(([name, slices]) => {
        slices.sort((a, b) => a.year - b.year);
        const places = listPlaceParts(manifest, name, positions);
        const copies = prepareCopies(
          manifest.copies.filter(entry => entry.detail === name),
          column => positions.get(column) ?? -1,
          ({ file, years, by, counted }) =>
            prepareParquet(folder, file, years, counted ? keyOf(by[0]) : (places[0]?.key ?? -1)),
        );
        return [name, { name, slices, years: slices.map(slice => slice.year), copies, places }];
      }),
    ),
    defaultLevel: schema.default_detail,
    parameters: deriveParameters(schema.filters, manifest.columns, manifest.key_columns),
  };
}

export function prepareDimension(folder: string, manifest: DimensionManifest): Table {
  const positions = columnPositions(manifest.columns);
  const { files } = manifest;
  const slices = files.parquet.length === 0 ? [] : [prepareSlice(folder, 0, manifest, [], -1)];
  return {
    kind: 'dimension',
    name: manifest.dimension,
    folder,
    stamp: prepareStamp(manifest),
    columns: manifest.columns,
    keyColumns: manifest.key_columns,
    order: manifest.order.map(name => positions.get(name)!),
    year: -1,
    yearFirst: true,
    yearKey: -1,
    levels: new Map([
      [
        DIMENSION_LEVEL,
        {
          name: DIMENSION_LEVEL,
          slices,
          years: slices.map(one => one.year),
          copies: [],
          places: [],
        },
      ],
    ]),
    defaultLevel: DIMENSION_LEVEL,
    parameters: deriveParameters([], manifest.columns, manifest.key_columns),
  };
}

/** The place columns with values at a level. One that nothing counts the NULLs of may have values. */
function listPlaceParts(
  { place, key_columns, slices }: DescribedDataset,
  detail: string,
  positions: ReadonlyMap<string, number>,
): PlacePart[] {
  const groups = slices
    .filter(slice => slice.detail === detail)
    .flatMap(({ files }) => files.parquet[0]?.row_groups ?? []);
  return place.flatMap(column => {
    const key = key_columns.indexOf(column);
    const held = groups.length === 0 || groups.some(({ nulls, rows }) => (nulls[key] ?? 0) < rows);
    const position = positions.get(column);
    return held && position !== undefined ? [{ column, position, key }] : [];
  });
}

function prepareStamp(manifest: DescribedDataset | DimensionManifest): TableStamp {
  return {
    version: manifest.version,
    schemaHash: manifest.schema_hash,
    release: manifest.release,
    license: manifest.license,
    attribution: manifest.attribution,
    sample: manifest.sample === true,
  };
}

function prepareSlice(
  folder: string,
  year: number,
  entry: { readonly rows: number; readonly release: string; readonly files: SliceFiles },
  years: readonly number[],
  lead: number,
): Slice {
  const [parquet] = entry.files.parquet;
  if (!parquet) throw new Error(`a slice of ${folder} is not stored as Parquet`);
  return {
    year,
    release: entry.release,
    rows: entry.rows,
    json: entry.files.json.map(file => locate(folder, file)),
    csv: entry.files.csv.map(file => locate(folder, file)),
    parquet: prepareParquet(folder, parquet, years, lead),
  };
}

function prepareParquet(
  folder: string,
  entry: ParquetFile,
  years: readonly number[],
  lead: number,
): ParquetSource {
  const groups = entry.row_groups;
  let at = 0;
  const starts = groups.map(({ rows }) => {
    at += rows;
    return at - rows;
  });
  return {
    ...locate(folder, entry),
    years,
    groupBytes: groups.map(group => group.sizes.reduce((sum, size) => sum + size, 0)),
    starts,
    lead: lead >= 0 && isAscending(groups, lead) ? lead : -1,
  };
}

/** Whether both the least and the greatest values of the groups ascend. A group of NULLs alone comes first. */
function isAscending(groups: readonly RowGroup[], key: number): boolean {
  let min: Value = null;
  let max: Value = null;
  for (const group of groups) {
    const low = group.min[key];
    const high = group.max[key];
    if (low === undefined || high === undefined || (low === null && group.nulls[key] !== group.rows))
      return false;
    if (compareValues(low, min) < 0 || compareValues(high, max) < 0) return false;
    min = low;
    max = high;
  }
  return true;
}

/** A manifest names files relative to its own folder. Files of rows stand there or below. */
function locate<Entry extends RowsFile>(folder: string, entry: Entry): StoredFile<Entry> {
  return { path: `${folder}/${entry.path}`, entry };
}

function columnPositions(columns: readonly RowColumn[]): ReadonlyMap<string, number> {
  return new Map(columns.map((column, index) => [column.name, index]));
}
