/** Checks that manifests have the shape of the format, so that their readers can rely on it. Pure. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { FORMAT } from '../format/documents.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../format/manifest.ts';

/** Finds the path of the first wrong value, such as `slices[0].files`; '' is the whole value, null is no fault. */
type Shape = (value: unknown) => string | null;

export interface ManifestShape<Manifest> {
  readonly findFault: Shape;
  /** Always absent: it ties a shape to its type. */
  readonly manifest?: Manifest;
}

const such =
  (isSuch: (value: unknown) => boolean): Shape =>
  value =>
    isSuch(value) ? null : '';
const like = (pattern: RegExp): Shape => such(value => typeof value === 'string' && pattern.test(value));
const optional =
  (shape: Shape): Shape =>
  value =>
    value === undefined ? null : shape(value);

const TEXT = such(value => typeof value === 'string');
const TEXT_OR_NULL = such(value => value === null || typeof value === 'string');
const SCALAR_OR_NULL = such(
  value => value === null || ['string', 'number', 'boolean'].includes(typeof value),
);
const YEAR = such(Number.isSafeInteger);
const COUNT = such(value => Number.isSafeInteger(value) && Number(value) >= 0);

function list(shape: Shape): Shape {
  return value => {
    if (!Array.isArray(value)) return '';
    for (const [i, one] of value.entries()) {
      const wrong = shape(one);
      if (wrong !== null) return joined(`[${i}]`, wrong);
    }
    return null;
  };
}

function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(shapes);
  return value => {
    if (typeof value !== 'object' || value === null) return '';
    const found = value as Readonly<Record<string, unknown>>;
    for (const [name, shape] of entries) {
      const wrong = shape(found[name]);
      if (wrong !== null) return joined(name, wrong);
    }
    return null;
  };
}

function joined(name: string, rest: string): string {
  return rest === '' || rest.startsWith('[') ? `${name}${rest}` : `${name}.${rest}`;
}

const FILE = {
  path: TEXT,
  bytes: COUNT,
  sha256: like(/^[0-9a-f]{64}$/),
  modified: like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  blocks: optional(like(/^[A-Za-z0-9+/]+={0,2}$/)),
};
const ROWS_FILE = { ...FILE, rows: COUNT };
const PARQUET_FILE = fields({
  ...ROWS_FILE,
  row_groups: list(
    fields({ rows: COUNT, start: COUNT, sizes: list(COUNT), sha256: optional(like(/^[0-9a-f]{64}$/)) }),
  ),
});
const SLICE_FILES = fields({
  json: list(fields(ROWS_FILE)),
  csv: list(fields(ROWS_FILE)),
  parquet: list(PARQUET_FILE),
});
const DOCUMENTS = list(fields(FILE));

/** A new minor version only adds fields; a new major version may change what any field means. */
const STAMP = {
  format: such(value => typeof value === 'string' && majorOf(value) === majorOf(FORMAT)),
  release: TEXT,
};

const TABLE = {
  ...STAMP,
  version: TEXT,
  schema_hash: TEXT,
  license: TEXT_OR_NULL,
  attribution: TEXT_OR_NULL,
  rows: COUNT,
  columns: list(
    fields({
      name: TEXT,
      type: like(/^(integer|string|number|boolean|date|timestamp)$/),
      parquet: like(/^(INT32|INT64|DOUBLE|BYTE_ARRAY|BOOLEAN)$/),
      utc: optional(such(value => value === true)),
      from: TEXT_OR_NULL,
    }),
  ),
  order: list(TEXT),
  key_columns: list(TEXT),
  documents: DOCUMENTS,
};

const ENTRIES = list(fields({ ...FILE, key: TEXT, release: TEXT, rows: COUNT }));

export const TREE_MANIFEST: ManifestShape<TreeManifest> = {
  findFault: fields({
    ...STAMP,
    date: like(/^\d{4}-\d\d-\d\d$/),
    extract: optional(fields({ only: TEXT, release: optional(TEXT) })),
    datasets: ENTRIES,
    dimensions: ENTRIES,
    documents: DOCUMENTS,
    withdrawn: optional(list(fields({ key: TEXT, release: TEXT, documents: DOCUMENTS }))),
  }),
};

export const DATASET_MANIFEST: ManifestShape<DatasetManifest> = {
  findFault: fields({
    ...TABLE,
    dataset: TEXT,
    place: list(TEXT),
    slices: list(fields({ year: YEAR, detail: TEXT, rows: COUNT, release: TEXT, files: SLICE_FILES })),
    copies: list(
      fields({
        detail: TEXT,
        by: list(TEXT),
        years: list(YEAR),
        rows: COUNT,
        counted: optional(fields({ values: list(SCALAR_OR_NULL), rows: list(list(COUNT)) })),
        file: PARQUET_FILE,
      }),
    ),
  }),
};

export const DIMENSION_MANIFEST: ManifestShape<DimensionManifest> = {
  findFault: fields({ ...TABLE, dimension: TEXT, files: SLICE_FILES }),
};

/** Says what is wrong with a manifest; null if nothing is. */
export function misshapen<Manifest>(shape: ManifestShape<Manifest>, value: unknown): string | null {
  const wrong = shape.findFault(value);
  if (wrong === null) return null;
  return wrong === ''
    ? `is not a JSON manifest of ${FORMAT}`
    : `does not have the shape of ${FORMAT}: its ${wrong} is missing or invalid`;
}

/** Wraps what `misshapen` says in an error of the file. */
export function shapeDiagnostic(file: string, fault: string): Diagnostic {
  const message = `The file ${fault}. Copy the tree again, or use the program version that wrote it.`;
  return { severity: 'error', code: 'tree-manifest-shape', file, message };
}

function majorOf(format: string): string | undefined {
  return format.split('.')[0];
}
