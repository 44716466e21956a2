/**
 * The registers of the documents that each dataset and each dimension has. From them they are written, listed in the
 * manifest and described in openapi.json; tests hold FORMAT.md's table of files and what is written against them.
 */
import { documentText } from '../catalog/document-text.ts';
import type { ApiDocument } from '../catalog/openapi-document.ts';
import type { Dataset } from '../contract/dataset.ts';
import { ErrataDocument, QualityDocument, ValuesDocument } from '../format/document-schemas.ts';
import type { ColumnValues, RuleResult, Stamp } from '../format/documents.ts';
import type { PublishedFile } from '../format/manifest.ts';
import {
  contractPath,
  dimensionSchemaPath,
  dimensionShapesPath,
  errataPath,
  qualityPath,
  relativeLink,
  route,
  schemaPath,
  statisticsPath,
  valuesPath,
} from '../format/paths.ts';
import { DimensionSchemaDocument, SchemaDocument } from '../format/schema.ts';
import { StatisticsDocument } from '../format/statistics.ts';
import type { Staging } from '../tree/staging.ts';

/** These stay when a dataset is withdrawn. */
export const CONTRACT_DOCUMENTS = [
  {
    path: (domain: string, topic: string) => contractPath(domain, topic, 'yaml'),
    of: 'table',
    schema: null,
    render: ({ dataset }: Pick<MadeDataset, 'dataset'>) => dataset.source.published,
  },
  {
    path: (domain: string, topic: string) => contractPath(domain, topic, 'json'),
    of: 'table',
    schema: null,
    render: ({ dataset }: Pick<MadeDataset, 'dataset'>) => JSON.parse(dataset.source.json) as object,
  },
] as const satisfies readonly TableDocument<MadeDataset>[];

/** In the order of the manifest. */
export const DATASET_DOCUMENTS: readonly TableDocument<MadeDataset>[] = [
  {
    path: valuesPath,
    of: 'table',
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
    of: 'table',
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
    of: 'table',
    when: ({ dataset }) => dataset.errata.length > 0,
    schema: ErrataDocument,
    render: ({ stamp, dataset }) =>
      ({ ...stamp, dataset: dataset.key, errata: dataset.errata }) satisfies ErrataDocument,
  },
  {
    path: schemaPath,
    of: 'table',
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

/** In the order of the manifest. */
export const DIMENSION_DOCUMENTS: readonly TableDocument<MadeDimension>[] = [
  { path: dimensionSchemaPath, of: 'table', schema: DimensionSchemaDocument, render: ({ schema }) => schema },
  {
    path: dimensionShapesPath,
    of: 'table',
    when: ({ shapes }) => shapes !== null,
    schema: null,
    render: ({ shapes }) => shapes ?? '',
  },
];

/** What of a dataset's the API answers. */
export const API_DOCUMENTS: readonly ApiDocument[] = DATASET_DOCUMENTS.flatMap(({ api, schema }) =>
  api === undefined || schema === null ? [] : [{ ...api, schema }],
);

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

/** A dimension whose rows are written. */
export interface MadeDimension {
  readonly schema: DimensionSchemaDocument;
  /** As a file; null for a dimension without any. */
  readonly shapes: string | null;
  readonly levels: readonly string[];
}

/** A document that every dataset has, or every level of a dataset; or that every dimension has. */
interface TableDocument<Made> {
  /** The path of a level's document holds the level's name. */
  readonly path: (domain: string, name: string, detail: string) => string;
  readonly of: 'table' | 'level';
  /** Absent if the table always has it. */
  readonly when?: (made: Made) => boolean;
  /** A JSON Schema; null for what has none, such as texts of the publisher. */
  readonly schema: object | null;
  /** How openapi.json describes it; absent if it is no part of the API, or is described with a dimension's routes. */
  readonly api?: Omit<ApiDocument, 'schema'>;
  /** An object is written as JSON. `detail` is empty for a document of the table. */
  readonly render: (made: Made, detail: string) => string | object | Promise<object>;
}

/** Writes the documents of a register that a table has. Returns them with paths relative to its manifest. */
export async function writeRegistered<Made extends { readonly levels: readonly string[] }>(
  register: readonly TableDocument<Made>[],
  made: Made,
  [domain, name]: readonly [domain: string, name: string],
  manifestPath: string,
  staging: Staging,
): Promise<PublishedFile[]> {
  const written: PublishedFile[] = [];
  for (const { path, of, when, render } of register) {
    if (when?.(made) === false) continue;
    for (const detail of of === 'level' ? made.levels : ['']) {
      const file = path(domain, name, detail);
      const text = textOf(await render(made, detail));
      written.push({ path: relativeLink(manifestPath, file), ...(await staging.write(file, text)) });
    }
  }
  return written;
}

/** The text of what `render` gives. */
export function textOf(document: string | object): string {
  return typeof document === 'string' ? document : documentText(document);
}
