/**
 * The registers of the documents of a tree: of its root, and of each dataset and dimension. From them documents are
 * written, listed in manifests and described in openapi.json; tests hold FORMAT.md's table of files and what is written
 * against them.
 */
import type { Dataset } from '../contract/dataset.ts';
import {
  DatasetsDocument,
  ErrataDocument,
  HealthDocument,
  QualityDocument,
  ServiceDocument,
  ValuesDocument,
  WithdrawalDocument,
} from '../format/document-schemas.ts';
import type { ColumnValues, RuleResult, Stamp } from '../format/documents.ts';
import type { Json } from '../format/json.ts';
import type { PublishedFile } from '../format/manifest.ts';
import {
  API_ROOT,
  contractPath,
  croissantPath,
  datasetFolder,
  dimensionSchemaPath,
  dimensionShapesPath,
  errataPath,
  jsonLdPath,
  linksetPath,
  NO_YEAR,
  qualityPath,
  ROOT,
  route,
  schemaPath,
  statisticsPath,
  valuesPath,
} from '../format/paths.ts';
import { DimensionSchemaDocument, SchemaDocument } from '../format/schema.ts';
import { StatisticsDocument } from '../format/statistics.ts';
import type { SessionSource } from '../lake/database.ts';
import { parquetRows } from '../lake/sql.ts';
import { sliceEnvelope } from '../slice/rows-writer.ts';
import { jsonRow, UNKNOWN_TEXT } from '../slice/text-sql.ts';
import type { DatasetRecord } from '../tree/published-records.ts';
import type { Staging } from '../tree/staging.ts';
import { dataPackage } from './data-package.ts';
import { croissantDocument, jsonLdDocument, linksetDocument } from './dataset-metadata.ts';
import { documentText } from './document-text.ts';
import { mirrorScript } from './mirror-script.ts';
import { type ApiDocument, openApiDocument, type RowsExample } from './openapi.ts';
import { citationText, duckDbSql, llmsText, robotsText, sitemapXml } from './root-texts.ts';
import { datasetsDocument, healthDocument, serviceDocument } from './service-documents.ts';
import type { TreeDescription } from './tree-description.ts';
import { dataCatalog, dataCiteDocument, roCrateDocument } from './tree-metadata.ts';

/** A document of a tree, of each dataset or dimension, or of each level of a dataset. */
export interface TreeDocument<Made> {
  /** Relative to the tree's root. That of a level's document holds the level's name. */
  readonly path: (domain: string, name: string, detail: string) => string;
  readonly of?: 'level';
  /** Absent if there is always one. */
  readonly when?: (made: Made) => boolean;
  /** A JSON Schema; absent on texts, and on what other standards describe. */
  readonly schema?: object;
  /** How openapi.json describes it; absent if it is no part of the API, or is described with a dimension's routes. */
  readonly api?: Omit<ApiDocument, 'schema'>;
  /** An object is written as JSON. `detail` is empty for a document that is not a level's. */
  readonly render: (made: Made, detail: string) => string | object | Promise<object>;
}

/** A tree whose datasets and dimensions are written. */
export interface MadeTree extends TreeDescription {
  readonly staging: Staging;
  readonly session: SessionSource;
}

/** In the order of the manifest. Those of datasets for other tools, feeds and the manifest itself follow. */
export const ROOT_DOCUMENTS: readonly TreeDocument<MadeTree>[] = [
  {
    path: () => ROOT.service,
    schema: ServiceDocument,
    api: {
      name: 'Service',
      route: () => '/',
      operation: 'getService',
      summary: 'What this service is',
      scope: 'once',
    },
    render: serviceDocument,
  },
  {
    path: () => ROOT.health,
    schema: HealthDocument,
    api: {
      name: 'Health',
      route: () => '/healthz',
      operation: 'getHealth',
      summary: 'Release, counts and results of quality rules',
      scope: 'once',
    },
    render: healthDocument,
  },
  {
    path: () => ROOT.datasets,
    schema: DatasetsDocument,
    api: {
      name: 'Datasets',
      route: () => `/${API_ROOT}/datasets`,
      operation: 'listDatasets',
      summary: 'A summary of every dataset',
      scope: 'once',
    },
    render: datasetsDocument,
  },
  {
    path: () => ROOT.openapi,
    render: async tree => {
      const examples: RowsExample[] = [];
      for (const one of tree.datasets) examples.push(await rowsExample(one, tree.staging, tree.session));
      return openApiDocument(tree, apiDocuments(), examples);
    },
  },
  { path: () => ROOT.duckdb, render: duckDbSql },
  { path: () => ROOT.catalog, render: dataCatalog },
  { path: () => ROOT.dataPackage, render: dataPackage },
  { path: () => ROOT.citation, render: citationText },
  { path: () => ROOT.dataCite, render: dataCiteDocument },
  { path: () => ROOT.roCrate, render: roCrateDocument },
  { path: () => ROOT.llms, render: llmsText },
  { path: () => ROOT.robots, render: robotsText },
  { path: () => ROOT.mirror, render: ({ baseUrl }) => mirrorScript(baseUrl) },
  { path: () => ROOT.sitemap, when: ({ baseUrl }) => baseUrl !== null, render: sitemapXml },
];

interface MadeForTools {
  readonly tree: MadeTree;
  readonly dataset: DatasetRecord;
}

/** Of each dataset, for other tools; they speak of the whole tree, so its manifest lists them. */
export const TOOL_DOCUMENTS: readonly TreeDocument<MadeForTools>[] = [
  { path: jsonLdPath, render: ({ tree, dataset }) => jsonLdDocument(tree, dataset) },
  { path: croissantPath, render: ({ tree, dataset }) => croissantDocument(tree, dataset) },
  { path: linksetPath, render: ({ tree, dataset }) => linksetDocument(tree, dataset) },
];

const CONTRACT_DOCUMENTS: readonly TreeDocument<{ readonly dataset: Dataset }>[] = [
  {
    path: (domain, topic) => contractPath(domain, topic, 'yaml'),
    render: ({ dataset }) => dataset.source.published,
  },
  {
    path: (domain, topic) => contractPath(domain, topic, 'json'),
    render: ({ dataset }) => JSON.parse(dataset.source.json) as object,
  },
];

/** A dataset whose rows are written. */
export interface MadeDataset {
  readonly dataset: Dataset;
  readonly stamp: Stamp;
  readonly schema: SchemaDocument;
  /** Results of the checks. */
  readonly rules: readonly RuleResult[];
  readonly values: readonly ColumnValues[];
  /** Levels that have rows, sorted. */
  readonly levels: readonly string[];
  readonly statisticsOf: (detail: string) => Promise<StatisticsDocument>;
}

/** In the order of the manifest. */
export const DATASET_DOCUMENTS: readonly TreeDocument<MadeDataset>[] = [
  {
    path: valuesPath,
    schema: ValuesDocument,
    api: {
      name: 'Values',
      route: route.values,
      operation: 'Values',
      summary: 'values of every filterable column',
      scope: 'each dataset',
    },
    render: ({ stamp, dataset, values }) =>
      ({ ...stamp, dataset: dataset.key, columns: values }) satisfies ValuesDocument,
  },
  {
    path: qualityPath,
    schema: QualityDocument,
    render: ({ stamp, dataset, rules }) =>
      ({ ...stamp, dataset: dataset.key, rules }) satisfies QualityDocument,
  },
  {
    path: statisticsPath,
    of: 'level',
    schema: StatisticsDocument,
    api: {
      name: 'Statistics',
      route: (domain, topic, detail) => `/${statisticsPath(domain, topic, detail)}`,
      operation: 'getStatistics',
      summary: 'Counts, ends and histograms of the rows of a level',
      scope: 'once',
    },
    render: ({ statisticsOf }, detail) => statisticsOf(detail),
  },
  {
    path: errataPath,
    when: ({ dataset }) => dataset.errata.length > 0,
    schema: ErrataDocument,
    render: ({ stamp, dataset }) =>
      ({ ...stamp, dataset: dataset.key, errata: dataset.errata }) satisfies ErrataDocument,
  },
  {
    path: schemaPath,
    schema: SchemaDocument,
    api: {
      name: 'DatasetSchema',
      route: route.schema,
      operation: 'getDatasetSchema',
      summary: 'Schema of a dataset: columns, units, allowed values, filters',
      scope: 'once',
    },
    render: ({ schema }) => schema,
  },
  ...CONTRACT_DOCUMENTS,
];

/** A dimension whose rows are written. */
export interface MadeDimension {
  readonly schema: DimensionSchemaDocument;
  /** As a file; null for a dimension without any. */
  readonly shapes: string | null;
}

/** In the order of the manifest. */
export const DIMENSION_DOCUMENTS: readonly TreeDocument<MadeDimension>[] = [
  { path: dimensionSchemaPath, schema: DimensionSchemaDocument, render: ({ schema }) => schema },
  {
    path: dimensionShapesPath,
    when: ({ shapes }) => shapes !== null,
    render: ({ shapes }) => shapes ?? '',
  },
];

/** A withdrawn dataset or dimension: a notice takes the place of its schema document. */
interface Withdrawn {
  readonly notice: WithdrawalDocument;
}

export const WITHDRAWN_DATASET: readonly TreeDocument<Withdrawn & { readonly dataset: Dataset }>[] = [
  { path: schemaPath, schema: WithdrawalDocument, render: ({ notice }) => notice },
  ...CONTRACT_DOCUMENTS,
];

export const WITHDRAWN_DIMENSION: readonly TreeDocument<Withdrawn>[] = [
  { path: dimensionSchemaPath, schema: WithdrawalDocument, render: ({ notice }) => notice },
];

/** What the API answers besides rows, dimensions and contracts. */
function apiDocuments(): ApiDocument[] {
  return [...ROOT_DOCUMENTS, ...DATASET_DOCUMENTS].flatMap(({ api, schema }) =>
    api === undefined || schema === undefined ? [] : [{ ...api, schema }],
  );
}

/** Writes the documents of a register that are due. `name`: of the dataset or dimension; none for the root. */
export async function writeRegistered<Made extends object>(
  register: readonly TreeDocument<Made>[],
  made: Made & { readonly levels?: readonly string[] },
  [domain = '', name = '']: readonly string[],
  staging: Staging,
): Promise<PublishedFile[]> {
  const written: PublishedFile[] = [];
  for (const { path, of, when, render } of register) {
    if (when?.(made) === false) continue;
    for (const detail of of === 'level' ? (made.levels ?? []) : ['']) {
      const file = path(domain, name, detail);
      const document = await render(made, detail);
      const text = typeof document === 'string' ? document : documentText(document);
      written.push({ path: file, ...(await staging.write(file, text)) });
    }
  }
  return written;
}

/** A longer row is no example. */
const MOST_CHARACTERS = 1 << 18;

/** The first row of the default level's latest year, as the API answers it. */
export async function rowsExample(
  { schema, manifest }: DatasetRecord,
  staging: Staging,
  session: SessionSource,
): Promise<RowsExample> {
  const slice =
    manifest.slices.filter(one => one.detail === schema.default_detail).at(-1) ?? manifest.slices.at(-1);
  const year = slice === undefined || slice.year === NO_YEAR ? '' : `year=${slice.year}&`;
  const url = `${schema.endpoint}?${year}detail=${slice?.detail}&limit=1`;
  if (slice === undefined) return { url, body: null };
  const files = slice.files.parquet.map(({ path }) =>
    staging.locate(`${datasetFolder(schema.main_topic, schema.topic)}/${path}`),
  );
  const columns = manifest.columns.map(column => ({ column }));
  const [first] = await (await session()).rows<{ row: string }>(
    `SELECT ${jsonRow(columns, () => UNKNOWN_TEXT)} AS row FROM ${parquetRows(files)} LIMIT 1`,
  );
  if (first === undefined || first.row.length > MOST_CHARACTERS) return { url, body: null };
  const next = slice.rows > 1 ? `${url}&offset=1` : null;
  const envelope = sliceEnvelope(manifest, slice, slice.release, {
    total: slice.rows,
    offset: 0,
    count: 1,
    next,
  });
  return { url, body: { ...envelope, limit: 1, data: [JSON.parse(first.row) as Json] } };
}
