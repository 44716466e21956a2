/**
 * The register of the documents that each dataset has. From it they are written, listed in the manifest and described
 * in openapi.json; tests hold FORMAT.md's table of files and what is written against it.
 */
import type { ApiDocument } from '../catalog/openapi-document.ts';
import { ErrataDocument, QualityDocument, ValuesDocument } from '../format/document-schemas.ts';
import {
  contractPath,
  errataPath,
  qualityPath,
  route,
  schemaPath,
  statisticsPath,
  valuesPath,
} from '../format/paths.ts';
import { SchemaDocument } from '../format/schema.ts';
import { StatisticsDocument } from '../format/statistics.ts';
import type { DatasetDocument, MadeDataset } from './dataset-document.ts';

/** These stay when a dataset is withdrawn. */
export const CONTRACT_DOCUMENTS = [
  {
    path: (domain: string, topic: string) => contractPath(domain, topic, 'yaml'),
    of: 'dataset',
    schema: null,
    render: ({ dataset }: Pick<MadeDataset, 'dataset'>) => dataset.source.published,
  },
  {
    path: (domain: string, topic: string) => contractPath(domain, topic, 'json'),
    of: 'dataset',
    schema: null,
    render: ({ dataset }: Pick<MadeDataset, 'dataset'>) => JSON.parse(dataset.source.json) as object,
  },
] as const satisfies readonly DatasetDocument[];

/** In the order of the manifest. */
export const DATASET_DOCUMENTS: readonly DatasetDocument[] = [
  {
    path: valuesPath,
    of: 'dataset',
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
    of: 'dataset',
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
    of: 'dataset',
    when: ({ dataset }) => dataset.errata.length > 0,
    schema: ErrataDocument,
    render: ({ stamp, dataset }) =>
      ({ ...stamp, dataset: dataset.key, errata: dataset.errata }) satisfies ErrataDocument,
  },
  {
    path: schemaPath,
    of: 'dataset',
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

/** What of them the API answers. */
export const API_DOCUMENTS: readonly ApiDocument[] = DATASET_DOCUMENTS.flatMap(({ api, schema }) =>
  api === undefined || schema === null ? [] : [{ ...api, schema }],
);
