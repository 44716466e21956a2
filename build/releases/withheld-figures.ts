/** Warns about withheld figures that readers can derive from shares or find in the release before. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Cache, Made } from '../cache/cache.ts';
import { listSlices, placeOf, shareDiagnostics } from '../check/disclosure.ts';
import { disclosureMetrics } from '../check/disclosure-family.ts';
import { readShares } from '../check/disclosure-shares.ts';
import type { Dataset } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import type { ChangesDocument } from '../format/changes.ts';
import { changesPath, datasetFolder, slicePath } from '../format/paths.ts';
import { groupDigits } from '../format/shown-text.ts';
import { isMemoryShortage, type Session } from '../lake/database.ts';
import { SLICE_NAME } from '../lake/fact-table.ts';
import { identifier, parquetRows } from '../lake/sql.ts';
import { type MadePieces, rowsRecipe } from '../plan/pieces.ts';
import type { DatasetPlan, TreePlan } from '../plan/plan.ts';
import { erratumYaml } from './row-losses.ts';

interface WithheldInput {
  readonly plan: TreePlan;
  readonly cache: Cache;
  /** Folder of the assembled tree. */
  readonly staging: string;
  readonly session: Session;
  readonly made: MadePieces;
  /** Name of this release. */
  readonly release: string;
}

export async function findWithheld(input: WithheldInput): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const one of input.plan.datasets) {
    if (one.dataset.nullSemantics.suppressed_to_null === false) continue;
    const { cache, plan } = input;
    const shares = await cache.make(
      rowsRecipe('withheld', one, one.slices, plan, one.dataset.source.file),
      () => knownFromShares(one, input),
    );
    found.push(...shares, ...(await knownFromEarlier(one.dataset, input)));
  }
  return found;
}

const FIGURES = 'temp.main."written figures"';

async function knownFromShares(
  { dataset, slices }: DatasetPlan,
  { plan, made, session }: WithheldInput,
): Promise<Made<Diagnostic[]>> {
  const nothing = { value: [], files: [] };
  if (disclosureMetrics(dataset).length === 0) return nothing;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const parts = slices.map((slice, i) => {
    const file = made.slice(slice).parquet;
    return `SELECT ${i} AS ${identifier(SLICE_NAME)}, * FROM ${parquetRows([made.locate(path.join(folder, file.path))])}`;
  });
  if (parts.length === 0) return nothing;
  await session.run(`CREATE OR REPLACE TEMP VIEW "written figures" AS ${parts.join(' UNION ALL BY NAME ')}`);
  try {
    const found = await readShares(session, dataset, plan.contracts, FIGURES, slices);
    return { value: shareDiagnostics(dataset, found, 'warning'), files: [] };
  } catch (error) {
    if (!isMemoryShortage(error)) throw error;
    const message = `${dataset.key}: there was too little memory to look for withheld counts that follow from shares. Run civic check --disclosure with more --memory.`;
    const value = [diagnosticAt(dataset.source, 'warning', 'disclosure-share', message)];
    return { value, files: [], keep: false };
  } finally {
    await session.run(`DROP VIEW ${FIGURES}`);
  }
}

/** Warnings about figures that the release before has and this one withholds. */
async function knownFromEarlier(
  dataset: Dataset,
  { plan, staging, release, session }: WithheldInput,
): Promise<Diagnostic[]> {
  if (plan.before === null) return [];
  const { domain, topic } = dataset;
  const folder = datasetFolder(domain, topic);
  const document = await readFile(path.join(staging, changesPath(folder)), 'utf8');
  const [latest] = (JSON.parse(document) as ChangesDocument).releases;
  if (latest?.release !== release) return [];
  const { renamed = {}, dropped = [] } = latest;
  const earlier = (name: string) => Object.keys(renamed).find(old => renamed[old] === name) ?? name;
  const at = (file: string) => parquetRows([path.join(staging, file)]);
  const found: Diagnostic[] = [];
  const metrics = dataset.columns.filter(({ name, role }) => role === 'metric' && !dropped.includes(name));
  const cells = new Map<string, { year: number; detail: string; cells: number }[]>();
  for (const { year, detail, change, past } of latest.slices) {
    if (change !== 'revised' || past === undefined || !('path' in past)) continue;
    const names = await session.typesOf(`FROM ${at(`${folder}/${past.path}`)}`);
    const both = metrics.filter(({ name }) => names.has(earlier(name)));
    const counts = both.map(
      ({ name }, i) =>
        `count(*) FILTER (a.${identifier(earlier(name))} IS NOT NULL AND b.${identifier(name)} IS NULL)::INTEGER AS ${identifier(`c${i}`)}`,
    );
    if (counts.length === 0) continue;
    const same = dataset.order.map(
      name => `a.${identifier(earlier(name))} IS NOT DISTINCT FROM b.${identifier(name)}`,
    );
    const [row = {}] = await session.rows<Record<string, number>>(
      `SELECT ${counts.join(', ')} FROM ${at(`${folder}/${past.path}`)} a JOIN ${at(slicePath(domain, topic, year, detail, 'parquet'))} b ON ${same.join(' AND ')}`,
    );
    for (const [i, { name }] of both.entries()) {
      const count = row[`c${i}`] ?? 0;
      if (count > 0) cells.set(name, [...(cells.get(name) ?? []), { year, detail, cells: count }]);
    }
  }
  for (const [name, slices] of cells)
    found.push(forgetDiagnostic(dataset, name, slices, plan.before.manifest.release));
  return found;
}

/** Warns about figures that an earlier release published and this one withholds. */
function forgetDiagnostic(
  dataset: Dataset,
  metric: string,
  slices: readonly { readonly year: number; readonly detail: string; readonly cells: number }[],
  release: string,
): Diagnostic {
  const cells = slices.reduce((sum, one) => sum + one.cells, 0);
  const [are, them] = cells === 1 ? ['figure is', 'it'] : ['figures are', 'them'];
  const erratum = erratumYaml(dataset, slices, 'YYYY-MM-DD', 'forget: true');
  const message = `${dataset.key}: ${groupDigits(cells)} ${are} withheld in ${metric} that release ${release} published, and as_of and history still answer ${them}: ${listSlices(slices)}. If nobody may see ${them} any more, forget ${them} with an erratum of this release, under customProperties of the contract: ${erratum} in the list of the property errata.`;
  return diagnosticAt(placeOf(dataset, metric), 'warning', 'disclosure-earlier-release', message);
}
