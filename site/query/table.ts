/**
 * Manifests prepared for planning, once per manifest: levels and years looked up instead of searched, the bytes of
 * each row group summed, paths written out. A dimension is a table with one level, no years and no filters.
 */
import type {
  DatasetManifest,
  DimensionManifest,
  HistoryEntry,
  ParquetFile,
  RowColumn,
  RowGroup,
  RowsFile,
  SchemaDocument,
  SliceFiles,
} from '../../build/format/documents.ts';
import { compareValues, type Value } from './order.ts';
import { deriveParameters, type Parameters } from './parameters.ts';

export interface Table {
  readonly kind: 'dataset' | 'dimension';
  /** What the envelope calls it: `census/employment`, `districts`. */
  readonly name: string;
  /** Folder of its manifest, relative to the tree's root. */
  readonly folder: string;
  readonly stamp: TableStamp;
  readonly columns: readonly RowColumn[];
  /** Positions of the columns that order the rows. */
  readonly order: readonly number[];
  /** Position in `columns` of the year; -1 in a dimension. */
  readonly year: number;
  /** Whether slices one after another, by year, are in the order of the rows. */
  readonly yearFirst: boolean;
  /** Position in a row group's bounds of the year; -1 where it has none. */
  readonly yearKey: number;
  readonly levels: ReadonlyMap<string, Level>;
  readonly defaultLevel: string;
  /** Of the route that gives its rows. */
  readonly parameters: Parameters;
}

/** What the envelope and the ETag say of a table. */
export interface TableStamp {
  readonly version: string;
  readonly schemaHash: string;
  readonly release: string;
  readonly license: string | null;
  readonly attribution: string | null;
  readonly sample: boolean;
}

export interface Level {
  readonly name: string;
  /** Ascending. */
  readonly years: readonly number[];
  /** In the order of `years`. */
  readonly slices: readonly Slice[];
  /** Of all these years at least; null where there is none. */
  readonly history: ParquetSource | null;
}

export interface Slice {
  /** 0 in a dimension. */
  readonly year: number;
  readonly release: string;
  readonly rows: number;
  readonly json: readonly TextFile[];
  readonly csv: readonly TextFile[];
  readonly parquet: ParquetSource;
}

/** A stored file and its path from the tree's root. */
export interface StoredFile<Entry extends RowsFile = RowsFile> {
  readonly path: string;
  readonly entry: Entry;
}

export type TextFile = StoredFile;

export interface ParquetSource extends StoredFile<ParquetFile> {
  /** Years that the file holds, ascending; one in a slice, none in a dimension. */
  readonly years: readonly number[];
  /** Compressed bytes of each row group. */
  readonly groupBytes: readonly number[];
  /** Key column by which the groups' bounds never descend, so that groups can be found by bisection; -1: none. */
  readonly lead: number;
}

export const DIMENSION_LEVEL = 'rows';

/** Prepares a dataset from its manifest and its schema document, which must be of one release. */
export function prepareDataset(folder: string, manifest: DatasetManifest, schema: SchemaDocument): Table {
  const positions = columnPositions(manifest.columns);
  const keyOf = (column: string | undefined) =>
    column === undefined ? -1 : manifest.key_columns.indexOf(column);
  const yearColumn = schema.filters.find(filter => filter.kind === 'year_exact')?.column ?? 'year';
  const lead = keyOf(manifest.order.find(name => name !== yearColumn));
  const levels = new Map<string, { slices: Slice[]; history: HistoryEntry | null }>();
  for (const detail of schema.detail_levels) levels.set(detail, { slices: [], history: null });
  for (const entry of manifest.slices) {
    const level = levels.get(entry.detail) ?? { slices: [], history: null };
    levels.set(entry.detail, level);
    level.slices.push(prepareSlice(folder, entry.year, entry, [entry.year], lead));
  }
  for (const entry of manifest.history) {
    const level = levels.get(entry.detail);
    if (level) level.history = entry;
  }
  return {
    kind: 'dataset',
    name: manifest.dataset,
    folder,
    stamp: prepareStamp(manifest),
    columns: manifest.columns,
    order: manifest.order.map(name => positions.get(name)!),
    year: positions.get(yearColumn) ?? -1,
    yearFirst: manifest.order[0] === yearColumn,
    yearKey: keyOf(yearColumn),
    levels: new Map(
      [...levels].map(([name, { slices, history }]) => {
        slices.sort((a, b) => a.year - b.year);
        const years = slices.map(slice => slice.year);
        const whole = history && years.every(year => history.years.includes(year)) ? history : null;
        const source = whole && prepareParquet(folder, whole.file, whole.years, keyOf(manifest.place[0]));
        return [name, { name, slices, years, history: source }];
      }),
    ),
    defaultLevel: schema.default_detail,
    parameters: deriveParameters(schema.filters, manifest.columns, manifest.key_columns),
  };
}

export function prepareDimension(folder: string, manifest: DimensionManifest): Table {
  const positions = columnPositions(manifest.columns);
  const slice = prepareSlice(folder, 0, manifest, [], -1);
  return {
    kind: 'dimension',
    name: manifest.dimension,
    folder,
    stamp: prepareStamp(manifest),
    columns: manifest.columns,
    order: manifest.order.map(name => positions.get(name)!),
    year: -1,
    yearFirst: true,
    yearKey: -1,
    levels: new Map([
      [DIMENSION_LEVEL, { name: DIMENSION_LEVEL, slices: [slice], years: [0], history: null }],
    ]),
    defaultLevel: DIMENSION_LEVEL,
    parameters: deriveParameters([], manifest.columns, manifest.key_columns),
  };
}

function prepareStamp(manifest: DatasetManifest | DimensionManifest): TableStamp {
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
  return {
    ...locate(folder, entry),
    years,
    groupBytes: groups.map(group => group.sizes.reduce((sum, size) => sum + size, 0)),
    lead: lead >= 0 && isAscending(groups, lead) ? lead : -1,
  };
}

/** Whether neither the least nor the greatest values of the groups ever descend; a group of NULLs alone comes first. */
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

/** A manifest names files relative to itself; those of its rows stand in its own folder or below. */
function locate<Entry extends RowsFile>(folder: string, entry: Entry): StoredFile<Entry> {
  return { path: `${folder}/${entry.path}`, entry };
}

function columnPositions(columns: readonly RowColumn[]): ReadonlyMap<string, number> {
  return new Map(columns.map((column, index) => [column.name, index]));
}
