/** The shapes of the lake's files that a build reads, held against the contracts before a row is written. */
import type { BuildOptions } from './build-input.ts';
import type { Dataset, Dimension } from './contract/dataset.ts';
import { Database, shareOf } from './lake/database.ts';
import type { LakeFile } from './lake/lake-files.ts';
import { compareShape, type ParquetShape, readShapes } from './lake/parquet-shape.ts';
import type { Workspace } from './publish/workspace.ts';
import { databaseOptions, type TreePlan } from './stages.ts';

/**
 * Columns and counts of every file that rows are written from; null where one is not what its contract says, which
 * the checks report.
 */
export async function readPlanShapes(
  options: BuildOptions,
  workspace: Workspace,
  plan: TreePlan,
): Promise<ReadonlyMap<string, ParquetShape> | null> {
  const database = await Database.open(shareOf(databaseOptions(options, workspace.temporary), 1));
  try {
    const session = await database.connect();
    const changed = plan.datasets.filter(one => one.unchanged === null);
    const facts = changed.flatMap(one => one.slices.flatMap(slice => slice.files));
    const read = await readShapes(session, [...facts, ...plan.dimensions.placed.map(one => one.file)]);
    const owners = [
      ...changed.flatMap(({ dataset, slices }) =>
        slices.map(slice => ({ contract: dataset, files: slice.files })),
      ),
      ...plan.dimensions.placed.map(one => ({ contract: one.dimension, files: [one.file] })),
    ];
    const wrong = owners.some(({ contract, files }) =>
      files.some(file => !fits(contract, file, read.shapes)),
    );
    return read.diagnostics.length > 0 || wrong ? null : read.shapes;
  } finally {
    database.close();
  }
}

function fits(
  contract: Dataset | Dimension,
  file: LakeFile,
  shapes: ReadonlyMap<string, ParquetShape>,
): boolean {
  const shape = shapes.get(file.path);
  const year =
    contract.kind === 'dataset' ? contract.columns.find(column => column.role === 'year') : undefined;
  return (
    shape !== undefined &&
    compareShape(contract.key, contract.columns, file, shape, year?.name ?? null).length === 0
  );
}
