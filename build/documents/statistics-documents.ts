/** Writes the statistics of a dataset's levels, or takes those of unchanged levels from the published tree. */
import { documentText } from '../catalog/document-text.ts';
import { levelRelease } from '../catalog/release.ts';
import type { Contracts } from '../contract/dataset.ts';
import { FORMAT } from '../format/documents.ts';
import type { PublishedFile, SliceEntry } from '../format/manifest.ts';
import { datasetFolder, datasetManifestPath, relativeLink, statisticsPath } from '../format/paths.ts';
import type { StatisticsDocument } from '../format/statistics.ts';
import type { SessionSource } from '../lake/database.ts';
import { sliceName } from '../lake/inventory.ts';
import { withinMemory } from '../lake/memory-shortage.ts';
import { runName } from '../plan/copy-runs.ts';
import type { DatasetPlan } from '../plan/dataset-plan.ts';
import { type LevelStatistics, readStatistics } from '../slice/level-statistics.ts';
import { publishedColumns } from '../slice/row-columns.ts';
import type { WrittenRowsOf } from '../slice/slice-stage.ts';
import type { PreviousTree } from '../tree/previous-tree.ts';
import type { Staging } from '../tree/staging.ts';

export interface StatisticsDocumentsInput {
  readonly staging: Staging;
  readonly contracts: Contracts;
  readonly session: SessionSource;
  readonly previous: PreviousTree;
  readonly sample: boolean;
  readonly written: WrittenRowsOf;
}

/**
 * Writes the document of each level, or carries it over with a level's rows. Its release follows these rows alone, so that
 * it keeps its bytes as long as they do.
 */
export async function writeStatistics(
  plan: DatasetPlan,
  slices: readonly SliceEntry[],
  input: StatisticsDocumentsInput,
): Promise<PublishedFile[]> {
  const { dataset } = plan;
  const { staging, previous, sample, written: rows } = input;
  const manifestPath = datasetManifestPath(dataset.domain, dataset.topic);
  const written: PublishedFile[] = [];
  for (const detail of [...new Set(slices.map(slice => slice.detail))].sort()) {
    const path = statisticsPath(dataset.domain, dataset.topic, detail);
    const own = slices.filter(slice => slice.detail === detail);
    if (isKept(plan, own, previous) && previous.folder !== null && previous.files.has(path)) {
      const { bytes, sha256, modified } = await staging.carry(path, previous);
      written.push({ path: relativeLink(manifestPath, path), bytes, sha256, modified });
      continue;
    }
    const document: StatisticsDocument = {
      format: FORMAT,
      release: levelRelease(own.map(slice => ({ name: sliceName(slice), release: slice.release }))),
      ...(sample ? { sample: true } : {}),
      dataset: dataset.key,
      detail,
      ...(statisticsOf(plan, detail, rows) ?? (await readSlices(plan, own, input))),
    };
    const file = await staging.write(path, documentText(document));
    written.push({ path: relativeLink(manifestPath, path), ...file });
  }
  return written;
}

/** Whether all rows of a level are carried over, and the published tree has no other slices of it. */
function isKept(
  { dataset, kept }: DatasetPlan,
  slices: readonly SliceEntry[],
  previous: PreviousTree,
): boolean {
  const before = previous.datasets.get(dataset.key)?.slices ?? [];
  const published = before.filter(({ detail }) => detail === slices[0]?.detail);
  return slices.every(slice => kept.includes(slice)) && published.length === slices.length;
}

/** Null for a level that was not copied by place: of one year, or of rows that are carried over. */
function statisticsOf({ dataset, changedRuns }: DatasetPlan, detail: string, { copies }: WrittenRowsOf) {
  const run = changedRuns.find(one => one.by === 'place' && one.detail === detail);
  return run && copies.get(dataset.key)?.get(runName(run))?.statistics;
}

/** The statistics of other levels. */
async function readSlices(
  { dataset }: DatasetPlan,
  slices: readonly SliceEntry[],
  { staging, contracts, session }: StatisticsDocumentsInput,
): Promise<LevelStatistics> {
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const files = slices.flatMap(({ files: { parquet } }) =>
    parquet.map(file => staging.locate(`${folder}/${file.path}`)),
  );
  const opened = await session();
  return withinMemory(`the statistics of ${dataset.key}`, () =>
    readStatistics(opened, {
      dataset,
      columns: publishedColumns(dataset, contracts),
      years: slices,
      files,
      full: new Set(),
    }),
  );
}
