/** Reports rows that slices and dimensions lost since the release before, and refuses losses above a limit. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { newStatements } from '../format/changes.ts';
import type { ErrataDocument } from '../format/document-schemas.ts';
import { errataPath } from '../format/paths.ts';
import { releaseDate } from '../input/build-input.ts';
import type { WrittenRowsOf } from '../plan/pieces.ts';
import { placeLoss, rowLosses } from '../plan/row-losses.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import type { OpenedTree } from '../tree/diff-trees.ts';
import { readDocument } from '../tree/tree-source.ts';
import type { PlannedBuild } from './build-options.ts';
import { reportFound } from './rows-stage.ts';

export async function reportLosses(
  { options, compiled, plan, report }: PlannedBuild,
  written: WrittenRowsOf,
): Promise<void> {
  const { before, named, previous, datasets, dimensions } = plan;
  if (before === null) return;
  const tables = named.manifest === null ? previous : named;
  const { release } = before.manifest;
  const date = releaseDate(options.releaseDate, compiled.inventory.newest);
  const found: Diagnostic[] = [];
  for (const { dataset, slices: all } of datasets) {
    const manifest = tables.datasets.get(dataset.key);
    if (manifest === undefined) continue;
    const slices = all.map(({ year, detail }) => {
      return { year, detail, rows: written.slice(dataset.key, { year, detail }).parquet.rows };
    });
    const newErrata = await unpublishedErrata(dataset, before);
    const input = { dataset, slices, before: manifest, release, newErrata, date };
    found.push(...rowLosses(input));
  }
  for (const { dimension, domains } of dimensions) {
    const { rows } = written.dimension(dimension.key).parquet;
    const [key] = domains.map(domain => `${domain}/_dimensions/${dimension.name}`);
    const manifest = tables.dimensions.get(key ?? '');
    if (manifest !== undefined) found.push(...placeLoss(dimension, manifest.rows, rows, release));
  }
  reportFound(found, options, report);
}

/** Errata that the release before does not have. */
async function unpublishedErrata(
  { domain, topic, errata }: TreePlan['datasets'][number]['dataset'],
  { source }: OpenedTree,
) {
  if (errata.length === 0) return [];
  const published = await readDocument<ErrataDocument>(source, errataPath(domain, topic));
  return newStatements(errata, published?.errata);
}
