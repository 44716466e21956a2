/** The published documents that pages are rendered from. */

import type { ChangesDocument } from '../../../build/format/changes.ts';
import type {
  DatasetsDocument,
  ErrataDocument,
  Erratum,
  HealthDocument,
  QualityDocument,
  ServiceDocument,
  ValuesDocument,
  WithdrawnSummary,
} from '../../../build/format/documents.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../../../build/format/manifest.ts';
import {
  changesPath,
  contractPath,
  datasetFolder,
  dimensionSchemaPath,
  errataPath,
  qualityPath,
  ROOT,
  schemaPath,
  valuesPath,
} from '../../../build/format/paths.ts';
import type { DimensionSchemaDocument, SchemaDocument } from '../../../build/format/schema.ts';
import type { ChangedRow } from '../../query/past.ts';
import { speakLanguage } from '../messages/languages.ts';
import { deriveDataset, type ExploredDataset } from '../view/dataset.ts';
import { isAnswered, type RowsSource } from './first-view.ts';

type Question = NonNullable<SchemaDocument['questions']>[number];

/** A staged tree to read documents from. */
export interface DocumentSource extends RowsSource {
  /** What an earlier build made of the same, else what `make` gives. `of`, in JSON: all that it is made from. */
  keep<Value>(of: unknown, make: () => Promise<Value>): Promise<Value>;
  /** The first rows that each of the newest releases changed, by level, year and grain. */
  readChanged(key: string, changes: ChangesDocument): Promise<readonly (readonly ChangedRow[])[]>;
  /** The tree's future address, ending in a slash; null if unknown. */
  readonly baseUrl: string | null;
}

/** What pages can't use of what they are made from. */
export interface PageFinding {
  readonly code: 'places-not-on-map' | 'synonym-dead' | 'question-without-answer';
  /** Key of the dataset or dimension; null for what the publisher states for all. */
  readonly about: string | null;
  readonly message: string;
}

export interface Documents {
  readonly source: DocumentSource;
  readonly service: ServiceDocument;
  readonly health: HealthDocument;
  /** The page of the API knows its shape. */
  readonly openapi: unknown;
  readonly manifest: TreeManifest;
  readonly list: DatasetsDocument;
  /** Sorted by key. */
  readonly datasets: readonly DatasetDocuments[];
  /** Withdrawn datasets, sorted by key. */
  readonly withdrawn: readonly WithdrawnSummary[];
  readonly dimensions: readonly DimensionDocuments[];
}

export interface DatasetDocuments {
  /** `domain/topic` */
  readonly key: string;
  readonly schema: SchemaDocument;
  readonly manifest: DatasetManifest;
  /** Reads the remaining documents, once. */
  open(): Promise<OpenDataset>;
}

/** Its schema has only the questions that its rows can answer. */
export interface OpenDataset extends Omit<DatasetDocuments, 'open'> {
  readonly values: ValuesDocument;
  readonly quality: QualityDocument;
  /** Newest first; empty if no errors are known. */
  readonly errata: readonly Erratum[];
  /** Null if the tree does not say. */
  readonly changes: ChangesDocument | null;
  /** The first rows that the newest releases changed, in the order of `changes.releases`. */
  readonly changedRows: readonly (readonly ChangedRow[])[];
  /** The contract as its parsed document. */
  readonly contract: unknown;
  readonly explored: ExploredDataset;
}

export interface DimensionDocuments {
  /** `domain/_dimensions/name` */
  readonly key: string;
  readonly domain: string;
  readonly schema: DimensionSchemaDocument;
  readonly manifest: DimensionManifest;
}

/** Reads them, and chooses the interface's language by what the service says of its own. */
export async function readDocuments(source: DocumentSource): Promise<Documents> {
  const read = async <Document>(path: string): Promise<Document> => {
    const text = await source.readText(path);
    if (text === null) throw new Error(`${path} is not in the tree.`);
    return JSON.parse(text) as Document;
  };
  const manifest = await read<TreeManifest>(ROOT.manifest);
  const service = await read<ServiceDocument>(ROOT.service);
  speakLanguage(service.language);
  const dimensions = await Promise.all(
    manifest.dimensions.map(async ({ key, path }): Promise<DimensionDocuments> => {
      const [domain = '', , name = ''] = key.split('/');
      return {
        key,
        domain,
        schema: await read<DimensionSchemaDocument>(dimensionSchemaPath(domain, name)),
        manifest: await read<DimensionManifest>(path),
      };
    }),
  );
  const readDataset = async (key: string, path: string): Promise<DatasetDocuments> => {
    const [domain = '', topic = ''] = key.split('/');
    const schema = await read<SchemaDocument>(schemaPath(domain, topic));
    const manifest = await read<DatasetManifest>(path);
    const readAll = async (): Promise<OpenDataset> => {
      const documents = {
        schema,
        manifest,
        values: await read<ValuesDocument>(valuesPath(domain, topic)),
        contract: await read<unknown>(contractPath(domain, topic, 'json')),
        dimensions: dimensions.filter(one => one.domain === domain).map(one => one.schema),
      };
      const quality = await read<QualityDocument>(qualityPath(domain, topic));
      const wrong = await source.readText(errataPath(domain, topic));
      const errata = wrong === null ? [] : (JSON.parse(wrong) as ErrataDocument).errata;
      const folder = datasetFolder(domain, topic);
      const told = await source.readText(changesPath(folder));
      const changes = told === null ? null : (JSON.parse(told) as ChangesDocument);
      const changedRows = changes === null ? [] : await source.readChanged(key, changes);
      const explored = deriveDataset(documents);
      const questions: Question[] = [];
      for (const one of schema.questions ?? [])
        if (await isAnswered(source, explored, one.view)) questions.push(one);
      const answered = { ...schema, ...(schema.questions && { questions }) };
      return { key, ...documents, schema: answered, changes, changedRows, quality, errata, explored };
    };
    let opened: Promise<OpenDataset> | undefined;
    return {
      key,
      schema,
      manifest,
      open: () => {
        opened ??= readAll();
        return opened;
      },
    };
  };
  const list = await read<DatasetsDocument>(ROOT.datasets);
  return {
    source,
    manifest,
    service,
    health: await read(ROOT.health),
    openapi: await read(ROOT.openapi),
    list,
    withdrawn: list.withdrawn ?? [],
    datasets: await Promise.all(manifest.datasets.map(({ key, path }) => readDataset(key, path))),
    dimensions,
  };
}
