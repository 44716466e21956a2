/** Types and tables of the database that writes rows, made while the build still finds out what it has to write. */
import { existsSync } from 'node:fs';
import type { Compiled } from './compiled-input.ts';
import type { Database } from './lake/database.ts';
import { sliceName } from './lake/inventory.ts';
import { dimensionFits } from './lake/parquet-shape.ts';
import type { BuildState } from './publish/build-state.ts';
import { fingerprintOf } from './publish/dataset-plan.ts';
import { openShapeCache } from './publish/shape-cache.ts';
import type { Workspace } from './publish/workspace.ts';
import { type DimensionInput, MadeTypes } from './slice/value-types.ts';

/** As many statements as there are at once: each waits longer than it works. */
const SESSIONS = 3;

/**
 * Those of datasets with a slice that is not as it was: its rows will be written, whatever else is. Of their dimensions,
 * those whose files are here and were found to fit before.
 */
export async function makeEarlyTypes(
  database: Database,
  workspace: Workspace,
  { asked, contracts, inventory, contentOf }: Compiled,
  before: BuildState | null,
): Promise<MadeTypes> {
  const types = new MadeTypes();
  const datasets = asked.filter(({ key }) => {
    const were = before?.datasets[key]?.slices ?? {};
    const slices = inventory.slices.get(key) ?? [];
    return slices.some(slice => were[sliceName(slice)] !== fingerprintOf(slice, contentOf));
  });
  const joined = new Set(datasets.flatMap(({ foreignKeys }) => foreignKeys.map(key => key.dimension)));
  const files = [...inventory.dimensions].filter(
    ([key, file]) => joined.has(key) && existsSync(file.absolute),
  );
  const shapes = openShapeCache(workspace, contentOf).recall(files.map(([, file]) => file));
  const dimensions = files.flatMap(([key, file]): DimensionInput[] => {
    const dimension = contracts.dimensions.get(key);
    const shape = shapes.get(file.path);
    return dimension !== undefined && dimensionFits(dimension, file, shape)
      ? [{ dimension, file, shape }]
      : [];
  });
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => database.connect()));
  await types.make(sessions, datasets, dimensions);
  return types;
}
