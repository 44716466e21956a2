/** A tree as documents for other tools describe it, with the texts and addresses that these documents share. Pure. */
import type { Publisher } from '../contract/dataset.ts';
import type { DatasetSummary, Erratum, RuleCounts, TreeExtract } from '../format/documents.ts';
import { extractNotice, SAMPLE_NOTICE } from '../format/envelope.ts';
import {
  copiesByPlace,
  type DatasetManifest,
  type DimensionManifest,
  type ManifestEntry,
  type ParquetFile,
  type RowColumn,
  type RowsFile,
  type SliceEntry,
  type WithdrawnEntry,
} from '../format/manifest.ts';
import { contentType } from '../format/media-type.ts';
import { datasetFolder, pageFolder, relativeLink, route, schemaFolder } from '../format/paths.ts';
import type { DimensionSchemaDocument, SchemaDocument } from '../format/schema.ts';
import { spellYears, yearPeriods } from '../format/year-runs.ts';

/** A dataset as a tree publishes it. */
export interface DatasetRecord {
  readonly schema: SchemaDocument;
  readonly manifest: DatasetManifest;
  readonly summary: DatasetSummary;
  readonly entry: ManifestEntry;
  readonly rules: RuleCounts;
  /** Newest first. */
  readonly errata: readonly Erratum[];
}

/** A dimension under one of its domains. */
export interface DimensionRecord {
  readonly domain: string;
  readonly schema: DimensionSchemaDocument;
  readonly entry: ManifestEntry;
  readonly manifest: DimensionManifest;
}

/** A withdrawn dataset, or a withdrawn dimension under one domain. */
export interface WithdrawnRecord {
  readonly title: string;
  readonly entry: WithdrawnEntry;
}

export interface TreeDescription {
  readonly publisher: Publisher;
  /** Date of the release, YYYY-MM-DD. */
  readonly date: string;
  readonly release: string;
  readonly sample: boolean;
  /** The datasets of the service that the tree holds; null if it holds all. */
  readonly extract: TreeExtract | null;
  /** The tree's address with a final slash; null if unknown. */
  readonly baseUrl: string | null;
  /** Whether the tree has pages for people. */
  readonly pages: boolean;
  /** Sorted by key. */
  readonly datasets: readonly DatasetRecord[];
  /** Under each of their domains, sorted by their keys in contracts and by domain. */
  readonly dimensions: readonly DimensionRecord[];
  readonly withdrawn: readonly WithdrawnRecord[];
  readonly dimensionRules: RuleCounts;
}

export interface LevelFiles {
  readonly detail: string;
  /** By year, ascending. */
  readonly slices: readonly SliceEntry[];
  readonly rows: number;
  /** All rows of the level in one file: its copy by place, or its one slice. */
  readonly whole: ParquetFile | null;
}

/** Lists a dataset's levels with the files of each. */
export function levelFiles(manifest: DatasetManifest): LevelFiles[] {
  const { slices } = manifest;
  return [...new Set(slices.map(slice => slice.detail))].sort().map(detail => {
    const own = slices.filter(slice => slice.detail === detail);
    const only = own.length === 1 ? own[0]?.files.parquet[0] : undefined;
    return {
      detail,
      slices: own,
      rows: own.reduce((sum, slice) => sum + slice.rows, 0),
      whole: copiesByPlace(manifest).find(entry => entry.detail === detail)?.file ?? only ?? null,
    };
  });
}

/** A file of rows for readers of one dataset. */
export interface Download {
  /** `counties: all years` */
  readonly title: string;
  /** Media type. */
  readonly type: string;
  /** Relative to the tree's root. */
  readonly path: string;
  readonly file: RowsFile;
}

/** Each level's Parquet file with all years, and the CSV of its latest year. */
export function downloads(dataset: DatasetRecord): Download[] {
  return levelFiles(dataset.manifest).flatMap(({ detail, slices, whole }) => {
    const last = slices.at(-1);
    const named = [
      [`${detail}: all years`, whole],
      [`${detail}: ${last?.year}`, last?.files.csv[0]],
    ] as const;
    return named.flatMap(([title, file]) =>
      file
        ? [{ title, file, path: datasetFile(dataset, file), type: contentType(file.path).split(';')[0]! }]
        : [],
    );
  });
}

/** A column of published rows. */
export interface DescribedColumn<Described> {
  readonly column: RowColumn;
  /** What the schema document says of it; undefined if a join adds it. */
  readonly known: Described | undefined;
  readonly words: string | undefined;
}

export function describedColumns<Described extends { readonly name: string; readonly description: string }>(
  { columns }: { readonly columns: readonly RowColumn[] },
  schema: { readonly columns: readonly Described[] },
): DescribedColumn<Described>[] {
  const described = new Map(schema.columns.map(one => [one.name, one]));
  return columns.map(column => {
    const known = described.get(column.name);
    const words = known === undefined ? `From ${column.from ?? ''}.` : oneLine(known.description);
    return { column, known, words: words || undefined };
  });
}

/** The path of a dataset's file, relative to the tree's root. */
export function datasetFile({ schema }: DatasetRecord, file: { readonly path: string }): string {
  return `${datasetFolder(schema.main_topic, schema.topic)}/${file.path}`;
}

/** The link from the document at `from` to `to`: absolute if the tree's address is known, otherwise relative. */
export function addressOf({ baseUrl }: TreeDescription, from: string, to: string): string {
  return baseUrl === null ? relativeLink(from, to) || './' : new URL(to, baseUrl).href;
}

/** The address of a file; undefined if the tree's is unknown. */
export function absolute({ baseUrl }: TreeDescription, path: string): string | undefined {
  return baseUrl === null ? undefined : new URL(path, baseUrl).href;
}

/** A list without repetitions, sorted; undefined if it is empty. */
export function sortedWords(words: readonly string[]): readonly string[] | undefined {
  return words.length === 0 ? undefined : [...new Set(words)].sort();
}

/** Day of its last change, YYYY-MM-DD. */
export function modifiedOn({ entry }: DatasetRecord): string {
  return entry.modified.slice(0, 10);
}

export function datasetKey({ schema }: DatasetRecord): string {
  return `${schema.main_topic}/${schema.topic}`;
}

/** A dataset's page for people, or its folder in a tree without pages, relative to the tree's root. */
export function datasetPage({ pages }: TreeDescription, { schema }: DatasetRecord): string {
  const { main_topic, topic } = schema;
  return pages ? pageFolder(main_topic, topic) : `${schemaFolder(main_topic, topic)}/`;
}

/** `years 2015 to 2019, 2023`, or `year 2027` */
export function datasetYears({ schema }: DatasetRecord): string {
  const { available_years: years } = schema;
  return `${years.length === 1 ? 'year' : 'years'} ${spellYears(years)}`;
}

/** temporalCoverage of schema.org: one period, or a list if years between them are missing. */
export function temporalCoverage({ schema }: DatasetRecord): string | readonly string[] {
  const periods = yearPeriods(schema.available_years);
  return periods.length === 1 ? (periods[0] ?? '') : periods;
}

/** Joins summary, coverage, description and granularity without repetition. A sample's notice comes first. */
export function datasetText({ sample }: TreeDescription, { schema }: DatasetRecord): string {
  const { title, summary, coverage_note: note = '', description, granularity_description } = schema;
  const texts = [summary || (note && title), note, description, granularity_description];
  const words = [...new Set(texts.map(oneLine))].filter(Boolean);
  return [...(sample ? [SAMPLE_NOTICE] : []), ...(words.length === 0 ? [title] : words)].join(' ');
}

export function serviceText({ publisher, sample, extract }: TreeDescription): string {
  const notices = [...(sample ? [SAMPLE_NOTICE] : []), ...(extract === null ? [] : [extractNotice(extract)])];
  return [...notices, oneLine(publisher.description)].join(' ');
}

/** The creator that a dataset's contract names, otherwise its source; undefined if it names neither. */
export function statedCreator({ schema }: DatasetRecord): string | undefined {
  return oneLine(schema.creator ?? schema.source ?? '') || undefined;
}

/** What a dataset's contract is tagged with; undefined if it has no tag. */
export function tagsOf({ schema }: DatasetRecord): readonly string[] | undefined {
  return schema.tags.length === 0 ? undefined : schema.tags;
}

/** The creators that the contracts name; undefined if they name none. */
export function statedCreators({ datasets }: TreeDescription): readonly string[] | undefined {
  return sortedWords(datasets.flatMap(dataset => statedCreator(dataset) ?? []));
}

/** The address of a dataset's source. */
export function sourceAddress({ schema }: DatasetRecord): string | undefined {
  return isAddress(schema.source_url) ? schema.source_url : undefined;
}

/** The name of the publisher. */
export function publisherName(publisher: Publisher): string {
  return publisher.attribution ?? publisher.service;
}

/** A folder's name may have at most 255 bytes, and a release's name follows the slug. */
const LONGEST_SLUG = 100;

/** A service's name as a file name: at most 100 lower-case letters without marks, digits and hyphens. */
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

/** Puts a text on one line. Spaces replace control characters, which some formats cannot contain. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** On one line of Markdown. Contract text is untrusted: it must not create links, headings or HTML. */
export function inMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>#|]/g, '\\$&');
}

/** A text of these lines, each with its end. */
export function textOf(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}

/** SPDX identifiers of data licences. */
const SPDX = new Set(
  'CC0-1.0 CC-BY-3.0 CC-BY-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0 CC-BY-NC-4.0 CC-BY-ND-4.0 ODC-By-1.0 ODbL-1.0 PDDL-1.0 CDLA-Permissive-1.0 CDLA-Permissive-2.0 CDLA-Sharing-1.0 OGL-UK-2.0 OGL-UK-3.0 OGL-Canada-2.0 etalab-2.0 NLOD-1.0 NLOD-2.0'.split(
    ' ',
  ),
);

export function spdxLicense({ license }: Publisher): string | undefined {
  return license !== null && SPDX.has(license) ? license : undefined;
}

/** The address of the licence; undefined if the publisher states neither an address nor an SPDX identifier. */
export function licenseAddress(publisher: Publisher): string | undefined {
  if (isAddress(publisher.licenseUrl)) return publisher.licenseUrl;
  const known = spdxLicense(publisher);
  return known && `https://spdx.org/licenses/${known}.html`;
}

/** The permanent address of this release; undefined if no host keeps releases. */
export function releaseAddress({ publisher, release }: TreeDescription): string | undefined {
  const { releases } = publisher;
  return isAddress(releases) ? `${releases.replace(/\/*$/, '/')}${release}/` : undefined;
}

export function isAddress(text: string | null | undefined): text is string {
  return /^https?:\/\/[^\s<>"{}|\\^`]+$/.test(text ?? '');
}

/** Each dimension once, although it has the same rows under each of its domains. */
export function homeDimensions({ dimensions }: TreeDescription): DimensionRecord[] {
  return dimensions.filter(({ domain, schema }) => schema.endpoint === route.dimension(domain, schema.name));
}

/** The dimension's key in contracts: its name, or that after the domain that owns it. */
export function dimensionKey({ endpoint, scope, name }: DimensionSchemaDocument): string {
  return scope === 'global' ? name : `${endpoint.split('/')[3] ?? ''}/${name}`;
}
