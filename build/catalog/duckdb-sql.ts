/**
 * api/v1/duckdb.sql: SQL to paste, which creates a view over the published Parquet for every dataset and dimension. It
 * lists files one by one, because HTTP has no globs. Pure.
 */
import { treeNotice } from '../format/envelope.ts';
import type { DatasetManifest } from '../format/manifest.ts';
import { datasetFolder, dimensionFolder } from '../format/paths.ts';
import { type DimensionRecord, oneLine, type TreeDescription } from './tree-description.ts';

/** A name or address as SQL text. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
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
    `SET VARIABLE civic_tree = ${quote(baseUrl ?? './')};`,
    '',
    ...[...schemas].sort().map(name => `CREATE SCHEMA IF NOT EXISTS "${name}";`),
    ...datasets.map(one => datasetView(one.manifest)),
    ...placed.map(dimensionView),
    '',
  ].join('\n');
}

function fileList(paths: readonly string[]): string {
  return `list_transform([${paths.map(quote).join(', ')}], path -> getvariable('civic_tree') || path)`;
}

/** A view of all levels and years. Its column `detail` names the level of each row. */
function datasetView(manifest: DatasetManifest): string {
  const [domain = '', topic = ''] = manifest.dataset.split('/');
  const folder = datasetFolder(domain, topic);
  const levels = [...new Set(manifest.slices.map(slice => slice.detail))].sort();
  const parts = levels.map(level => {
    const files = manifest.slices
      .filter(slice => slice.detail === level)
      .flatMap(slice => slice.files.parquet.map(file => `${folder}/${file.path}`));
    return `SELECT ${quote(level)} AS detail, * FROM read_parquet(${fileList(files)}, hive_partitioning = false)`;
  });
  return `CREATE OR REPLACE VIEW "${domain}"."${topic}" AS\n  ${parts.join('\n  UNION ALL ')};`;
}

function dimensionView({ domain, manifest }: DimensionRecord): string {
  const folder = dimensionFolder(domain, manifest.dimension);
  const files = manifest.files.parquet.map(file => `${folder}/${file.path}`);
  return `CREATE OR REPLACE VIEW "${domain}"."_${manifest.dimension}" AS\n  SELECT * FROM read_parquet(${fileList(files)}, hive_partitioning = false);`;
}
