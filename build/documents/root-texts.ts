/**
 * Texts at the root for programs and people: llms.txt, robots.txt, sitemap.xml, CITATION.cff, duckdb.sql.
 * Pure.
 */

import { xmlText } from '../format/atom.ts';
import { type DatasetContext, TEXT_FORMATS } from '../format/documents.ts';
import { treeNotice } from '../format/envelope.ts';
import {
  datasetFolder,
  dimensionFolder,
  NO_YEAR,
  PAGES,
  ROOT,
  schemaFolder,
  schemaPath,
} from '../format/paths.ts';
import { oneLine } from '../format/shown-text.ts';
import { literal } from '../lake/sql.ts';
import type { DimensionRecord } from '../tree/published-records.ts';
import {
  absolute,
  addressOf,
  type DescribedDataset,
  type DescribedTree,
  inMarkdown,
  isAddress,
  sortedWords,
  textOf,
} from './tree-description.ts';

/**
 * For language models: a line for every dataset, with a link to its schema document, and its context. `files`: paths and contents of
 * the root's documents; `ofEach`: documents of each dataset.
 */
export function llmsText(
  tree: DescribedTree,
  files: readonly (readonly [path: string, content: string])[],
  ofEach: readonly string[],
): string {
  const { publisher, datasets } = tree;
  const link = (name: string, path: string) => `[${inMarkdown(name)}](${addressOf(tree, ROOT.llms, path)})`;
  const whole = datasets.every(({ manifest: { slices } }) =>
    slices.every(({ files }) => TEXT_FORMATS.every(format => files[format].length > 0)),
  );
  const rights = [
    publisher.license === null ? '' : `Licence: ${publisher.license}.`,
    publisher.attribution === null ? '' : `Attribution: ${publisher.attribution}.`,
  ].filter(Boolean);
  return textOf([
    `# ${inMarkdown(publisher.service)}`,
    '',
    `> ${inMarkdown(tree.text)}`,
    '',
    `Rows of one year and level are at /api/v1/{domain}/{topic}/year={year}/{detail}${TEXT_FORMATS.map(format => `.${format}`).join(', ')} and .parquet${whole ? '' : " (some only as .parquet: the dataset's manifest.json lists the stored files)"}. A server also answers /api/v1/{domain}/{topic}?year=&detail=&format= with filters, which the schema documents below list; format=md is a table in Markdown, format=xlsx an Excel workbook. Codes are strings: keep their leading zeros. NULL means that there is no value, never zero; in a key it means that the row describes a larger place, which has no such code. Request one level with detail, and never add up rows of two levels.`,
    ...(rights.length === 0 ? [] : ['', inMarkdown(rights.join(' '))]),
    '',
    '## Datasets',
    '',
    ...datasets.flatMap(dataset => {
      const { summary, coverage_note: note = '', detail_levels: levels, context = {} } = dataset.schema;
      const { domain, topic, title, key, years } = dataset;
      const text = `${summary} ${note} Levels ${levels.join(', ')}; ${years}.`;
      return [
        `- ${link(title, schemaPath(domain, topic))}: ${key}. ${inMarkdown(text)}`,
        ...contextLines(context).map(line => `  - ${inMarkdown(line)}`),
      ];
    }),
    '',
    ...placeLines(tree, link),
    '## Documents',
    '',
    ...files.map(([path, content]) => `- ${link(path, path)}: ${content}`),
    ...ofEach.map(document => `- ${document}`),
  ]);
}

function contextLines({
  instructions,
  constraints = [],
  verified_statements = [],
}: DatasetContext): string[] {
  return [
    ...(instructions === undefined ? [] : [instructions]),
    ...constraints.map(text => `Constraint: ${text}`),
    ...verified_statements.map(({ question, answer }) =>
      answer === undefined ? `Question: ${question}` : `Question: ${question} Answer: ${answer}`,
    ),
  ];
}

/** Where the codes of places are, and how to ask for the rows of one; none if no dataset has places. */
function placeLines(
  { datasets, ownDimensions }: DescribedTree,
  link: (name: string, path: string) => string,
): string[] {
  const columns = new Set(datasets.flatMap(({ schema }) => placeFilter(schema)?.columns ?? []));
  const dimensions = ownDimensions.filter(({ schema }) => schema.primary_key.every(key => columns.has(key)));
  const [example] = datasets.flatMap(dataset => questionOfPlace(dataset) ?? []);
  if (example === undefined || dimensions.length === 0) return [];
  return [
    '## Places',
    '',
    `Find the code of a place by its name in a file below. On a server, \`place\` with that code then selects its rows: ${example}. A key of several columns is its codes, joined by colons. Elsewhere, take the file of the year and level, and select.`,
    '',
    ...dimensions.map(({ domain, schema, manifest }) => {
      const [file] = [...manifest.files.csv, ...manifest.files.parquet];
      const path = `${dimensionFolder(domain, schema.name)}/${file?.path}`;
      const key = schema.primary_key.map(name => `\`${name}\``).join(':');
      return `- ${link(schema.title, path)}: ${schema.rows} rows, key ${key}`;
    }),
    '',
  ];
}

function placeFilter({ filters }: DescribedDataset['schema']) {
  return filters.find(({ kind }) => kind === 'place');
}

/** The address of the latest rows of a place whose key is one code; null if there is none. */
function questionOfPlace({ schema, manifest }: DescribedDataset): string | null {
  const { param, columns = [] } = placeFilter(schema) ?? {};
  for (const { year, detail, files } of manifest.slices.toReversed()) {
    const least = files.parquet[0]?.row_groups[0]?.min ?? [];
    const codes = columns.flatMap(name => least[manifest.key_columns.indexOf(name)] ?? []);
    // The least codes of two columns may be of different places.
    if (codes.length !== 1 || !/^[\w-]+$/.test(String(codes[0]))) continue;
    const time = year === NO_YEAR ? '' : `year=${year}&`;
    return `${schema.endpoint}?${time}detail=${detail}&${param}=${codes[0]}`;
  }
  return null;
}

/** Allows everything, so that mirrors which obey it get the whole tree. */
export function robotsText(tree: DescribedTree): string {
  const sitemap = absolute(tree, ROOT.sitemap);
  return textOf(['User-agent: *', 'Disallow:', ...(sitemap ? ['', `Sitemap: ${sitemap}`] : [])]);
}

/** A sitemap needs absolute addresses, so the tree's must be known. */
export function sitemapXml(tree: DescribedTree): string {
  const { datasets, date, pages: people } = tree;
  const own = ['', ...(people ? [PAGES.places, PAGES.sql, PAGES.api].map(path => `${path}/`) : [])];
  const pages = [
    ...own.map(path => ({ path, modified: date })),
    ...datasets.flatMap(({ domain, topic, page, modified }) => {
      const folders = [page, `${schemaFolder(domain, topic)}/`, `${datasetFolder(domain, topic)}/`];
      return [...new Set(folders)].map(path => ({ path, modified }));
    }),
  ];
  return textOf([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pages.map(
      ({ path, modified }) =>
        `<url><loc>${xmlText(absolute(tree, path) ?? '')}</loc><lastmod>${modified}</lastmod></url>`,
    ),
    '</urlset>',
  ]);
}

/** Citation File Format 1.2.0. Texts are JSON strings, which are valid YAML. */
export function citationText(tree: DescribedTree): string {
  const { publisher, datasets, spdx } = tree;
  const url = isAddress(publisher.licenseUrl) ? publisher.licenseUrl : undefined;
  const field = (name: string, value: string | null | undefined) =>
    value ? [`${name}: ${JSON.stringify(value)}`] : [];
  const list = (name: string, entries: readonly string[]) =>
    entries.length === 0 ? [] : [`${name}:`, ...entries];
  const domains = sortedWords(datasets.map(({ schema }) => schema.main_topic)) ?? [];
  return textOf([
    'cff-version: 1.2.0',
    'message: "If you use this data, please cite it as below."',
    'type: dataset',
    ...field('title', oneLine(publisher.service)),
    ...field('abstract', tree.text),
    'authors:',
    ...field('  - name', oneLine(tree.publisherName)),
    ...field('    email', tree.email),
    ...field('version', tree.release),
    ...field('date-released', tree.date),
    ...field('license', spdx),
    ...field('license-url', spdx ? undefined : url),
    ...field('url', tree.releaseAddress ?? tree.baseUrl),
    ...list(
      'references',
      datasets.flatMap(({ creator, title }) => {
        if (creator === undefined) return [];
        return [
          '  - type: data',
          ...field('    title', oneLine(title)),
          `    authors: [{ name: ${JSON.stringify(creator)} }]`,
        ];
      }),
    ),
    ...list(
      'keywords',
      domains.map(word => `  - ${JSON.stringify(word)}`),
    ),
  ]);
}

export function duckDbSql(tree: DescribedTree): string {
  const { publisher, release, sample, extract, baseUrl, datasets, dimensions } = tree;
  const schemas = new Set([...datasets.map(one => one.domain), ...dimensions.map(one => one.domain)]);
  const notice = treeNotice(sample, extract);
  return [
    `-- ${oneLine(publisher.service)}, release ${release}: every dataset and dimension as a DuckDB view.`,
    ...(notice === null ? [] : [`-- ${notice}`]),
    '-- Paste all of it. For a mirror or a folder, set the address of the tree here, with its final slash.',
    '-- Only http addresses need the extension httpfs, and DuckDB loads it by itself.',
    `SET VARIABLE civic_tree = ${literal(baseUrl ?? './')};`,
    '',
    ...[...schemas].sort().map(name => `CREATE SCHEMA IF NOT EXISTS "${name}";`),
    ...datasets.map(datasetView),
    ...dimensions.map(dimensionView),
    '',
  ].join('\n');
}

function fileList(paths: readonly string[]): string {
  return `list_transform([${paths.map(literal).join(', ')}], path -> getvariable('civic_tree') || path)`;
}

/** Has all levels and years. The column `detail` names the level of each row. */
function datasetView({ domain, topic, levels, pathOf }: DescribedDataset): string {
  const parts = levels.map(({ detail, slices }) => {
    const files = slices.flatMap(slice => slice.files.parquet.map(pathOf));
    return `SELECT ${literal(detail)} AS detail, * FROM read_parquet(${fileList(files)}, hive_partitioning = false)`;
  });
  return `CREATE OR REPLACE VIEW "${domain}"."${topic}" AS\n  ${parts.join('\n  UNION ALL ')};`;
}

function dimensionView({ domain, manifest }: DimensionRecord): string {
  const folder = dimensionFolder(domain, manifest.dimension);
  const files = manifest.files.parquet.map(file => `${folder}/${file.path}`);
  return `CREATE OR REPLACE VIEW "${domain}"."_${manifest.dimension}" AS\n  SELECT * FROM read_parquet(${fileList(files)}, hive_partitioning = false);`;
}
