/** Writes the statistics of a dataset's levels, or takes those of unchanged levels from the published tree. */
import { readFile } from 'node:fs/promises';
import { documentText } from '../catalog/document-text.ts';
import type { Contracts } from '../contract/dataset.ts';
import type { Stamp } from '../format/documents.ts';
import type { HistoryEntry, SliceEntry } from '../format/manifest.ts';
import { datasetFolder, statisticsPath } from '../format/paths.ts';
import type { StatisticsDocument } from '../format/statistics.ts';
import type { SessionSource } from '../lake/database.ts';
import { withinMemory } from '../lake/memory-shortage.ts';
import type { DatasetPlan } from '../plan/dataset-plan.ts';
import { type LevelStatistics, readStatistics } from '../slice/level-statistics.ts';
import { publishedColumns } from '../slice/row-columns.ts';
import type { PreviousTree } from '../tree/previous-tree.ts';
import type { Staging } from '../tree/staging.ts';

export interface StatisticsDocumentsInput {
  readonly staging: Staging;
  readonly contracts: Contracts;
  readonly session: SessionSource;
  readonly previous: PreviousTree;
}

/** The path and text of each level's document, by level. `slices` are all of the release. */
export async function renderStatistics(
  plan: DatasetPlan,
  slices: readonly SliceEntry[],
  histories: readonly HistoryEntry[],
  stamp: Stamp,
  input: StatisticsDocumentsInput,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const { domain, topic, key } = plan.dataset;
  const documents: { path: string; text: string }[] = [];
  for (const detail of [...new Set(slices.map(slice => slice.detail))].sort()) {
    const path = statisticsPath(domain, topic, detail);
    const own = slices.filter(slice => slice.detail === detail);
    const found = (await readKept(plan, own, path, input)) ?? (await readLevel(plan, own, histories, input));
    const { rows, years, year_rows, columns, combinations } = found;
    const document: StatisticsDocument = {
      ...stamp,
      dataset: key,
      detail,
      rows,
      years,
      year_rows,
      columns,
      ...(combinations === undefined ? {} : { combinations }),
    };
    documents.push({ path, text: documentText(document) });
  }
  return documents;
}

/** The published statistics of a level whose rows are all carried over; null if there are none. */
async function readKept(
  { dataset, kept }: DatasetPlan,
  slices: readonly SliceEntry[],
  path: string,
  { previous }: StatisticsDocumentsInput,
): Promise<LevelStatistics | null> {
  const before = previous.datasets.get(dataset.key)?.slices ?? [];
  const [first] = slices;
  const same =
    slices.every(slice => kept.includes(slice)) &&
    before.filter(({ detail }) => detail === first?.detail).length === slices.length;
  if (!same || previous.folder === null || !previous.files.has(path)) return null;
  const text = await readFile(`${previous.folder}/${path}`, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as LevelStatistics);
}

async function readLevel(
  { dataset }: DatasetPlan,
  slices: readonly SliceEntry[],
  histories: readonly HistoryEntry[],
  { staging, contracts, session }: StatisticsDocumentsInput,
): Promise<LevelStatistics> {
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const files = slices.flatMap(({ year, rows, files: { parquet } }) =>
    parquet.map(file => ({ year, rows, path: staging.locate(`${folder}/${file.path}`) })),
  );
  const history = histories.find(entry => entry.detail === slices[0]?.detail)?.file.path;
  const opened = await session();
  return withinMemory(`the statistics of ${dataset.key}`, () =>
    readStatistics(opened, {
      dataset,
      columns: publishedColumns(dataset, contracts),
      files,
      history: history === undefined ? null : staging.locate(`${folder}/${history}`),
    }),
  );
}
