/** The tree in its own words: index.json, healthz.json and the list of datasets. Pure. */
import type { Publisher } from '../contract/dataset.ts';
import {
  API_VERSION,
  type DatasetsDocument,
  FORMAT,
  type HealthDocument,
  type ServiceDocument,
  type TreeStamp,
} from '../format/documents.ts';
import { API_ROOT, ROOT, route } from '../format/paths.ts';
import { addCounts } from './quality-document.ts';
import { homeDimensions, type TreeDescription } from './tree-description.ts';

/** What each document of the whole tree begins with. */
export function treeStamp({
  release,
  sample,
  extract,
}: Pick<TreeDescription, 'release' | 'sample' | 'extract'>): TreeStamp {
  return { format: FORMAT, release, ...(sample && { sample }), ...(extract && { extract }) };
}

export function serviceDocument(tree: TreeDescription): ServiceDocument {
  return { ...treeStamp(tree), ...serviceWords(tree.publisher) };
}

export function serviceWords(publisher: Publisher): Omit<ServiceDocument, keyof TreeStamp> {
  return {
    service: publisher.service,
    description: publisher.description,
    version: API_VERSION,
    api_root: `${API_ROOT}/`,
    license: publisher.license,
    license_url: publisher.licenseUrl,
    attribution: publisher.attribution,
    documentation: publisher.documentation,
    contact: publisher.contact,
    ...(publisher.language === null ? {} : { language: publisher.language }),
    ...(Object.keys(publisher.synonyms).length === 0 ? {} : { synonyms: publisher.synonyms }),
    datasets: ROOT.datasets,
    health: ROOT.health,
    manifest: ROOT.manifest,
    checksums: ROOT.checksums,
    urls: ROOT.urls,
    openapi: ROOT.openapi,
    duckdb: ROOT.duckdb,
  };
}

export function healthDocument(tree: TreeDescription): HealthDocument {
  const { date, datasets, dimensionRules } = tree;
  return {
    ...treeStamp(tree),
    status: 'ok',
    date,
    datasets: datasets.length,
    dimensions: homeDimensions(tree).length,
    rows: datasets.reduce((sum, { entry }) => sum + entry.rows, 0),
    rules: datasets.map(({ rules }) => rules).reduce(addCounts, dimensionRules),
  };
}

export function datasetsDocument(tree: TreeDescription): DatasetsDocument {
  const { datasets, withdrawn } = tree;
  const gone = withdrawn.flatMap(({ title, entry: { key, withdrawn: date, reason, replacement } }) => {
    const [domain = '', topic = '', dimension] = key.split('/');
    const schema_endpoint = route.schema(domain, topic);
    return dimension === undefined
      ? [{ key, title, withdrawn: date, reason, replacement, schema_endpoint }]
      : [];
  });
  return {
    ...treeStamp(tree),
    count: datasets.length,
    datasets: datasets.map(({ summary }) => summary),
    ...(gone.length > 0 && { withdrawn: gone }),
  };
}
