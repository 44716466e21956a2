/** The statistics of a dataset's levels. */
import { levelRelease } from '../catalog/release.ts';
import type { Cache } from '../cache/cache.ts';
import type { Contracts } from '../contract/dataset.ts';
import { FORMAT } from '../format/documents.ts';
import type { SliceEntry } from '../format/manifest.ts';
import { datasetFolder } from '../format/paths.ts';
import type { StatisticsDocument } from '../format/statistics.ts';
import type { SessionSource } from '../lake/database.ts';
import { sliceName } from '../lake/inventory.ts';
import { withinMemory } from '../lake/memory-shortage.ts';
import { runName } from '../plan/copy-runs.ts';
import { type DatasetPlan, levelsRecipe, type RecipeInput } from '../plan/dataset-plan.ts';
import type { WrittenRowsOf } from '../plan/pieces.ts';
import { type LevelStatistics, readStatistics } from '../slice/level-statistics.ts';
import { publishedColumns } from '../slice/row-columns.ts';
import type { Staging } from '../tree/staging.ts';

export interface StatisticsDocumentsInput {
  readonly staging: Staging;
  readonly contracts: Contracts;
  readonly session: SessionSource;
  readonly sample: boolean;
  readonly written: WrittenRowsOf;
  readonly recipes: RecipeInput & { readonly cache: Cache };
}

/** A document's release follows the level's rows alone, so that it keeps its bytes as long as they do. */
export async function statisticsDocument(
  plan: DatasetPlan,
  detail: string,
  slices: readonly SliceEntry[],
  input: StatisticsDocumentsInput,
): Promise<StatisticsDocument> {
  const own = slices.filter(slice => slice.detail === detail);
  return {
    format: FORMAT,
    release: levelRelease(own.map(slice => ({ name: sliceName(slice), release: slice.release }))),
    ...(input.sample ? { sample: true } : {}),
    dataset: plan.dataset.key,
    detail,
    ...(statisticsOf(plan, detail, input.written) ?? (await readSlices(plan, own, input))),
  };
}

/** Null for a level that was not copied by place, since it has one year. */
function statisticsOf({ dataset, runs }: DatasetPlan, detail: string, { copies }: WrittenRowsOf) {
  const run = runs.find(one => one.by === 'place' && one.detail === detail);
  return run && copies.get(dataset.key)?.get(runName(run))?.statistics;
}

/** The statistics of other levels. */
async function readSlices(
  plan: DatasetPlan,
  slices: readonly SliceEntry[],
  { staging, contracts, session, recipes }: StatisticsDocumentsInput,
): Promise<LevelStatistics> {
  const { dataset } = plan;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const files = slices.flatMap(({ files: { parquet } }) =>
    parquet.map(file => staging.locate(`${folder}/${file.path}`)),
  );
  const recipe = levelsRecipe('statistics', plan, recipes, slices[0]?.detail);
  return recipes.cache.make(recipe, async () => {
    const opened = await session();
    const columns = publishedColumns(dataset, contracts);
    const level = { dataset, columns, years: slices, files, full: new Set<string>() };
    const read = () => readStatistics(opened, level);
    return { value: await withinMemory(`the statistics of ${dataset.key}`, read), files: [] };
  });
}
