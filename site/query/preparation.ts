/**
 * Manifest → table, once for each manifest: levels become a map, the bytes of each row group are summed, and paths
 * start at the tree's root.
 */
import type { Scalar } from '../../build/format/documents.ts';
import type { AnsweredSchema, DescribedDataset, TableDescription } from '../../build/format/changes.ts';
import type {
  CopyEntry,
  CopyRows,
  DimensionManifest,
  ParquetFile,
  RowGroup,
  RowsFile,
  SliceEntry,
  ValueCounts,
} from '../../build/format/manifest.ts';
import { compareValues, type Value } from './order.ts';
import { deriveParameters } from './parameters.ts';
import {
  type Copy,
  type CopyFile,
  DIMENSION_LEVEL,
  type Level,
  type ParquetSource,
  positionOf,
  type Segment,
  type Slice,
  type StoredFile,
  type Table,
} from './table.ts';

/** What answers depend on. A dimension is described as a dataset with one slice and without years and filters. */
export interface Described {
  readonly kind: Table['kind'];
  readonly manifest: DescribedDataset;
  readonly schema: AnsweredSchema;
}

/** Prepares a dataset. Its manifest and its schema document must be of one release. */
export function prepareDataset(folder: string, manifest: DescribedDataset, schema: AnsweredSchema): Table {
  return prepareTable(folder, { kind: 'dataset', manifest, schema });
}

export function prepareDimension(folder: string, manifest: DimensionManifest): Table {
  return prepareTable(folder, describeTable({ manifest, schema: null }));
}

export function describeTable({ manifest, schema }: TableDescription): Described {
  if ('dataset' in manifest && schema !== null) return { kind: 'dataset', manifest, schema };
  const { dimension, files, rows, release, ...rest } = manifest as DimensionManifest;
  const slice = { year: 0, detail: DIMENSION_LEVEL, rows, release, files };
  const slices = files.parquet.length === 0 ? [] : [slice];
  return {
    kind: 'dimension',
    manifest: { ...rest, rows, release, dataset: dimension, place: [], slices, copies: [] },
    schema: { filters: [], detail_levels: [DIMENSION_LEVEL], default_detail: DIMENSION_LEVEL },
  };
}

export function prepareTable(folder: string, { kind, manifest, schema }: Described): Table {
  const { columns, key_columns: keyColumns, order } = manifest;
  const keyOf = (column = '') => keyColumns.indexOf(column);
  const yearColumn = schema.filters.find(filter => filter.kind === 'year_exact')?.column;
  // Rows in the order of their time are in the order of their years.
  const timeColumns = [yearColumn, schema.time?.column];
  const lead = keyOf(order.find(name => !timeColumns.includes(name)));
  const prepareLevel = (name: string): Level => {
    const entries = manifest.slices.filter(({ detail }) => detail === name).sort((a, b) => a.year - b.year);
    const places = listPlaceColumns(manifest, entries);
    return {
      name,
      years: entries.map(({ year }) => year),
      slices: entries.map(entry => prepareSlice(folder, entry, lead)),
      copies: prepareCopies(
        manifest.copies.filter(({ detail }) => detail === name),
        new Set(columns.map(column => column.name)),
        ({ file, by, counted }) => prepareParquet(folder, file, keyOf(counted ? by[0] : places[0])),
      ),
      places,
    };
  };
  const levels = new Set([...schema.detail_levels, ...manifest.slices.map(({ detail }) => detail)]);
  return {
    kind,
    name: manifest.dataset,
    folder,
    stamp: {
      version: manifest.version,
      schemaHash: manifest.schema_hash,
      release: manifest.release,
      license: manifest.license,
      attribution: manifest.attribution,
      sample: manifest.sample === true,
    },
    columns,
    keyColumns,
    order: order.map(name => positionOf(manifest, name)),
    year: positionOf(manifest, yearColumn),
    yearFirst: yearColumn === undefined || timeColumns.includes(order[0]),
    levels: new Map([...levels].map(name => [name, prepareLevel(name)])),
    defaultLevel: schema.default_detail,
    parameters: deriveParameters(schema.filters, columns),
  };
}

/** The place columns with values at a level. One that nothing counts the NULLs of may have values. */
function listPlaceColumns(
  { place, columns, key_columns }: DescribedDataset,
  slices: readonly SliceEntry[],
): readonly string[] {
  const groups = slices.flatMap(({ files }) => files.parquet[0]?.row_groups ?? []);
  return place.filter(column => {
    const key = key_columns.indexOf(column);
    const held = groups.length === 0 || groups.some(({ nulls, rows }) => (nulls[key] ?? 0) < rows);
    return held && columns.some(({ name }) => name === column);
  });
}

function prepareSlice(folder: string, { year, release, rows, files }: SliceEntry, lead: number): Slice {
  const [parquet] = files.parquet;
  if (!parquet) throw new Error(`a slice of ${folder} is not stored as Parquet`);
  return {
    year,
    release,
    rows,
    json: files.json.map(file => locate(folder, file)),
    csv: files.csv.map(file => locate(folder, file)),
    parquet: prepareParquet(folder, parquet, lead),
  };
}

function prepareParquet(folder: string, entry: ParquetFile, lead: number): ParquetSource {
  const groups = entry.row_groups;
  let at = 0;
  const starts = groups.map(({ rows }) => {
    at += rows;
    return at - rows;
  });
  return {
    ...locate(folder, entry),
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

/**
 * The copies of one level, and where the rows of each value stand in them. A copy whose counts do not fit its rows is left
 * out. `names`: of the columns of the rows.
 */
function prepareCopies(
  entries: readonly (CopyEntry | CopyRows)[],
  names: ReadonlySet<string>,
  prepareFile: (entry: CopyEntry) => ParquetSource,
): readonly Copy[] {
  const copies = new Map<string | null, Map<number, CopyFile>>();
  for (const entry of entries) {
    const { by, years, counted } = entry;
    const starts = counted ? countStarts(entry, counted) : [];
    if (!starts) continue;
    const source = 'file' in entry ? prepareFile(entry) : null;
    const add = (column: string | null, segments: CopyFile['segments']) => {
      const files = copies.get(column) ?? new Map<number, CopyFile>();
      copies.set(column, files);
      const file = { years, source, segments };
      for (const year of years) if (!files.has(year)) files.set(year, file);
    };
    if (!counted) add(null, new Map());
    else if (names.has(by[0] ?? '')) {
      const sorted = { [by[0]!]: counted.values, ...counted.attributes };
      for (const [column, values] of Object.entries(sorted))
        if (names.has(column)) add(column, groupSegments(counted, starts, values));
    }
  }
  return [...copies].map(([column, files]) => ({ column, files }));
}

/** The first row of each value; null where the values' rows are not all of the file. */
function countStarts({ rows, years }: CopyRows, counted: ValueCounts): number[] | null {
  let at = 0;
  const starts = counted.values.map((_, index) => {
    const start = at;
    for (const count of counted.rows[index] ?? []) at += count;
    return start;
  });
  return at === rows && counted.rows.every(counts => counts.length === years.length) ? starts : null;
}

/** The rows of each value of a column that follows from the one that sorts the file. NULL matches no filter. */
function groupSegments(
  counted: ValueCounts,
  starts: readonly number[],
  values: readonly Value[],
): ReadonlyMap<Scalar, readonly Segment[]> {
  const grouped = new Map<Scalar, Segment[]>();
  for (const [index, start] of starts.entries()) {
    const value = values[index] ?? null;
    if (value === null || counted.values[index] === null) continue;
    const segment = { start, counts: counted.rows[index] ?? [] };
    const known = grouped.get(value);
    if (known) known.push(segment);
    else grouped.set(value, [segment]);
  }
  return grouped;
}
