/**
 * Texts at the root for programs and people: llms.txt, robots.txt, sitemap.xml, CITATION.cff, duckdb.sql.
 * Pure.
 */

import { xmlText } from '../format/atom.ts';
import { TEXT_FORMATS } from '../format/documents.ts';
import { treeNotice } from '../format/envelope.ts';
import { datasetFolder, dimensionFolder, PAGES, ROOT, schemaFolder, schemaPath } from '../format/paths.ts';
import { oneLine } from '../format/shown-text.ts';
import { literal } from '../lake/sql.ts';
import type { DatasetRecord, DimensionRecord } from '../tree/published-records.ts';
import {
  absolute,
  addressOf,
  datasetFacts,
  inMarkdown,
  isAddress,
  sortedWords,
  type TreeDescription,
  textOf,
  treeFacts,
} from './tree-description.ts';

/** For language models: a line for every dataset, with a link to its schema document. `documents`: those of each dataset. */
export function llmsText(tree: TreeDescription, documents: readonly string[]): string {
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
    `> ${inMarkdown(treeFacts(tree).text)}`,
    '',
    `Rows of one year and level are at /api/v1/{domain}/{topic}/year={year}/{detail}${TEXT_FORMATS.map(format => `.${format}`).join(', ')} and .parquet${whole ? '' : " (some only as .parquet: the dataset's manifest.json lists the stored files)"}. A server also answers /api/v1/{domain}/{topic}?year=&detail=&format= with filters; the schema documents below list them. Codes are strings: keep their leading zeros. NULL means that there is no value, never zero; in a key it means that the row describes a larger place, which has no such code. Request one level with detail, and never add up rows of two levels.`,
    ...(rights.length === 0 ? [] : ['', inMarkdown(rights.join(' '))]),
    '',
    '## Datasets',
    '',
    ...datasets.map(dataset => {
      const { summary, coverage_note: note = '', detail_levels: levels } = dataset.schema;
      const { domain, topic, title, key, years } = datasetFacts(tree, dataset);
      const text = `${summary} ${note} Levels ${levels.join(', ')}; ${years}.`;
      return `- ${link(title, schemaPath(domain, topic))}: ${key}. ${inMarkdown(text)}`;
    }),
    '',
    '## Documents',
    '',
    `- ${link('OpenAPI', ROOT.openapi)}: every route and parameter`,
    `- ${link('Datasets', ROOT.datasets)}: years, levels and versions of all datasets, as JSON`,
    `- ${link('Manifest', ROOT.manifest)}: every file with its hash`,
    `- ${link('DuckDB views', ROOT.duckdb)}: SQL over the Parquet files`,
    ...documents.map(document => `- ${document}`),
    '',
    '## Optional',
    '',
    `- ${link('Data Package', ROOT.dataPackage)}: types of every CSV column`,
    `- ${link('DCAT-US catalogue', ROOT.catalog)}: for data portals`,
    `- ${link('Checksums', ROOT.checksums)}: for mirrors`,
  ]);
}

/** Allows everything, so that mirrors which obey it get the whole tree. */
export function robotsText(tree: TreeDescription): string {
  const sitemap = absolute(tree, ROOT.sitemap);
  return textOf(['User-agent: *', 'Disallow:', ...(sitemap ? ['', `Sitemap: ${sitemap}`] : [])]);
}

/** A sitemap needs absolute addresses, so the tree's must be known. */
export function sitemapXml(tree: TreeDescription): string {
  const { datasets, date, pages: people } = tree;
  const own = ['', ...(people ? [PAGES.places, PAGES.sql, PAGES.api].map(path => `${path}/`) : [])];
  const pages = [
    ...own.map(path => ({ path, modified: date })),
    ...datasets.flatMap(dataset => {
      const { domain, topic, page, modified } = datasetFacts(tree, dataset);
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
export function citationText(tree: TreeDescription): string {
  const { publisher, datasets } = tree;
  const facts = treeFacts(tree);
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
    ...field('abstract', facts.text),
    'authors:',
    ...field('  - name', oneLine(facts.publisher)),
    ...field('    email', facts.email),
    ...field('version', tree.release),
    ...field('date-released', tree.date),
    ...field('license', facts.spdx),
    ...field('license-url', facts.spdx ? undefined : url),
    ...field('url', facts.release ?? tree.baseUrl),
    ...list(
      'references',
      datasets.flatMap(dataset => {
        const { creator, title } = datasetFacts(tree, dataset);
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

export function duckDbSql(tree: TreeDescription): string {
  const { publisher, release, sample, extract, baseUrl, datasets, dimensions } = tree;
  const placed = [...dimensions].sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1));
  const schemas = new Set([...datasets.map(one => one.schema.main_topic), ...placed.map(one => one.domain)]);
  const notice = treeNotice(sample, extract);
  return [
    `-- ${oneLine(publisher.service)}, release ${release}: every dataset and dimension as a DuckDB view.`,
    ...(notice === null ? [] : [`-- ${notice}`]),
    '-- Paste all of it. For a mirror or a folder, set the address of the tree here, with its final slash.',
    '-- Only http addresses need the extension httpfs, and DuckDB loads it by itself.',
    `SET VARIABLE civic_tree = ${literal(baseUrl ?? './')};`,
    '',
    ...[...schemas].sort().map(name => `CREATE SCHEMA IF NOT EXISTS "${name}";`),
    ...datasets.map(one => datasetView(tree, one)),
    ...placed.map(dimensionView),
    '',
  ].join('\n');
}

function fileList(paths: readonly string[]): string {
  return `list_transform([${paths.map(literal).join(', ')}], path -> getvariable('civic_tree') || path)`;
}

/** Has all levels and years. The column `detail` names the level of each row. */
function datasetView(tree: TreeDescription, dataset: DatasetRecord): string {
  const { domain, topic, levels, pathOf } = datasetFacts(tree, dataset);
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
