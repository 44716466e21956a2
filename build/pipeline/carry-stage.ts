/** Carries over everything unchanged from the published tree, while another stage reads rows. */
import path from 'node:path';
import { carryDocuments } from '../documents/dataset-documents.ts';
import { carryDimension } from '../documents/dimension-documents.ts';
import { carryAssets } from '../documents/people-pages.ts';
import { carryRows } from '../documents/row-entries.ts';
import type { QualityDocument } from '../format/documents.ts';
import { qualityPath } from '../format/paths.ts';
import type { Compiled } from '../input/compiled-input.ts';
import { releaseDate } from '../input/release-date.ts';
import { restFiles } from '../plan/kept-rest.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import { readJson } from '../tree/previous-tree.ts';
import type { DatasetRecord, DimensionRecord } from '../tree/published-records.ts';
import { Staging } from '../tree/staging.ts';
import type { Workspace } from '../tree/workspace.ts';
import type { CarriedTree } from './assembly-stage.ts';
import type { BuildOptions } from './build-options.ts';

export async function carryTree(
  options: BuildOptions,
  workspace: Workspace,
  { contracts, inventory }: Pick<Compiled, 'contracts' | 'inventory'>,
  plan: TreePlan,
): Promise<CarriedTree> {
  const { previous } = plan;
  const { sample } = inventory;
  const date = releaseDate(options.releaseDate, inventory.newest);
  const staging = new Staging(workspace.staging, [previous, plan.named], new Date(`${date}T00:00:00Z`));
  await staging.carryAll(restFiles(plan.rest, previous), previous);
  const dimensions = new Map<string, readonly DimensionRecord[]>();
  for (const placed of plan.dimensions.unchanged ? plan.dimensions.placed : [])
    dimensions.set(placed.dimension.key, await carryDimension(staging, previous, placed));
  const datasets = new Map<string, DatasetRecord>();
  for (const one of plan.datasets) {
    await carryRows(one, staging, previous);
    if (one.unchanged === null) continue;
    const { key, domain, topic } = one.dataset;
    const quality = readJson<QualityDocument>(path.join(workspace.out, qualityPath(domain, topic)));
    const input = { staging, previous, contracts, sample };
    datasets.set(key, await carryDocuments(one, one.unchanged, quality?.rules ?? [], input));
  }
  if (options.pages) await carryAssets(staging, previous, options.pages);
  return { staging, dimensions, datasets };
}
