/** Trees with people's pages, as `civic build` writes them, and what a test looks at in a page. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Scalar } from '../../build/format/documents.ts';
import type { DimensionSchemaDocument } from '../../build/format/schema.ts';
import { openExplorer } from '../../site/explorer/page-maker.ts';
import { deriveDataset, type ExploredDataset } from '../../site/explorer/view/dataset.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';

/** The folder of the compiled program, with the bundle. */
const COMPILED = path.resolve(import.meta.dirname, '../../lib');

/** Datasets of the sample that several tests of the explorer share a tree of. */
export const EXPLORED = [
  'census/employment',
  'education/attendance',
  'education/graduation_rate_4_year_cohort',
  'immigration/ice_detention_stays',
] as const;

/** Datasets that searches find, and one whose code is run. */
export const SEARCHED = [
  'census/employment',
  'census/poverty_by_nativity',
  'education/attendance',
  'education/graduation_rate_4_year_cohort',
  'education/salaries_and_benefits',
  'immigration/ice_arrests',
  'immigration/ice_arrests_with_detention_stays',
  'immigration/ice_removals',
] as const;

/** The pages that the program makes: what a build in this process needs to be compared with one of the program. */
export const openPages = () => openExplorer(COMPILED);

/** A publisher's tree with pages, in a folder of its own that the caller removes. */
export async function buildExplored(
  contracts: Readonly<Record<string, string>>,
  lake: Readonly<Record<string, string>>,
  baseUrl: string | null = null,
): Promise<PublisherFolder> {
  const publisher = await writePublisher(await temporaryFolder('never'), contracts, lake);
  await buildPublisher(publisher, { baseUrl, pages: openPages() });
  return publisher;
}

/** How far a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** A dataset as the explorer knows it, from the documents of a tree. */
export async function readExplored(
  tree: string,
  key: string,
  dimensions: readonly DimensionSchemaDocument[] = [],
): Promise<ExploredDataset> {
  const read = async (name: string) => JSON.parse(await readFile(path.join(tree, 'api/v1', name), 'utf8'));
  return deriveDataset({
    schema: await read(`datasets/${key}/index.json`),
    values: await read(`${key}/values.json`),
    manifest: await read(`${key}/manifest.json`),
    contract: await read(`datasets/${key}/contract.json`),
    dimensions,
  });
}

type Row = Readonly<Record<string, Scalar | null>>;

/** Rows of a level over all its years, as the engine would give them. */
export async function readLevelRows(
  tree: string,
  { key, manifest }: ExploredDataset,
  detail: string,
  keep: (row: Row) => boolean = () => true,
): Promise<Rows> {
  const pages = manifest.slices
    .filter(slice => slice.detail === detail)
    .flatMap(slice => slice.files.json)
    .map(async file => JSON.parse(await readFile(path.join(tree, 'api/v1', key, file.path), 'utf8')));
  const rows: Row[] = (await Promise.all(pages)).flatMap(page => page.data).filter(keep);
  const { columns } = manifest;
  return {
    columns,
    rows: rows.length,
    cell: (row, column) => rows[row]?.[columns[column]?.name ?? ''] ?? null,
  };
}
