/** Whether what a tree says of itself has the shape of the format: who reads manifests relies on it. Pure. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { FORMAT } from '../format/documents.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../format/manifest.ts';

/** Where a value is not of a shape, such as `slices[0].files`; null where it is. The whole value is ''. */
type Part = (value: unknown) => string | null;

/** The same of a document, with what it is where nothing is wrong. */
export interface ManifestShape<Manifest> {
  readonly wrongPart: Part;
  /** Never there: it ties a shape to its type. */
  readonly manifest?: Manifest;
}

const such =
  (isSuch: (value: unknown) => boolean): Part =>
  value =>
    isSuch(value) ? null : '';
const like = (pattern: RegExp): Part => such(value => typeof value === 'string' && pattern.test(value));
const optional =
  (part: Part): Part =>
  value =>
    value === undefined ? null : part(value);

const TEXT = such(value => typeof value === 'string');
const TEXT_OR_NULL = such(value => value === null || typeof value === 'string');
const YEAR = such(Number.isSafeInteger);
const COUNT = such(value => Number.isSafeInteger(value) && Number(value) >= 0);

function list(part: Part): Part {
  return value => {
    if (!Array.isArray(value)) return '';
    for (const [i, one] of value.entries()) {
      const wrong = part(one);
      if (wrong !== null) return joined(`[${i}]`, wrong);
    }
    return null;
  };
}

function fields(parts: Readonly<Record<string, Part>>): Part {
  const entries = Object.entries(parts);
  return value => {
    if (typeof value !== 'object' || value === null) return '';
    const found = value as Readonly<Record<string, unknown>>;
    for (const [name, part] of entries) {
      const wrong = part(found[name]);
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
};
const ROWS_FILE = { ...FILE, rows: COUNT };
const PARQUET_FILE = fields({
  ...ROWS_FILE,
  row_groups: list(fields({ rows: COUNT, start: COUNT, sizes: list(COUNT) })),
});
const SLICE_FILES = fields({
  json: list(fields(ROWS_FILE)),
  csv: list(fields(ROWS_FILE)),
  parquet: list(PARQUET_FILE),
});
const DOCUMENTS = list(fields(FILE));

/** Another minor version adds fields; another major one may mean something else by any. */
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
      type: like(/^(integer|string|number|boolean)$/),
      parquet: like(/^(INT32|INT64|DOUBLE|BYTE_ARRAY|BOOLEAN)$/),
      from: TEXT_OR_NULL,
    }),
  ),
  order: list(TEXT),
  key_columns: list(TEXT),
  documents: DOCUMENTS,
};

const ENTRIES = list(fields({ ...FILE, key: TEXT, release: TEXT, rows: COUNT }));

export const TREE_MANIFEST: ManifestShape<TreeManifest> = {
  wrongPart: fields({
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
  wrongPart: fields({
    ...TABLE,
    dataset: TEXT,
    place: list(TEXT),
    slices: list(fields({ year: YEAR, detail: TEXT, rows: COUNT, release: TEXT, files: SLICE_FILES })),
    history: list(fields({ detail: TEXT, years: list(YEAR), rows: COUNT, file: PARQUET_FILE })),
  }),
};

export const DIMENSION_MANIFEST: ManifestShape<DimensionManifest> = {
  wrongPart: fields({ ...TABLE, dimension: TEXT, files: SLICE_FILES }),
};

/** What is wrong with a document, in words; null where nothing is. */
export function misshapen<Manifest>(shape: ManifestShape<Manifest>, value: unknown): string | null {
  const wrong = shape.wrongPart(value);
  if (wrong === null) return null;
  return wrong === ''
    ? `is no JSON of a manifest as ${FORMAT} has it`
    : `has not the shape of ${FORMAT}: its ${wrong} is missing, or is none`;
}

/** The same as an error of the file. */
export function shapeDiagnostic(file: string, different: string): Diagnostic {
  const message = `The file ${different}. Copy the tree again, or use the program of the version that wrote it.`;
  return { severity: 'error', code: 'tree-manifest-shape', file, message };
}

function majorOf(format: string): string | undefined {
  return format.split('.')[0];
}
