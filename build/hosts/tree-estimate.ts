/** Estimates the size of a tree from the lake and a few of its rows, before the build spends minutes or hours on it. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Contracts, Dataset } from '../contract/dataset.ts';
import { API_ROOT, copyPath, dimensionFolder, ROOT, slicePath } from '../format/paths.ts';
import { Database, type DatabaseOptions, ofOneThread } from '../lake/database.ts';
import { duckdbType } from '../lake/fact-table.ts';
import type { Inventory, LakeSlice } from '../lake/inventory.ts';
import { type ParquetShape, readPackedBytes, readShapes } from '../lake/parquet-shape.ts';
import { digestOf, PROGRAM } from '../memory/build-state.ts';
import type { ContentOf } from '../memory/file-contents.ts';
import { copyRuns } from '../plan/copy-runs.ts';
import { fingerprintOf, recipeOf } from '../plan/dataset-plan.ts';
import type { PlacedDimension } from '../plan/dimension-plan.ts';
import { groupRows } from '../slice/parquet-options.ts';
import { dimensionRowColumns, publishedColumns } from '../slice/row-columns.ts';
import { estimateLevel, estimateTable, pagesOf, type RowsEstimate } from '../slice/slice-estimate.ts';
import { createTypes, enumTable, type ValueTypes } from '../slice/value-types.ts';
import { type FileGroup, sum } from './format-choice.ts';

export interface EstimateInput {
  readonly contracts: Contracts;
  readonly inventory: Inventory;
  readonly datasets: readonly Dataset[];
  readonly dimensions: readonly PlacedDimension[];
  readonly database: DatabaseOptions;
  readonly contentOf: ContentOf;
  /** File that remembers the estimates of unchanged rows and contracts. */
  readonly kept: string;
}

/**
 * Estimates the size of every file group. Returns null if a file of the lake contradicts its contract, which the checks
 * report. The same lake and contracts give the same numbers, whatever earlier builds did.
 */
export async function estimateTree(input: EstimateInput): Promise<FileGroup[] | null> {
  const { contracts, inventory, datasets, contentOf } = input;
  const known = new Map(Object.entries(await readKept(input.kept)));
  const recipes = { contracts, inventory, program: PROGRAM, contentOf };
  const wanted = datasets.flatMap((dataset): Level[] => {
    const recipe = recipeOf(dataset, recipes);
    const slices = inventory.slices.get(dataset.key) ?? [];
    return [...new Set(slices.map(slice => slice.detail))].map(detail => {
      const own = slices.filter(slice => slice.detail === detail);
      return {
        dataset,
        slices: own,
        key: digestOf([recipe, own.map(slice => fingerprintOf(slice, contentOf))]),
      };
    });
  });
  const places = input.dimensions.map(one => ({
    one,
    key: digestOf([PROGRAM, one.dimension.source.text, contentOf(one.file)]),
  }));
  const missing = wanted.filter(({ key }) => !known.has(key));
  if (missing.length > 0 || places.some(({ key }) => !known.has(key))) {
    const found = await estimateMissing(input, missing, places);
    if (found === null) return null;
    for (const [key, estimate] of found) known.set(key, estimate);
    const used = [...wanted, ...places].map(({ key }) => [key, known.get(key) ?? []]);
    // If the write fails, the next build estimates again.
    await writeFile(input.kept, JSON.stringify(Object.fromEntries(used))).catch(() => undefined);
  }
  const rowsOfDimension = new Map(
    places.map(({ one, key }) => [one.dimension.key, known.get(key)?.[0]?.rows ?? 0]),
  );
  return [
    ...datasets.flatMap(dataset => {
      const slices = wanted
        .filter(level => level.dataset === dataset)
        .flatMap(level =>
          level.slices.map((slice, i) => ({ ...slice, size: known.get(level.key)?.[i] ?? NOTHING })),
        );
      return datasetGroups(dataset, slices, rowsOfDimension);
    }),
    ...places.flatMap(({ one, key }) => dimensionGroups(one, known.get(key)?.[0] ?? NOTHING)),
  ];
}

const NOTHING: RowsEstimate = { rows: 0, json: 0, csv: 0, parquet: 0, copy: 0 };

interface Level {
  readonly dataset: Dataset;
  readonly slices: readonly LakeSlice[];
  /** Key of its estimates in the memory. */
  readonly key: string;
}

async function estimateMissing(
  { contracts, dimensions, database: options }: EstimateInput,
  missing: readonly Level[],
  places: readonly { readonly one: PlacedDimension; readonly key: string }[],
): Promise<Map<string, readonly RowsEstimate[]> | null> {
  const database = await Database.open(ofOneThread(options, 1));
  try {
    const session = await database.connect();
    const files = [
      ...missing.flatMap(one => one.slices.flatMap(slice => slice.files)),
      ...dimensions.map(one => one.file),
    ];
    const { shapes, diagnostics } = await readShapes(session, files);
    if (diagnostics.length > 0) return null;
    const packed = await readPackedBytes(session, files);
    const shapeOf = (path: string): ParquetShape =>
      shapes.get(path) ?? { columns: new Map(), repeated: [], rows: 0 };
    const tables = await createTypes(
      [session],
      [],
      dimensions.map(one => ({ dimension: one.dimension, file: one.file, shape: shapeOf(one.file.path) })),
    );
    const found = new Map<string, readonly RowsEstimate[]>();
    for (const { one, key } of places) {
      const { rows } = shapeOf(one.file.path);
      const columns = dimensionRowColumns(one.dimension);
      const size = await estimateTable(
        session,
        columns,
        enumTable(one.dimension),
        rows,
        packed.get(one.file.path) ?? 0,
      );
      found.set(key, [size]);
    }
    // Treat codes as text even if no dimension has them: the checks judge them.
    const types: ValueTypes = { needsOf: tables.needsOf, typeOf: ({ column }) => duckdbType(column) };
    for (const { dataset, slices, key } of missing) {
      const columns = publishedColumns(dataset, contracts);
      found.set(
        key,
        await estimateLevel(session, { dataset, contracts, columns, types, shapes }, slices, packed),
      );
    }
    return found;
  } catch {
    // Some rows contradict their contract: the checks report which.
    return null;
  } finally {
    database.close();
  }
}

interface SizedSlice extends LakeSlice {
  readonly size: RowsEstimate;
}

/**
 * Average bytes in documents: for a dataset, with copies of its contract's text; for each slice, file, row group, and
 * value of a dimension.
 */
const DATASET_BYTES = 8_000;
const CONTRACT_COPIES = 5.2;
const SLICE_BYTES = 1_500;
const FILE_BYTES = 800;
const GROUP_BYTES = 1_200;
const VALUE_BYTES = 150;

/** Copies by value take at most this share of the same rows as JSON and CSV, and rarely more than three copies by place. */
const COPIES_SHARE = 0.05;

/** The dataset's own documents and pages, and the listings of its folders but those of its years. */
const DATASET_FILES = 17;

/** A dimension's documents, its listing, and its rows as CSV and Parquet. */
const DIMENSION_FILES = 7;

function datasetGroups(
  dataset: Dataset,
  slices: readonly SizedSlice[],
  rowsOfDimension: ReadonlyMap<string, number>,
): FileGroup[] {
  const { domain, topic } = dataset;
  const name = (slice: SizedSlice, format: 'json' | 'csv' | 'parquet') =>
    slicePath(domain, topic, slice.year, slice.detail, format);
  const single = (path: string, kind: FileGroup['kind'], bytes: number): FileGroup => ({
    path,
    kind,
    files: 1,
    bytes: bytes + FILE_BYTES,
    largest: bytes,
  });
  const placed = copyRuns(slices).filter(run => run.by === 'place');
  const groups = sum(
    slices.map(
      ({ size }) =>
        Math.ceil(size.rows / groupRows('slice', size.rows)) +
        (placed.length === 0 ? 0 : Math.ceil(size.rows / groupRows('copy', size.rows))),
    ),
  );
  const values = sum(
    [...new Set(dataset.foreignKeys.map(key => key.dimension))].map(key => rowsOfDimension.get(key) ?? 0),
  );
  const years = new Set(slices.map(slice => slice.year)).size;
  const text = dataset.source.text.length * CONTRACT_COPIES;
  const documents =
    DATASET_BYTES + text + slices.length * SLICE_BYTES + groups * GROUP_BYTES + values * VALUE_BYTES;
  const copies = sum(
    slices.map(({ size }) => Math.min(COPIES_SHARE * (size.json + size.csv), 3 * size.copy)),
  );
  return [
    ...slices.flatMap((slice): FileGroup[] => {
      const { json, csv, parquet, rows } = slice.size;
      const pages = pagesOf(rows);
      return [
        {
          path: name(slice, 'json'),
          kind: 'json',
          files: pages,
          bytes: json + pages * FILE_BYTES,
          largest: Math.round(json / Math.max(1, rows / 10_000)),
        },
        single(name(slice, 'csv'), 'csv', csv),
        single(name(slice, 'parquet'), 'other', parquet),
      ];
    }),
    ...placed.map(({ detail }) => {
      const own = slices.filter(slice => slice.detail === detail);
      return single(copyPath(domain, topic, detail, null), 'copy', sum(own.map(slice => slice.size.copy)));
    }),
    {
      path: `${API_ROOT}/${domain}/${topic}/${ROOT.manifest}`,
      kind: 'other',
      files: DATASET_FILES + years + new Set(slices.map(slice => slice.detail)).size,
      bytes: Math.round(documents + copies),
      largest: 0,
    },
  ];
}

/** The rows and documents of a dimension, once for every domain. */
function dimensionGroups({ dimension, domains }: PlacedDimension, size: RowsEstimate): FileGroup[] {
  const pages = pagesOf(size.rows);
  return domains.map(domain => ({
    path: `${dimensionFolder(domain, dimension.name)}/rows.json`,
    kind: 'other',
    files: pages + DIMENSION_FILES,
    bytes: size.json + size.csv + size.parquet + (pages + DIMENSION_FILES) * FILE_BYTES,
    largest: Math.max(size.csv, size.parquet),
  }));
}

async function readKept(file: string): Promise<Readonly<Record<string, readonly RowsEstimate[]>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, RowsEstimate[]>;
  } catch {
    return {};
  }
}
