/** A tree in the words of documents for other tools, and what reads more than those: openapi.json and duckdb.sql. */
import { open } from 'node:fs/promises';
import { documentText } from '../catalog/document-text.ts';
import { duckDbSql } from '../catalog/duckdb-sql.ts';
import { type ApiDocument, type OpenApiDataset, openApiDocument } from '../catalog/openapi-document.ts';
import type { DescribedDimension, TreeDescription } from '../catalog/tree-description.ts';
import type { Publisher } from '../contract/dataset.ts';
import type { TreeExtract } from '../format/documents.ts';
import { treeNotice } from '../format/envelope.ts';
import type { Json } from '../format/json.ts';
import type { RowColumn } from '../format/manifest.ts';
import { datasetFolder, NO_YEAR } from '../format/paths.ts';
import type { Session, SessionSource } from '../lake/database.ts';
import { parquetRows } from '../lake/sql.ts';
import { sliceEnvelope } from '../slice/page-envelope.ts';
import { jsonRow, UNKNOWN_TEXT } from '../slice/text-sql.ts';
import {
  type DatasetRecord,
  type DimensionRecord,
  dimensionKey,
  type WithdrawnRecord,
} from '../tree/published-records.ts';
import type { Staging } from '../tree/staging.ts';

export interface DescriptionInput {
  readonly staging: Staging;
  readonly publisher: Publisher;
  readonly sample: boolean;
  /** The datasets of the service that the tree holds; null if it holds all. */
  readonly extract: TreeExtract | null;
  /** Sorted by key. */
  readonly datasets: readonly DatasetRecord[];
  /** Sorted by key. */
  readonly withdrawn: readonly WithdrawnRecord[];
  /** Sorted by key. */
  readonly dimensions: readonly DimensionRecord[];
  /** Address of the tree, ending in a slash; null if unknown. */
  readonly baseUrl: string | null;
  /** Whether the build writes pages for people. */
  readonly pages: boolean;
}

export function describeTree(input: DescriptionInput, date: string, release: string): TreeDescription {
  const { publisher, sample, extract, baseUrl, pages, datasets, dimensions } = input;
  return {
    publisher,
    date,
    release,
    sample,
    extract,
    baseUrl,
    pages,
    datasets: datasets.map(({ schema, manifest, entry, errata }) => ({
      schema,
      errata,
      manifest,
      modified: entry.modified.slice(0, 10),
    })),
    dimensions: describeDimensions(dimensions),
  };
}

/** Each dimension once, with its domains, sorted by its key in contracts. */
function describeDimensions(records: readonly DimensionRecord[]): DescribedDimension[] {
  const byKey = new Map<string, DimensionRecord[]>();
  for (const record of [...records].sort((a, b) => (a.domain < b.domain ? -1 : 1))) {
    const key = dimensionKey(record.schema);
    byKey.set(key, [...(byKey.get(key) ?? []), record]);
  }
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, all]) => {
      const [first] = all;
      return first ? [{ ...first, domains: all.map(one => one.domain) }] : [];
    });
}

export async function openApiText(
  input: DescriptionInput & { readonly session: SessionSource },
  { release, dimensions }: TreeDescription,
  documents: readonly ApiDocument[],
): Promise<string> {
  const { publisher, sample, extract, baseUrl, staging, session } = input;
  const datasets: OpenApiDataset[] = [];
  for (const record of input.datasets) {
    datasets.push({
      schema: record.schema,
      columns: record.manifest.columns,
      example: await exampleOf(staging, record, session),
    });
  }
  const document = openApiDocument({
    publisher,
    release,
    sample,
    extract,
    baseUrl,
    datasets,
    dimensions,
    documents,
  });
  return documentText(document as object);
}

export function duckDbText(
  { publisher, sample, extract, baseUrl, datasets, dimensions }: DescriptionInput,
  release: string,
): string {
  return duckDbSql({
    service: publisher.service,
    release,
    notice: treeNotice(sample, extract),
    baseUrl,
    datasets: datasets.map(record => record.manifest),
    dimensions,
  });
}

/** The first row of the default level's latest year, as the API answers it. */
async function exampleOf(
  staging: Staging,
  { schema, manifest }: DatasetRecord,
  session: SessionSource,
): Promise<OpenApiDataset['example']> {
  const slice =
    manifest.slices.filter(one => one.detail === schema.default_detail).at(-1) ?? manifest.slices.at(-1);
  const year = slice === undefined || slice.year === NO_YEAR ? '' : `year=${slice.year}&`;
  const url = `${schema.endpoint}?${year}detail=${slice?.detail}&limit=1`;
  if (slice === undefined) return { url, body: null };
  const files = datasetFolder(schema.main_topic, schema.topic);
  const [page] = slice.files.json;
  const [parquet] = slice.files.parquet;
  const row =
    page !== undefined
      ? await storedRow(staging.locate(`${files}/${page.path}`))
      : parquet !== undefined
        ? await firstRow(await session(), staging.locate(`${files}/${parquet.path}`), manifest.columns)
        : null;
  if (row === null) return { url, body: null };
  const next = slice.rows > 1 ? `${url}&offset=1` : null;
  const envelope = sliceEnvelope(manifest, slice, slice.release, {
    total: slice.rows,
    offset: 0,
    count: 1,
    next,
  });
  return { url, body: { ...envelope, limit: 1, data: [JSON.parse(row) as Json] } };
}

/** Room for the head of a page and its first row. */
const HEAD_BYTES = 1 << 18;

/** Reads the first row of a stored page, the line after its head; null if the row is too long for an example. */
async function storedRow(file: string): Promise<string | null> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [, row = null, ...rest] = buffer.toString('utf8', 0, bytesRead).split('\n');
    return row === null || rest.length === 0 ? null : row.replace(/,$/, '');
  } finally {
    await handle.close();
  }
}

/** The first row as the text of a JSON object; null if the file has no rows. */
async function firstRow(
  session: Session,
  file: string,
  columns: readonly RowColumn[],
): Promise<string | null> {
  const row = jsonRow(
    columns.map(column => ({ column })),
    () => UNKNOWN_TEXT,
  );
  const [first] = await session.rows<{ row: string }>(
    `SELECT ${row} AS row FROM ${parquetRows([file])} LIMIT 1`,
  );
  return first?.row ?? null;
}
