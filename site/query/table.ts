/** A table: a manifest prepared for planning. A dimension has one level, no years and no filters. */
import type {
  AnsweredSchema,
  DescribedDataset,
  ForgottenSlice,
  TableDescription,
} from '../../build/format/changes.ts';
import { ofTextFormats, type Scalar, type TextFormat } from '../../build/format/documents.ts';
import type {
  CopyEntry,
  CopyRows,
  DimensionManifest,
  ParquetFile,
  RowColumn,
  RowsFile,
  SliceEntry,
  ValueCounts,
} from '../../build/format/manifest.ts';
import type { Value } from './order.ts';
import { deriveParameters, type Parameters } from './parameters.ts';

/** A dimension is described as a dataset with one slice and without years and filters. */
export interface Described {
  readonly kind: 'dataset' | 'dimension';
  readonly manifest: DescribedDataset;
  readonly schema: AnsweredSchema;
}

export interface Table extends Described {
  /** As in the envelope: `census/employment`, `districts`. */
  readonly name: string;
  /** The manifest's folder, from the tree's root. */
  readonly folder: string;
  readonly columns: readonly RowColumn[];
  /** Positions of the columns that order the rows. */
  readonly order: readonly number[];
  /** Position of the year in `columns`; -1 without time. */
  readonly year: number;
  /** Whether slices, year after year, are in row order. */
  readonly yearFirst: boolean;
  readonly levels: ReadonlyMap<string, Level>;
  readonly parameters: Parameters;
  /** Set on a table of an earlier release. */
  readonly past?: Past;
}

export interface Past {
  /** Slices whose rows the publisher took back. */
  readonly forgotten: readonly ForgottenAt[];
  /** The earlier names of current columns; null if the table lacks one. */
  readonly names: ReadonlyMap<string, string | null>;
}

export interface ForgottenAt extends ForgottenSlice {
  readonly year: number;
  readonly detail: string;
}

export interface Level {
  readonly name: string;
  /** Ascending. */
  readonly years: readonly number[];
  /** In the order of `years`. */
  readonly slices: readonly Slice[];
  readonly copies: readonly Copy[];
  /** The columns of a place's key, the largest part first; none at the level of the whole. */
  readonly places: readonly string[];
}

/** Rows of a level in another order than an answer's, in files that can have several years. */
export interface Copy {
  /** The column whose values the files keep together. */
  readonly column: string;
  /**
   * Whether the manifest counts the rows of each value. For the copy by place it has only the bounds of row
   * groups.
   */
  readonly isCounted: boolean;
  /** The file of each year; some years may lack one. */
  readonly files: ReadonlyMap<number, CopyFile>;
}

interface CopyFile {
  /** Ascending. */
  readonly years: readonly number[];
  /** Null if the file is gone, and only the counts are left. */
  readonly source: ParquetSource | null;
  /** The rows of each value; empty if uncounted. */
  readonly segments: ReadonlyMap<Scalar, readonly Segment[]>;
}

/** The rows of one value, in the order of an answer. */
export interface Segment {
  /** The position of the first row in the file. */
  readonly start: number;
  /** Rows in each year of the file. */
  readonly counts: readonly number[];
}

/** Paths of files are from the tree's root. */
export interface Slice extends Readonly<Record<TextFormat, readonly RowsFile[]>> {
  /** 0 without time. */
  readonly year: number;
  readonly release: string;
  readonly rows: number;
  readonly parquet: ParquetSource;
}

/** `path`: from the tree's root. */
export interface ParquetSource extends ParquetFile {
  /** Compressed bytes of each row group. */
  readonly groupBytes: readonly number[];
  /** Position of the first row of each row group. */
  readonly starts: readonly number[];
}

const DIMENSION_LEVEL = 'rows';

/** -1 if there is no such column. */
export function positionOf({ columns }: Pick<Table, 'columns'>, name: string | null | undefined): number {
  return columns.findIndex(column => column.name === name);
}

/**
 * The columns of the key that a parameter compares with values, without the year. If a contract states no grain, rows are
 * ordered by all columns, and no parameter takes a measure's value.
 */
export function listKey({ columns, order, parameters }: Table) {
  const compared = [...parameters].flatMap(([param, one]) =>
    one.kind === 'column' && one.bound === 'key' ? [{ param, column: one.column }] : [],
  );
  return order.flatMap(at => compared.find(({ column }) => column === columns[at]?.name) ?? []);
}

/** The manifest and the schema document must be of one release. */
export function prepareDataset(folder: string, manifest: DescribedDataset, schema: AnsweredSchema): Table {
  return prepareTable(folder, describeTable({ manifest, schema }));
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

export function prepareTable(folder: string, described: Described): Table {
  const { manifest, schema } = described;
  const { columns, order } = manifest;
  const yearColumn = schema.filters.find(filter => filter.kind === 'year_exact')?.column;
  const prepareLevel = (name: string): Level => {
    const entries = manifest.slices.filter(({ detail }) => detail === name).sort((a, b) => a.year - b.year);
    return {
      name,
      years: entries.map(({ year }) => year),
      slices: entries.map(entry => prepareSlice(folder, entry)),
      copies: prepareCopies(folder, manifest, name),
      places: listPlaceColumns(manifest, entries),
    };
  };
  const levels = new Set([...schema.detail_levels, ...manifest.slices.map(({ detail }) => detail)]);
  return {
    ...described,
    name: manifest.dataset,
    folder,
    columns,
    order: order.map(name => positionOf(manifest, name)),
    year: positionOf(manifest, yearColumn),
    // Rows in time order are in year order.
    yearFirst: yearColumn === undefined || [yearColumn, schema.time?.column].includes(order[0]),
    levels: new Map([...levels].map(name => [name, prepareLevel(name)])),
    parameters: deriveParameters(schema.filters, columns),
  };
}

/** The place columns that have values at a level. Without a count of NULLs, a column may have values. */
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

function prepareSlice(folder: string, { year, release, rows, files }: SliceEntry): Slice {
  const [parquet] = files.parquet;
  if (!parquet) throw new Error(`a slice of ${folder} is not stored as Parquet`);
  return {
    year,
    release,
    rows,
    // A tree of an older program lacks a newer format.
    ...ofTextFormats(format => (files[format] ?? []).map(file => locate(folder, file))),
    parquet: prepareParquet(folder, parquet),
  };
}

function prepareParquet(folder: string, file: ParquetFile): ParquetSource {
  let at = 0;
  const starts = file.row_groups.map(({ rows }) => {
    at += rows;
    return at - rows;
  });
  const groupBytes = file.row_groups.map(({ sizes }) => sizes.reduce((sum, size) => sum + size, 0));
  return { ...locate(folder, file), groupBytes, starts };
}

/** A manifest names files relative to its own folder. */
function locate<File extends RowsFile>(folder: string, file: File): File {
  return { ...file, path: `${folder}/${file.path}` };
}

/** The copies of one level. A copy whose counts don't add up to its rows is left out. */
function prepareCopies(
  folder: string,
  { copies, columns }: DescribedDataset,
  level: string,
): readonly Copy[] {
  const prepared: (Copy & { readonly files: Map<number, CopyFile> })[] = [];
  for (const entry of copies as readonly (CopyEntry | CopyRows)[]) {
    const { by, years, counted, detail } = entry;
    const held = counted ? listSegments(entry, counted) : [];
    if (detail !== level || !held) continue;
    const source = 'file' in entry ? prepareParquet(folder, entry.file) : null;
    const isCounted = counted !== undefined;
    const sorted = { [by[0] ?? '']: counted?.values ?? [], ...counted?.attributes };
    for (const [column, values] of Object.entries(sorted)) {
      if (!columns.some(({ name }) => name === column)) continue;
      const found = prepared.find(one => one.column === column && one.isCounted === isCounted);
      const copy = found ?? { column, isCounted, files: new Map<number, CopyFile>() };
      if (!found) prepared.push(copy);
      const segments = groupSegments(counted?.values ?? [], held, values);
      const file = { years, source, segments };
      for (const year of years) if (!copy.files.has(year)) copy.files.set(year, file);
    }
  }
  return prepared;
}

/** The rows of each value of the sorting column; null if the counts don't add up. */
function listSegments({ rows, years }: CopyRows, counted: ValueCounts): readonly Segment[] | null {
  let at = 0;
  const segments = counted.values.map((_, index): Segment => {
    const segment = { start: at, counts: counted.rows[index] ?? [] };
    for (const count of segment.counts) at += count;
    return segment;
  });
  return at === rows && counted.rows.every(counts => counts.length === years.length) ? segments : null;
}

/** The rows of each value of a column that is determined by the sorting one. NULL matches no filter. */
function groupSegments(
  sorting: readonly Value[],
  segments: readonly Segment[],
  values: readonly Value[],
): ReadonlyMap<Scalar, readonly Segment[]> {
  const grouped = new Map<Scalar, Segment[]>();
  for (const [index, segment] of segments.entries()) {
    const value = values[index] ?? null;
    if (value === null || sorting[index] === null) continue;
    const known = grouped.get(value);
    if (known) known.push(segment);
    else grouped.set(value, [segment]);
  }
  return grouped;
}
