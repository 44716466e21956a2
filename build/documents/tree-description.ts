/** A tree, and what documents for other tools say of it: each standard has names of its own for the same facts. Pure. */

import type { Publisher } from '../contract/dataset.ts';
import type { RuleCounts, TreeExtract } from '../format/documents.ts';
import { SAMPLE_NOTICE, treeNotice } from '../format/envelope.ts';
import {
  copiesByPlace,
  type DatasetManifest,
  type ParquetFile,
  type RowColumn,
  type SliceEntry,
} from '../format/manifest.ts';
import { contentType } from '../format/media-type.ts';
import { datasetFolder, pageFolder, relativeLink, route, schemaFolder } from '../format/paths.ts';
import type { SchemaDocument } from '../format/schema.ts';
import { oneLine } from '../format/shown-text.ts';
import { spellYears, yearPeriods } from '../format/year-runs.ts';
import type { DatasetRecord, DimensionRecord, WithdrawnRecord } from '../tree/published-records.ts';

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

/** What is said of a tree. Undefined: the publisher does not state it. */
export function treeFacts({ publisher, sample, extract, release, datasets, dimensions }: TreeDescription) {
  const { license, licenseUrl, releases } = publisher;
  const spdx = license !== null && SPDX.has(license) ? license : undefined;
  return {
    text: [treeNotice(sample, extract), oneLine(publisher.description)].filter(one => one !== null).join(' '),
    publisher: publisherName(publisher),
    email: emailOf(publisher),
    /** The SPDX identifier of the licence. */
    spdx,
    /** The address of the licence. */
    license: isAddress(licenseUrl) ? licenseUrl : spdx && `https://spdx.org/licenses/${spdx}.html`,
    /** The permanent address of this release, if a host keeps releases. */
    release: isAddress(releases) ? `${releases.replace(/\/*$/, '/')}${release}/` : undefined,
    keywords: sortedWords(datasets.flatMap(({ schema }) => schema.tags)),
    /** The offices that produced the figures. */
    creators: sortedWords(datasets.flatMap(({ schema }) => creatorOf(schema) ?? [])),
    /** Each dimension once, although it has the same rows under each of its domains. */
    dimensions: dimensions.filter(
      ({ domain, schema }) => schema.endpoint === route.dimension(domain, schema.name),
    ),
  };
}

/** What is said of a dataset. Undefined: its contract does not state it. Paths are relative to the tree's root. */
export function datasetFacts({ sample, pages }: TreeDescription, { schema, manifest, entry }: DatasetRecord) {
  const { main_topic: domain, topic, title, tags, available_years: years, coverage_note: note = '' } = schema;
  const texts = [schema.summary || (note && title), note, schema.description, schema.granularity_description];
  const words = [...new Set(texts.map(oneLine))].filter(Boolean);
  const levels = levelsOf(manifest);
  const pathOf = (file: { readonly path: string }) => `${datasetFolder(domain, topic)}/${file.path}`;
  return {
    domain,
    topic,
    title,
    key: `${domain}/${topic}`,
    version: manifest.version,
    /** Summary, coverage, description and granularity without repetition. */
    text: [...(sample ? [SAMPLE_NOTICE] : []), ...(words.length === 0 ? [title] : words)].join(' '),
    /** The day of its last change, YYYY-MM-DD. */
    modified: entry.modified.slice(0, 10),
    /** The creator that the contract names, otherwise its source. */
    creator: creatorOf(schema),
    tags: tags.length === 0 ? undefined : tags,
    /** The address of its source. */
    source: isAddress(schema.source_url) ? schema.source_url : undefined,
    /** Its page for people, or its folder in a tree without pages. */
    page: pages ? pageFolder(domain, topic) : `${schemaFolder(domain, topic)}/`,
    /** `years 2015 to 2019, 2023`, or `year 2027` */
    years: `${years.length === 1 ? 'year' : 'years'} ${spellYears(years)}`,
    /** In ISO 8601. */
    periods: yearPeriods(years),
    levels,
    /** Of each level the file with all years, and the CSV of its latest year. */
    downloads: levels.flatMap(({ detail, slices, whole }) => {
      const last = slices.at(-1);
      const named = [
        [`${detail}: all years`, whole],
        [`${detail}: ${last?.year}`, last?.files.csv[0]],
      ] as const;
      return named.flatMap(([title, file]) =>
        file ? [{ title, file, path: pathOf(file), type: contentType(file.path).split(';')[0]! }] : [],
      );
    }),
    columns: describedColumns(manifest, schema),
    /** The path of one of its files. */
    pathOf,
  };
}

export type DatasetFacts = ReturnType<typeof datasetFacts>;

/** A file of rows for readers of one dataset. */
export type Download = DatasetFacts['downloads'][number];

export interface LevelFiles {
  readonly detail: string;
  /** By year, ascending. */
  readonly slices: readonly SliceEntry[];
  readonly rows: number;
  /** All rows of the level in one file: its copy by place, or its one slice. */
  readonly whole: ParquetFile | null;
}

function levelsOf(manifest: DatasetManifest): LevelFiles[] {
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

function creatorOf({ creator, source }: SchemaDocument): string | undefined {
  return oneLine(creator ?? source ?? '') || undefined;
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

export function isAddress(text: string | null | undefined): text is string {
  return /^https?:\/\/[^\s<>"{}|\\^`]+$/.test(text ?? '');
}
