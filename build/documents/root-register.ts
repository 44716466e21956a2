/** The register of the documents at a tree's root, and of those that describe each dataset to other tools. */
import { croissantDocument } from '../catalog/croissant.ts';
import { dataCatalog } from '../catalog/data-catalog.ts';
import { dataPackage } from '../catalog/data-package.ts';
import { dataCiteDocument } from '../catalog/datacite.ts';
import { jsonLdDocument } from '../catalog/json-ld.ts';
import { linksetDocument } from '../catalog/linkset.ts';
import { mirrorScript } from '../catalog/mirror-script.ts';
import type { ApiDocument } from '../catalog/openapi-document.ts';
import { roCrateDocument } from '../catalog/ro-crate.ts';
import { citationText, llmsText, robotsText, sitemapXml } from '../catalog/signposts.ts';
import type { DescribedDataset, TreeDescription } from '../catalog/tree-description.ts';
import { DatasetsDocument, HealthDocument, ServiceDocument } from '../format/document-schemas.ts';
import { API_ROOT, croissantPath, jsonLdPath, linksetPath, ROOT } from '../format/paths.ts';
import type { SessionSource } from '../lake/database.ts';
import { type DescriptionInput, duckDbText, openApiText } from './description-documents.ts';
import { API_DOCUMENTS } from './table-register.ts';

/** A tree whose datasets are written. */
export interface MadeTree {
  readonly input: DescriptionInput & { readonly session: SessionSource };
  readonly description: TreeDescription;
  readonly service: ServiceDocument;
  readonly health: HealthDocument;
  readonly datasets: DatasetsDocument;
}

export interface RootDocument {
  readonly path: string;
  /** How openapi.json describes it; absent if it is no part of the API. */
  readonly api?: Omit<ApiDocument, 'scope'>;
  /** An object is written as JSON. Null if the tree has no such document. */
  readonly render: (made: MadeTree) => string | object | null | Promise<string>;
}

/** In the order of the manifest. Feeds, which need the release before, and the manifest itself follow. */
export const ROOT_DOCUMENTS: readonly RootDocument[] = [
  {
    path: ROOT.service,
    api: {
      name: 'Service',
      schema: ServiceDocument,
      route: () => '/',
      operation: 'getService',
      summary: 'What this service is',
    },
    render: ({ service }) => service,
  },
  {
    path: ROOT.health,
    api: {
      name: 'Health',
      schema: HealthDocument,
      route: () => '/healthz',
      operation: 'getHealth',
      summary: 'Release, counts and results of quality rules',
    },
    render: ({ health }) => health,
  },
  {
    path: ROOT.datasets,
    api: {
      name: 'Datasets',
      schema: DatasetsDocument,
      route: () => `/${API_ROOT}/datasets`,
      operation: 'listDatasets',
      summary: 'A summary of every dataset',
    },
    render: ({ datasets }) => datasets,
  },
  {
    path: ROOT.openapi,
    render: ({ input, description }) => openApiText(input, description, apiDocuments()),
  },
  { path: ROOT.duckdb, render: ({ input, description: { release } }) => duckDbText(input, release) },
  { path: ROOT.catalog, render: ({ description }) => dataCatalog(description) },
  { path: ROOT.dataPackage, render: ({ description }) => dataPackage(description) },
  { path: ROOT.citation, render: ({ description }) => citationText(description) },
  { path: ROOT.dataCite, render: ({ description }) => dataCiteDocument(description) as object },
  { path: ROOT.roCrate, render: ({ description }) => roCrateDocument(description) as object },
  { path: ROOT.llms, render: ({ description }) => llmsText(description) },
  { path: ROOT.robots, render: ({ description }) => robotsText(description) },
  { path: ROOT.mirror, render: ({ description }) => mirrorScript(description.baseUrl) },
  { path: ROOT.sitemap, render: ({ description }) => sitemapXml(description) },
];

interface ToolDocument {
  readonly path: (domain: string, topic: string) => string;
  readonly render: (tree: TreeDescription, dataset: DescribedDataset) => object;
}

/** Of each dataset, for other tools; they speak of the whole tree, so its manifest lists them. */
export const TOOL_DOCUMENTS: readonly ToolDocument[] = [
  { path: jsonLdPath, render: (tree, dataset) => jsonLdDocument(tree, dataset) as object },
  { path: croissantPath, render: (tree, dataset) => croissantDocument(tree, dataset) as object },
  { path: linksetPath, render: (tree, dataset) => linksetDocument(tree, dataset) as object },
];

/** What the API answers besides rows, dimensions and contracts. */
function apiDocuments(): readonly ApiDocument[] {
  const own = ROOT_DOCUMENTS.flatMap(({ api }) =>
    api === undefined ? [] : [{ ...api, scope: 'once' as const }],
  );
  return [...own, ...API_DOCUMENTS];
}
