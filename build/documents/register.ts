/**
 * The registers of a tree's documents. Writing, manifests and openapi.json follow from them, and tests
 * compare them with FORMAT.md's table of files.
 */
import type { Dataset } from '../contract/dataset.ts';
import * as schemas from '../format/document-schemas.ts';
import type { ColumnValues, Json, RuleResult, Stamp } from '../format/documents.ts';
import type { PublishedFile, TreeManifest } from '../format/manifest.ts';
import * as paths from '../format/paths.ts';
import { ROOT } from '../format/paths.ts';
import type { Session } from '../lake/database.ts';
import { parquetRows } from '../lake/sql.ts';
import { sliceEnvelope } from '../slice/rows-writer.ts';
import { jsonRow, UNKNOWN_TEXT } from '../slice/text-sql.ts';
import type { OpenedTree } from '../tree/diff-trees.ts';
import type { DatasetRecord } from '../tree/published-records.ts';
import type { Staging } from '../tree/staging.ts';
import { folderSource } from '../tree/tree-source.ts';
import { dataPackage } from './data-package.ts';
import { croissantDocument, jsonLdDocument, linksetDocument, markdownDocument } from './dataset-metadata.ts';
import { documentText, sealedText } from './document-text.ts';
import { atomFeed, type FeedItem, jsonFeed, releaseNotes } from './feed.ts';
import { mirrorScript } from './mirror-script.ts';
import { type ApiDocument, openApiDocument, type RowsExample } from './openapi.ts';
import { citationText, duckDbSql, llmsText, robotsText, sitemapXml } from './root-texts.ts';
import { datasetsDocument, healthDocument, serviceDocument, treeStamp } from './service-documents.ts';
import {
  type DescribedDataset,
  type DescribedTree,
  describeTree,
  type TreeDescription,
} from './tree-description.ts';
import { dataCatalog, dataCiteDocument, roCrateDocument } from './tree-metadata.ts';

interface TreeDocument<Made> {
  /** Relative to the tree's root. `detail` is used only in documents of a level. */
  readonly path: (domain: string, name: string, detail: string) => string;
  readonly of?: 'level';
  /** If absent, the document is always written. */
  readonly when?: (made: Made) => boolean;
  /** Its content in words, for documents that list others. Absent if they leave it out. */
  readonly about?: string;
  /** A JSON Schema; absent on texts and on documents that other standards describe. */
  readonly schema?: object;
  /** Absent if the document isn't part of the API. */
  readonly api?: Omit<ApiDocument, 'schema'>;
  /** An object is written as JSON. `detail` is empty unless the document is a level's. */
  readonly render: (made: Made, detail: string) => string | object | Promise<object>;
}

export interface MadeTree extends DescribedTree {
  readonly staging: Staging;
  readonly session: Session;
  /** The releases in its feeds, newest first. */
  readonly items: readonly FeedItem[];
}

/** In the order of the manifest. Documents of datasets for other tools and the manifest itself follow. */
export const ROOT_DOCUMENTS: readonly TreeDocument<MadeTree>[] = [
  {
    path: () => ROOT.service,
    about: 'The service',
    schema: schemas.ServiceDocument,
    api: { name: 'Service', route: () => '/', summary: 'What this service is' },
    render: serviceDocument,
  },
  {
    path: () => ROOT.health,
    schema: schemas.HealthDocument,
    api: {
      name: 'Health',
      route: () => '/healthz',
      summary: 'Release, counts and results of quality rules',
    },
    render: healthDocument,
  },
  {
    path: () => ROOT.datasets,
    about: 'Every dataset in summary',
    schema: schemas.DatasetsDocument,
    api: {
      name: 'Datasets',
      route: () => `/${paths.API_ROOT}/datasets`,
      summary: 'A summary of every dataset',
      operation: 'listDatasets',
    },
    render: datasetsDocument,
  },
  {
    path: () => ROOT.openapi,
    about: 'The API, in OpenAPI 3.1',
    render: async tree => {
      const examples: RowsExample[] = [];
      for (const one of tree.datasets) examples.push(await rowsExample(one, tree.staging, tree.session));
      const registers = [...ROOT_DOCUMENTS, ...DATASET_DOCUMENTS, ...DIMENSION_DOCUMENTS];
      const documents = registers.flatMap(({ api, schema }) => (api && schema ? [{ ...api, schema }] : []));
      return openApiDocument(tree, documents, examples);
    },
  },
  { path: () => ROOT.duckdb, about: 'Views of all rows, for DuckDB', render: duckDbSql },
  { path: () => ROOT.catalog, about: 'All datasets, in DCAT-US 3', render: dataCatalog },
  {
    path: () => ROOT.dataPackage,
    about: 'CSV files with the type of every column, in Data Package 2.0',
    render: dataPackage,
  },
  {
    path: () => ROOT.citation,
    about: 'How to cite the release, in Citation File Format 1.2.0',
    render: citationText,
  },
  { path: () => ROOT.dataCite, about: 'Metadata to register a DOI, in DataCite 4', render: dataCiteDocument },
  { path: () => ROOT.roCrate, render: tree => roCrateDocument(tree, DESCRIBED_FILES) },
  {
    path: () => ROOT.llms,
    render: tree => {
      const ofEach = DATASET_DOCUMENTS.flatMap(({ path, api }) =>
        api ? [`/${path('{domain}', '{topic}', '{detail}')}: ${api.summary}`] : [],
      );
      const ofTools = TOOL_DOCUMENTS.flatMap(({ path, about }) =>
        about ? [`/${path('{domain}', '{topic}', '')}: ${about}`] : [],
      );
      return llmsText(tree, DESCRIBED_FILES, [...ofEach, ...ofTools]);
    },
  },
  { path: () => ROOT.robots, render: robotsText },
  { path: () => ROOT.mirror, render: ({ baseUrl }) => mirrorScript(baseUrl) },
  { path: () => ROOT.sitemap, when: ({ baseUrl }) => baseUrl !== null, render: sitemapXml },
  { path: () => ROOT.jsonFeed, render: tree => jsonFeed(tree, tree.items) },
  { path: () => ROOT.feed, render: tree => atomFeed(tree, tree.items) },
  {
    path: () => ROOT.notes,
    about: 'What each release changed',
    render: tree => releaseNotes(tree, tree.items),
  },
];

/** Paths and contents of the root's documents that others list, with two that are written after them. */
const DESCRIBED_FILES: readonly (readonly [path: string, content: string])[] = [
  [ROOT.manifest, 'Every dataset and dimension, with hashes'],
  [ROOT.checksums, 'SHA-256 of every file'],
  ...ROOT_DOCUMENTS.flatMap(({ path, about }) =>
    about === undefined ? [] : [[path('', '', ''), about] as const],
  ),
];

/**
 * Of each dataset, for other tools. The tree's manifest lists them, because they contain facts about the
 * whole tree.
 */
export const TOOL_DOCUMENTS: readonly TreeDocument<{
  readonly tree: MadeTree;
  readonly dataset: DescribedDataset;
}>[] = [
  { path: paths.jsonLdPath, render: ({ tree, dataset }) => jsonLdDocument(tree, dataset) },
  { path: paths.croissantPath, render: ({ tree, dataset }) => croissantDocument(tree, dataset) },
  { path: paths.linksetPath, render: ({ tree, dataset }) => linksetDocument(tree, dataset) },
  {
    path: paths.markdownPath,
    about: 'The same in Markdown: columns, filters, levels, years, addresses of rows, licence and source',
    render: ({ tree, dataset }) => markdownDocument(tree, dataset),
  },
];

/** A dataset or dimension. */
interface Contracted {
  readonly dataset: Pick<Dataset, 'source'>;
}

const CONTRACT_DOCUMENTS: readonly TreeDocument<Contracted>[] = [
  {
    path: (domain, topic) => paths.contractPath(domain, topic, 'yaml'),
    render: ({ dataset }) => dataset.source.published,
  },
  {
    path: (domain, topic) => paths.contractPath(domain, topic, 'json'),
    render: ({ dataset }) => JSON.parse(dataset.source.json) as object,
  },
];

/** A dataset whose rows are written. */
export interface MadeDataset {
  readonly dataset: Dataset;
  readonly stamp: Stamp;
  readonly schema: schemas.SchemaDocument;
  /** Results of the checks. */
  readonly rules: readonly RuleResult[];
  readonly values: readonly ColumnValues[];
  /** Levels that have rows, sorted. */
  readonly levels: readonly string[];
  readonly statisticsOf: (detail: string) => schemas.StatisticsDocument;
}

/** In the order of the manifest. */
export const DATASET_DOCUMENTS: readonly TreeDocument<MadeDataset>[] = [
  {
    path: paths.valuesPath,
    schema: schemas.ValuesDocument,
    api: {
      name: 'Values',
      route: paths.route.values,
      summary: 'values of every filterable column',
      ofEach: 'dataset',
    },
    render: ({ stamp, dataset, values }) =>
      ({ ...stamp, dataset: dataset.key, columns: values }) satisfies schemas.ValuesDocument,
  },
  {
    path: paths.qualityPath,
    schema: schemas.QualityDocument,
    render: ({ stamp, dataset, rules }) =>
      ({ ...stamp, dataset: dataset.key, rules }) satisfies schemas.QualityDocument,
  },
  {
    path: paths.statisticsPath,
    of: 'level',
    schema: schemas.StatisticsDocument,
    api: {
      name: 'Statistics',
      route: (domain, topic, detail) => `/${paths.statisticsPath(domain, topic, detail)}`,
      summary: 'Counts, ends and histograms of the rows of a level',
    },
    render: ({ statisticsOf }, detail) => statisticsOf(detail),
  },
  {
    path: paths.errataPath,
    when: ({ dataset }) => dataset.errata.length > 0,
    schema: schemas.ErrataDocument,
    render: ({ stamp, dataset }) =>
      ({ ...stamp, dataset: dataset.key, errata: dataset.errata }) satisfies schemas.ErrataDocument,
  },
  {
    path: paths.schemaPath,
    schema: schemas.SchemaDocument,
    api: {
      name: 'DatasetSchema',
      route: paths.route.schema,
      summary: 'Schema of a dataset: columns, units, allowed values, filters',
    },
    render: ({ schema }) => schema,
  },
  ...CONTRACT_DOCUMENTS,
];

interface MadeDimension {
  readonly schema: schemas.DimensionSchemaDocument;
  /** Text of the file; null if the dimension has none. */
  readonly shapes: string | null;
}

/** In the order of the manifest. */
export const DIMENSION_DOCUMENTS: readonly TreeDocument<MadeDimension>[] = [
  {
    path: paths.dimensionSchemaPath,
    schema: schemas.DimensionSchemaDocument,
    api: {
      name: 'DimensionSchema',
      route: (domain, name) => `${paths.route.dimension(domain, name)}/schema`,
      summary: 'columns',
      ofEach: 'dimension',
    },
    render: ({ schema }) => schema,
  },
  {
    path: paths.dimensionShapesPath,
    when: ({ shapes }) => shapes !== null,
    render: ({ shapes }) => shapes ?? '',
  },
];

/** A notice replaces the schema document of a withdrawn dataset or dimension. */
interface Withdrawn extends Contracted {
  readonly notice: schemas.WithdrawalDocument;
}

export const WITHDRAWN_DATASET: readonly TreeDocument<Withdrawn>[] = [
  { path: paths.schemaPath, schema: schemas.WithdrawalDocument, render: ({ notice }) => notice },
  ...CONTRACT_DOCUMENTS,
];

export const WITHDRAWN_DIMENSION: readonly TreeDocument<Withdrawn>[] = [
  { path: paths.dimensionSchemaPath, schema: schemas.WithdrawalDocument, render: ({ notice }) => notice },
];

/** `name`: domain and name of the dataset or dimension; empty for the root. */
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

interface RootInput extends TreeDescription, Pick<MadeTree, 'staging' | 'session'> {
  /** The items of the tree's feeds. `staged`: the tree with all documents of its datasets and dimensions. */
  readonly itemsOf: (tree: DescribedTree, staged: OpenedTree) => Promise<readonly FeedItem[]>;
}

/** Writes the documents of the whole tree. */
export async function writeRootDocuments(input: RootInput): Promise<MadeTree & { manifest: TreeManifest }> {
  const { staging, date, datasets, dimensions, withdrawn } = input;
  const described = describeTree(input);
  const gone = withdrawn.map(({ entry }) => entry);
  const entries = {
    ...treeStamp(input),
    date,
    datasets: datasets.map(({ entry }) => entry),
    dimensions: dimensions.map(({ entry }) => entry),
  };
  const items = await input.itemsOf(described, {
    source: folderSource(staging.folder),
    manifest: { ...entries, documents: [], withdrawn: gone },
  });
  const tree: MadeTree = { ...input, ...described, items };
  const documents = await writeRegistered(ROOT_DOCUMENTS, tree, [], staging);
  for (const dataset of tree.datasets) {
    const { domain, topic } = dataset;
    documents.push(...(await writeRegistered(TOOL_DOCUMENTS, { tree, dataset }, [domain, topic], staging)));
  }
  const manifest: TreeManifest = { ...entries, documents, ...(gone.length > 0 && { withdrawn: gone }) };
  await staging.write(ROOT.manifest, sealedText(manifest));
  return { ...tree, manifest };
}

const MOST_CHARACTERS = 1 << 18;

/**
 * The first row of the default level's latest year, as the API answers it; no body if the row is too long.
 */
async function rowsExample(
  { schema, manifest }: DatasetRecord,
  staging: Staging,
  session: Session,
): Promise<RowsExample> {
  const slice =
    manifest.slices.filter(one => one.detail === schema.default_detail).at(-1) ?? manifest.slices.at(-1);
  const year = slice === undefined || slice.year === paths.NO_YEAR ? '' : `year=${slice.year}&`;
  const url = `${schema.endpoint}?${year}detail=${slice?.detail}&limit=1`;
  if (slice === undefined) return { url, body: null };
  const files = slice.files.parquet.map(({ path }) =>
    staging.locate(`${paths.datasetFolder(schema.main_topic, schema.topic)}/${path}`),
  );
  const columns = manifest.columns.map(column => ({ column }));
  const [first] = await session.rows<{ row: string }>(
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
