/** The documents that describe the whole tree to programs: openapi.json and duckdb.sql. */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { documentText } from '../catalog/document-text.ts';
import { duckDbSql } from '../catalog/duckdb-sql.ts';
import type { Json } from '../catalog/openapi-components.ts';
import { type OpenApiDataset, type OpenApiDimension, openApiDocument } from '../catalog/openapi-document.ts';
import type { Publisher } from '../contract/dataset.ts';
import { SAMPLE_NOTICE } from '../format/envelope.ts';
import { datasetFolder } from '../format/paths.ts';
import type { DatasetRecord } from './dataset-documents.ts';
import type { DimensionRecord } from './dimension-documents.ts';
import type { Staging } from './staging.ts';

/** What the tree holds, as far as programs are told of it. */
export interface DescriptionInput {
  readonly staging: Staging;
  readonly publisher: Publisher;
  readonly sample: boolean;
  /** Sorted by key. */
  readonly datasets: readonly DatasetRecord[];
  /** Sorted by key. */
  readonly dimensions: readonly DimensionRecord[];
  /** Distinct dimensions, and the domains that each stands under. */
  readonly described: readonly OpenApiDimension[];
  /** Where the tree will be served, ending in a slash. */
  readonly baseUrl: string | null;
  /** Whether pages for people will be made. */
  readonly pages: boolean;
}

export async function openApiText(input: DescriptionInput, release: string): Promise<string> {
  const { publisher, sample, baseUrl, staging } = input;
  const datasets: OpenApiDataset[] = [];
  for (const record of input.datasets) {
    datasets.push({
      schema: record.schema,
      columns: record.manifest.columns,
      example: await exampleOf(staging.folder, record),
    });
  }
  const document = openApiDocument({
    publisher,
    release,
    sample,
    baseUrl,
    datasets,
    dimensions: input.described,
  });
  return documentText(document as object);
}

export function duckDbText(
  { publisher, sample, baseUrl, datasets, dimensions }: DescriptionInput,
  release: string,
): string {
  return duckDbSql({
    service: publisher.service,
    release,
    sampleNotice: sample ? SAMPLE_NOTICE : null,
    baseUrl,
    datasets: datasets.map(record => record.manifest),
    dimensions,
  });
}

/** Enough for the head of a page and its first row. */
const HEAD_BYTES = 1 << 18;

/** The first row of the default level's latest year, as the API answers it: cut from the stored page. */
async function exampleOf(
  folder: string,
  { schema, manifest }: DatasetRecord,
): Promise<OpenApiDataset['example']> {
  const slice =
    manifest.slices.filter(one => one.detail === schema.default_detail).at(-1) ?? manifest.slices.at(-1);
  const page = slice?.files.json[0];
  const url = `${schema.endpoint}?year=${slice?.year}&detail=${slice?.detail}&limit=1`;
  if (slice === undefined || page === undefined) return { url, body: null };
  const file = await open(path.join(folder, datasetFolder(schema.main_topic, schema.topic), page.path));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [head = '', row = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    const envelope = JSON.parse(`${head}]}`) as { readonly [name: string]: Json };
    const next = slice.rows > 1 ? `${url}&offset=1` : null;
    return {
      url,
      body: { ...envelope, limit: 1, count: 1, next, data: [JSON.parse(row.replace(/,$/, '')) as Json] },
    };
  } finally {
    await file.close();
  }
}
