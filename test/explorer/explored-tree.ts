/** Trees with people's pages, as `civic build` writes them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Scalar } from '../../build/format/documents.ts';
import type { DimensionSchemaDocument } from '../../build/format/schema.ts';
import { openExplorer } from '../../site/explorer/page-maker.ts';
import { type ExploredDataset, deriveDataset } from '../../site/explorer/view/dataset.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { TREE_SOURCES } from '../georgia/specification/sample.ts';
import { keptFolder } from '../kept-folder.ts';
import { AIR_CONTRACTS, AIR_LAKE } from '../publishers/air.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { type PublisherFolder, publisherAt, writePublisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';
import { HOSTILE_CONTRACTS, HOSTILE_LAKE } from './hostile.ts';
import { UNEVEN_CONTRACTS, UNEVEN_LAKE } from './uneven-weather.ts';

/** The folder of the compiled program, with the bundle. */
const COMPILED = path.resolve(import.meta.dirname, '../../lib');

/**
 * Datasets of the sample that the tests of the explorer share one tree of: every kind of filter, level and view, and
 * what searches find.
 */
export const SEARCHED = [
  'census/employment',
  'census/labor_force_by_nativity',
  'education/attendance',
  'education/ccrpi_climate_star_rating',
  'education/graduation_rate_4_year_cohort',
  'education/salaries_and_benefits',
  'education/sat_scores_recent',
  'education/school_attendance_zone_tracts',
  'immigration/ice_detention_stays',
  'immigration/quarterly_detainer_reports',
  'immigration/undocumented_population_characteristics',
] as const;

export const useExplored = () => useSampleTree(SEARCHED, { openPages });

/** The pages that the program makes: what a build in this process needs to be compared with one of the program. */
export const openPages = () => openExplorer(COMPILED);

/** A publisher's tree with pages that tests only read, kept; those that change it copy it (`copyBuilt`). */
export async function keptExplored(
  name: string,
  contracts: Readonly<Record<string, string>>,
  lake: Readonly<Record<string, string>>,
): Promise<PublisherFolder> {
  const own = ['hostile.ts', 'uneven-weather.ts'].map(file => `test/explorer/${file}`);
  const sources = [...TREE_SOURCES, 'test/publishers', ...own];
  const root = await keptFolder(`explored-${name}`, sources, async out => {
    await buildPublisher(await writePublisher(out, contracts, lake), { pages: openPages() });
  });
  return publisherAt(root);
}

export const weatherPages = () => keptExplored('weather', CONTRACTS, LAKE);
export const unevenPages = () => keptExplored('uneven', UNEVEN_CONTRACTS, UNEVEN_LAKE);
export const airPages = () => keptExplored('air', AIR_CONTRACTS, AIR_LAKE);
export const hostilePages = () => keptExplored('hostile', HOSTILE_CONTRACTS, HOSTILE_LAKE);

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
  { key, manifest: { slices, columns } }: ExploredDataset,
  detail: string,
  keep: (row: Row) => boolean = () => true,
): Promise<Rows> {
  const files = slices.flatMap(slice => (slice.detail === detail ? slice.files.json : []));
  const pages = files.map(async file =>
    JSON.parse(await readFile(path.join(tree, 'api/v1', key, file.path), 'utf8')),
  );
  const rows: Row[] = (await Promise.all(pages)).flatMap(page => page.data).filter(keep);
  const cell = (row: number, column: number) => rows[row]?.[columns[column]?.name ?? ''] ?? null;
  return { columns, rows: rows.length, cell };
}
