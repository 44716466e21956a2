/** The published documents that pages are rendered from, and each dataset's first view. */
import type { ChangesDocument } from '../../../build/format/changes.ts';
import type {
  DatasetsDocument,
  ErrataDocument,
  Erratum,
  QualityDocument,
  ServiceDocument,
  ValuesDocument,
  WithdrawnSummary,
  DimensionSchemaDocument,
  SchemaDocument,
} from '../../../build/format/documents.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../../../build/format/manifest.ts';
import {
  changesPath,
  datasetFolder,
  dimensionSchemaPath,
  errataPath,
  pageFolderOf,
  qualityPath,
  ROOT,
} from '../../../build/format/paths.ts';
import type { ChangedRow } from '../../query/past.ts';
import { speakLanguage } from '../messages/languages.ts';
import { deriveDataset, type ExploredDataset, readDataset } from '../view/dataset.ts';
import { type FirstView, isAnswered, type RowsSource, readFirstView } from './first-view.ts';

type Question = NonNullable<SchemaDocument['questions']>[number];

/** A staged tree to read documents from. */
export interface DocumentSource extends RowsSource {
  /** What an earlier build made from the same inputs, else what `make` returns. `of` names all inputs, as JSON. */
  keep<Value>(of: unknown, make: () => Promise<Value>): Promise<Value>;
  /** The first rows that each of the newest releases changed, by level, year and grain. */
  readChanged(key: string, changes: ChangesDocument): Promise<readonly (readonly ChangedRow[])[]>;
  /** The tree's future address, ending in a slash; null if unknown. */
  readonly baseUrl: string | null;
}

/** Something in the contracts or dimensions that the pages can't use. */
export interface PageFinding {
  readonly code: 'places-not-on-map' | 'question-without-answer';
  /** Key of the dataset or dimension. */
  readonly about: string;
  readonly message: string;
}

export interface Documents {
  readonly source: DocumentSource;
  readonly service: ServiceDocument;
  readonly openapi: unknown;
  readonly manifest: TreeManifest;
  /** Sorted by key. */
  readonly datasets: readonly DatasetDocuments[];
  /** Withdrawn datasets, sorted by key. */
  readonly withdrawn: readonly WithdrawnSummary[];
  readonly dimensions: readonly DimensionDocuments[];
}

export interface DatasetDocuments {
  /** `domain/topic` */
  readonly key: string;
  /** The page's folder from the tree's root. */
  readonly folder: string;
  /** Without the questions that its rows can't answer. */
  readonly schema: SchemaDocument;
  /** Those questions. */
  readonly unanswered: readonly string[];
  readonly manifest: DatasetManifest;
  readonly values: ValuesDocument;
  readonly quality: QualityDocument;
  /** Newest first; empty if no errors are known. */
  readonly errata: readonly Erratum[];
  /** Null if the tree has no such document. */
  readonly changes: ChangesDocument | null;
  /** The first rows that each of the newest releases changed, in the order of `changes.releases`. */
  readonly changedRows: readonly (readonly ChangedRow[])[];
  /** The contract as JSON. */
  readonly contract: unknown;
  readonly explored: ExploredDataset;
  readonly first: FirstView;
}

export interface DimensionDocuments {
  /** `domain/_dimensions/name` */
  readonly key: string;
  readonly domain: string;
  readonly schema: DimensionSchemaDocument;
  readonly manifest: DimensionManifest;
}

/** Also sets the interface's language to that of the service. */
export async function readDocuments(source: DocumentSource): Promise<Documents> {
  const readIfThere = async <Document>(path: string): Promise<Document | null> => {
    const text = await source.readText(path);
    return text === null ? null : (JSON.parse(text) as Document);
  };
  const read = async <Document>(path: string): Promise<Document> => {
    const document = await readIfThere<Document>(path);
    if (document === null) throw new Error(`${path} is not in the tree.`);
    return document;
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
  const describeDataset = async (key: string): Promise<DatasetDocuments> => {
    const [domain = '', topic = ''] = key.split('/');
    const documents = await readDataset(key, { read, readIfThere });
    const explored = deriveDataset(documents);
    const answered: Question[] = [];
    const unanswered: string[] = [];
    for (const one of documents.schema.questions ?? [])
      if (await isAnswered(source, explored, one.view)) answered.push(one);
      else unanswered.push(one.question);
    const errata = await readIfThere<ErrataDocument>(errataPath(domain, topic));
    const changes = await readIfThere<ChangesDocument>(changesPath(datasetFolder(domain, topic)));
    return {
      ...documents,
      key,
      folder: pageFolderOf(key),
      schema: { ...documents.schema, ...(documents.schema.questions && { questions: answered }) },
      unanswered,
      quality: await read<QualityDocument>(qualityPath(domain, topic)),
      errata: errata?.errata ?? [],
      changes,
      changedRows: changes === null ? [] : await source.readChanged(key, changes),
      explored,
      first: await readFirstView(source, explored),
    };
  };
  const { withdrawn = [] } = await read<DatasetsDocument>(ROOT.datasets);
  return {
    source,
    manifest,
    service,
    openapi: await read(ROOT.openapi),
    withdrawn,
    datasets: await Promise.all(manifest.datasets.map(({ key }) => describeDataset(key))),
    dimensions,
  };
}
