/** A tree and its datasets, with the facts that documents for other tools share. Pure. */

import type { Publisher } from '../contract/dataset.ts';
import type { RuleCounts, SchemaDocument, TreeExtract } from '../format/documents.ts';
import { SAMPLE_NOTICE, treeNotice } from '../format/envelope.ts';
import { copiesByPlace, type DatasetManifest, type RowColumn } from '../format/manifest.ts';
import { mediaType } from '../format/media-type.ts';
import { datasetFolder, pageFolderOf, relativeLink, route, schemaFolder } from '../format/paths.ts';
import { oneLine } from '../format/shown-text.ts';
import { spellYears, yearPeriods } from '../format/time-text.ts';
import type { DatasetRecord, DimensionRecord, WithdrawnRecord } from '../tree/published-records.ts';

export interface TreeDescription {
  readonly publisher: Publisher;
  /** Date of the release, YYYY-MM-DD. */
  readonly date: string;
  readonly release: string;
  readonly sample: boolean;
  /** The datasets of the service that the tree has; null if it has all. */
  readonly extract: TreeExtract | null;
  /** The tree's address with a final slash; null if unknown. */
  readonly baseUrl: string | null;
  /** Whether the tree has pages for people. */
  readonly pages: boolean;
  /** Sorted by key. */
  readonly datasets: readonly DatasetRecord[];
  /** Under each of their domains, sorted by key. */
  readonly dimensions: readonly DimensionRecord[];
  readonly withdrawn: readonly WithdrawnRecord[];
  readonly dimensionRules: RuleCounts;
}

export type DescribedTree = ReturnType<typeof describeTree>;

export type DescribedDataset = DescribedTree['datasets'][number];

export type LevelFiles = DescribedDataset['levels'][number];

/** Adds what several documents say. A fact is undefined if the publisher doesn't state it. */
export function describeTree(tree: TreeDescription) {
  const { publisher, sample, extract, release, datasets, dimensions } = tree;
  const { license, licenseUrl, releases } = publisher;
  const spdx = license !== null && SPDX.has(license) ? license : undefined;
  const licenseAddress = isAddress(licenseUrl)
    ? licenseUrl
    : spdx && `https://spdx.org/licenses/${spdx}.html`;
  return {
    ...tree,
    text: [treeNotice(sample, extract), oneLine(publisher.description)].filter(one => one !== null).join(' '),
    publisherName: publisherName(publisher),
    email: emailOf(publisher),
    spdx,
    licenseAddress,
    terms: licenseAddress ?? license ?? undefined,
    /** The permanent address of this release, if a host keeps releases. */
    releaseAddress: isAddress(releases) ? `${releases.replace(/\/*$/, '/')}${release}/` : undefined,
    keywords: sortedWords(datasets.flatMap(({ schema }) => schema.tags)),
    creators: sortedWords(datasets.flatMap(({ schema }) => creatorOf(schema) ?? [])),
    /** Each dimension once. It has the same rows under each of its domains. */
    ownDimensions: dimensions.filter(
      ({ domain, schema }) => schema.endpoint === route.dimension(domain, schema.name),
    ),
    datasets: datasets.map(dataset => describeDataset(tree, dataset)),
  };
}

/** A fact is undefined if the contract doesn't state it. Paths are relative to the tree's root. */
function describeDataset({ sample, pages }: TreeDescription, dataset: DatasetRecord) {
  const { schema, manifest, entry } = dataset;
  const { main_topic: domain, topic, title, tags, available_years: years, coverage_note: note = '' } = schema;
  const texts = [schema.summary || (note && title), note, schema.description, schema.granularity_description];
  const words = [...new Set(texts.map(oneLine))].filter(Boolean);
  const levels = levelsOf(manifest);
  const pathOf = (file: { readonly path: string }) => `${datasetFolder(domain, topic)}/${file.path}`;
  return {
    ...dataset,
    domain,
    topic,
    title,
    key: `${domain}/${topic}`,
    version: manifest.version,
    /** Summary, coverage, description and granularity, without repetition. */
    text: [...(sample ? [SAMPLE_NOTICE] : []), ...(words.length === 0 ? [title] : words)].join(' '),
    /** The day of its last change, YYYY-MM-DD. */
    modified: entry.modified.slice(0, 10),
    /** The contract's creator, otherwise its source. */
    creator: creatorOf(schema),
    tags: tags.length === 0 ? undefined : tags,
    source: isAddress(schema.source_url) ? schema.source_url : undefined,
    /** Its page for people, or its folder if the tree has no pages. */
    page: pages ? pageFolderOf(`${domain}/${topic}`) : `${schemaFolder(domain, topic)}/`,
    /** `years 2015 to 2019, 2023`, `year 2027` or `no years` */
    years: years.length === 0 ? 'no years' : `${years.length === 1 ? 'year' : 'years'} ${spellYears(years)}`,
    /** In ISO 8601. */
    periods: yearPeriods(years),
    levels,
    /** For each level, the file with all years and the CSV of the latest year. */
    downloads: levels.flatMap(({ detail, slices, whole }) => {
      const last = slices.at(-1);
      const named = [
        [`${detail}: all years`, whole],
        [`${detail}: ${last?.year}`, last?.files.csv[0]],
      ] as const;
      return named.flatMap(([title, file]) =>
        file ? [{ title, file, path: pathOf(file), type: mediaType(file.path) }] : [],
      );
    }),
    columns: describedColumns(manifest, schema),
    pathOf,
  };
}

function levelsOf(manifest: DatasetManifest) {
  const { slices } = manifest;
  return [...new Set(slices.map(slice => slice.detail))].sort().map(detail => {
    const own = slices.filter(slice => slice.detail === detail);
    const only = own.length === 1 ? own[0]?.files.parquet[0] : undefined;
    return {
      detail,
      /** By year, ascending. */
      slices: own,
      rows: own.reduce((sum, slice) => sum + slice.rows, 0),
      /** All rows of the level in one file: its copy by place, or its only slice. */
      whole: copiesByPlace(manifest).find(entry => entry.detail === detail)?.file ?? only ?? null,
    };
  });
}

function creatorOf({ creator, source }: SchemaDocument): string | undefined {
  return oneLine(creator ?? source ?? '') || undefined;
}

interface Described {
  readonly name: string;
  readonly description: string;
}

export type DescribedColumn<Column extends Described> = ReturnType<typeof describedColumns<Column>>[number];

export function describedColumns<Column extends Described>(
  { columns }: { readonly columns: readonly RowColumn[] },
  schema: { readonly columns: readonly Column[] },
) {
  const described = new Map(schema.columns.map(one => [one.name, one]));
  return columns.map(column => {
    /** Undefined if a join adds the column. */
    const known = described.get(column.name);
    const words = known === undefined ? `From ${column.from ?? ''}.` : oneLine(known.description);
    return { column, known, words: words || undefined };
  });
}

export function describeNext(date: string): string {
  return `Next update expected by ${date}.`;
}

type Addressed = Pick<TreeDescription, 'baseUrl'>;

/** Absolute if the tree's address is known, otherwise relative to `from`. */
export function addressOf({ baseUrl }: Addressed, from: string, to: string): string {
  return baseUrl === null ? relativeLink(from, to) || './' : new URL(to, baseUrl).href;
}

/** Undefined if the tree's address is unknown. */
export function absolute({ baseUrl }: Addressed, path: string): string | undefined {
  return baseUrl === null ? undefined : new URL(path, baseUrl).href;
}

/** Sorted and without repetition; undefined if empty. */
export function sortedWords(words: readonly string[]): readonly string[] | undefined {
  return words.length === 0 ? undefined : [...new Set(words)].sort();
}

export function publisherName(publisher: Publisher): string {
  return publisher.attribution ?? publisher.service;
}

/** A folder's name may have 255 bytes, and the release's name follows the slug. */
const LONGEST_SLUG = 100;

/** Lower-case letters without marks, digits and hyphens. */
export function serviceSlug({ service }: Pick<Publisher, 'service'>): string {
  const slug = service
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, LONGEST_SLUG)
    .replace(/-$/, '');
  return slug || 'data';
}

export function emailOf({ contact }: Pick<Publisher, 'contact'>): string | undefined {
  const address = contact?.replace(/^mailto:/, '').trim() ?? '';
  return /^[\w.!$&'*+=~-]+@[\w-]+(\.[\w-]+)+$/.test(address) ? address : undefined;
}

/** For one line of Markdown. Contract text is untrusted: it must not create links, headings or HTML. */
export function inMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>#|]/g, '\\$&');
}

export function textOf(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}

/** SPDX identifiers of data licences. */
const SPDX = new Set(
  'CC0-1.0 CC-BY-3.0 CC-BY-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0 CC-BY-NC-4.0 CC-BY-ND-4.0 ODC-By-1.0 ODbL-1.0 PDDL-1.0 CDLA-Permissive-1.0 CDLA-Permissive-2.0 CDLA-Sharing-1.0 OGL-UK-2.0 OGL-UK-3.0 OGL-Canada-2.0 etalab-2.0 NLOD-1.0 NLOD-2.0'.split(
    ' ',
  ),
);

export function isAddress(text: string | null | undefined): text is string {
  return /^https?:\/\/[^\s<>"{}|\\^`]+$/.test(text ?? '');
}
