/**
 * index.json, healthz.json and the list of datasets, and the formulas of releases (section 4 of FORMAT.md).
 * Pure.
 */
import type { Publisher } from '../contract/dataset.ts';
import {
  API_VERSION,
  type DatasetSummary,
  type DatasetsDocument,
  FORMAT,
  type HealthDocument,
  type ServiceDocument,
  type TreeStamp,
} from '../format/documents.ts';
import type { ManifestEntry } from '../format/manifest.ts';
import { API_ROOT, ROOT, route } from '../format/paths.ts';
import { digestText } from '../slice/file-digest.ts';
import { addCounts, type DatasetRecord } from '../tree/published-records.ts';
import type { DescribedTree } from './tree-description.ts';

export function treeStamp({
  release,
  sample,
  extract,
}: Pick<DescribedTree, 'release' | 'sample' | 'extract'>): TreeStamp {
  return { format: FORMAT, release, ...(sample && { sample }), ...(extract && { extract }) };
}

export function serviceDocument(tree: DescribedTree): ServiceDocument {
  return { ...treeStamp(tree), ...serviceWords(tree.publisher) };
}

function serviceWords(publisher: Publisher): Omit<ServiceDocument, keyof TreeStamp> {
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

export function healthDocument(tree: DescribedTree): HealthDocument {
  const { date, datasets, dimensionRules } = tree;
  return {
    ...treeStamp(tree),
    status: 'ok',
    date,
    datasets: datasets.length,
    dimensions: tree.ownDimensions.length,
    rows: datasets.reduce((sum, { entry }) => sum + entry.rows, 0),
    rules: datasets.map(({ rules }) => rules).reduce(addCounts, dimensionRules),
  };
}

export function datasetsDocument(tree: DescribedTree): DatasetsDocument {
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
    datasets: datasets.map(summaryOf),
    ...(gone.length > 0 && { withdrawn: gone }),
  };
}

function summaryOf({ schema, entry }: DatasetRecord): DatasetSummary {
  const { coverage_note, next_update, time, main_topic, topic } = schema;
  return {
    main_topic,
    sub_topic: schema.sub_topic,
    topic,
    key: schema.key,
    version: schema.version,
    year_min: schema.year_min,
    year_max: schema.year_max,
    year_gaps: schema.year_gaps,
    available_years: schema.available_years,
    update_frequency: schema.update_frequency,
    ...(next_update !== undefined && { next_update }),
    detail_levels: schema.detail_levels,
    default_detail: schema.default_detail,
    ...(coverage_note !== undefined && { coverage_note }),
    ...(time !== undefined && time.unit !== 'year' && { time_unit: time.unit }),
    title: schema.title,
    summary: schema.summary,
    key_metric: schema.key_metric,
    schema_hash: schema.schema_hash,
    rows: entry.rows,
    endpoint: schema.endpoint,
    schema_endpoint: route.schema(main_topic, topic),
  };
}

type NamedRelease = Pick<ManifestEntry, 'key' | 'release'>;

function lines(releases: readonly NamedRelease[]): string {
  return releases.map(({ key, release }) => `${key} ${release}\n`).join('');
}

/** 12 digits over the contract's bytes, the slices (`year/level`) and the joined dimensions. */
export function datasetRelease(
  contractText: string,
  slices: readonly NamedRelease[],
  dimensions: readonly NamedRelease[],
): string {
  return digestText(`${digestText(contractText)}\n${lines(slices)}${lines(dimensions)}`).slice(0, 12);
}

/** 12 digits over a level's slices (`year/level`). */
export function levelRelease(slices: readonly NamedRelease[]): string {
  return digestText(lines(slices)).slice(0, 12);
}

/** `2026-11-21-3f9a2b7c`: the date, and 8 digits over all datasets, all dimensions and the publisher's texts. */
export function treeRelease(publisher: Publisher, date: string, entries: readonly NamedRelease[]): string {
  const sorted = [...entries].sort((a, b) => (a.key < b.key ? -1 : 1));
  const service = digestText(JSON.stringify(serviceWords(publisher)));
  return `${date}-${digestText(`${lines(sorted)}${service}\n`).slice(0, 8)}`;
}
