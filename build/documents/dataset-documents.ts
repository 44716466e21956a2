/** Writes the documents of one dataset into the staged tree. */
import { documentText } from '../catalog/document-text.ts';
import { countRules } from '../catalog/quality-document.ts';
import { datasetRelease, type NamedRelease } from '../catalog/release.ts';
import { coverageNote, datasetSummary, type Holdings, schemaDocument } from '../catalog/schema-document.ts';
import type { Contracts, Dataset } from '../contract/dataset.ts';
import { datasetFilters, keyColumns } from '../contract/filters.ts';
import { FORMAT, type Stamp } from '../format/documents.ts';
import type { DatasetManifest, PublishedFile, SliceEntry } from '../format/manifest.ts';
import { datasetFolder, datasetManifestPath, relativeLink } from '../format/paths.ts';
import { sliceName } from '../lake/inventory.ts';
import { identifier } from '../lake/sql.ts';
import { type DatasetPlan, levelsRecipe } from '../plan/dataset-plan.ts';
import { publishedColumns } from '../slice/row-columns.ts';
import type { DatasetRecord } from '../tree/published-records.ts';
import type { Staging } from '../tree/staging.ts';
import { type MadeDataset, textOf } from './dataset-document.ts';
import { DATASET_DOCUMENTS } from './dataset-register.ts';
import type { EarlierReleases } from './earlier-releases.ts';
import { answeredQueries } from './example-queries.ts';
import { writeReleaseChanges } from './release-changes.ts';
import { byYearAndLevel, type RowsInput, type SliceKey, stageCopies, stageSlices } from './row-entries.ts';
import { type StatisticsDocumentsInput, statisticsDocument } from './statistics-documents.ts';

interface DocumentsInput {
  readonly staging: Staging;
  readonly contracts: Contracts;
  readonly sample: boolean;
}

export interface DatasetDocumentsInput extends DocumentsInput, RowsInput, StatisticsDocumentsInput {
  /** Release of each dimension by key. */
  readonly dimensionReleases: ReadonlyMap<string, string>;
  /** Folder where a database may spill. */
  readonly temporary: string;
  readonly earlier: EarlierReleases;
}

/** Results of the checks of a dataset. */
export type DatasetFindings = Pick<MadeDataset, 'rules' | 'values'>;

export function holdingsOf(plan: DatasetPlan, rows: number): Holdings {
  const present = new Set(plan.slices.map(slice => slice.detail));
  return {
    years: [...new Set(plan.slices.map(slice => slice.year))].sort((a, b) => a - b),
    levels: plan.dataset.levels.filter(level => present.has(level)),
    rows,
    levelYears: new Map(
      plan.dataset.levels.flatMap(level => {
        const own = plan.slices.filter(slice => slice.detail === level).map(slice => slice.year);
        return own.length === 0 ? [] : [[level, own.sort((a, b) => a - b)] as const];
      }),
    ),
  };
}

/** The contract's example queries; in a release with fewer rows than promised, only those that find something. */
async function examplesOf(
  plan: DatasetPlan,
  slices: readonly SliceEntry[],
  holdings: Holdings,
  { staging, contracts, temporary, recipes }: DatasetDocumentsInput,
): Promise<Dataset['exampleQueries']> {
  const { dataset } = plan;
  const { exampleQueries: examples, domain, topic } = dataset;
  if (examples.length === 0 || coverageNote(dataset, holdings) === null) return examples;
  const folder = datasetFolder(domain, topic);
  const levels = holdings.levels.map(detail => ({
    detail,
    files: slices
      .filter(slice => slice.detail === detail)
      .flatMap(slice => slice.files.parquet.map(file => staging.locate(`${folder}/${file.path}`))),
  }));
  const columns = publishedColumns(dataset, contracts).map(column => column.row.name);
  const answered = await recipes.cache.make(levelsRecipe('examples', plan, recipes, null), async () => ({
    value: await answeredQueries(examples, topic, levels, columns, temporary),
    files: [],
  }));
  if (answered.length > 0) return answered;
  const year = dataset.time.yearColumn;
  const last = holdings.years.at(-1);
  if (year === null) {
    const query = `SELECT * FROM ${identifier(topic)} LIMIT 10`;
    return [{ description: 'Ten rows', query }];
  }
  return [
    {
      description: `Ten rows of ${last}`,
      query: `SELECT * FROM ${identifier(topic)} WHERE ${identifier(year)} = ${last} LIMIT 10`,
    },
  ];
}

export async function writeDataset(
  plan: DatasetPlan,
  findings: DatasetFindings,
  input: DatasetDocumentsInput,
): Promise<DatasetRecord> {
  const { staging, contracts, sample } = input;
  const { dataset } = plan;
  const slices = await stageSlices(plan, input);
  const copies = await stageCopies(plan, input);
  const rows = slices.reduce((sum, slice) => sum + slice.rows, 0);
  const holdings = holdingsOf(plan, rows);
  const release = releaseOf(plan, input);
  const stamp: Stamp = { format: FORMAT, release, ...(sample ? { sample: true as const } : {}) };
  const filters = datasetFilters(dataset, contracts, holdings.levels);
  const examples = await examplesOf(plan, slices, holdings, input);
  const schema = schemaDocument(stamp, dataset, contracts, holdings, examples);
  const manifestPath = datasetManifestPath(dataset.domain, dataset.topic);
  const made: MadeDataset = {
    dataset,
    stamp,
    schema,
    ...findings,
    levels: [...new Set(slices.map(slice => slice.detail))].sort(),
    statisticsOf: detail => statisticsDocument(plan, detail, slices, input),
  };
  const documents = await writeDocuments(made, staging);
  const columns = publishedColumns(dataset, contracts);
  const { publisher } = contracts;
  const described: DatasetManifest = {
    ...stamp,
    dataset: dataset.key,
    version: dataset.version,
    schema_hash: dataset.schemaHash,
    license: publisher.license,
    attribution: publisher.attribution,
    rows,
    columns: columns.map(column => column.row),
    order: dataset.order,
    place: dataset.placeColumns,
    key_columns: keyColumns(dataset, filters),
    slices,
    copies,
    documents: [],
  };
  const released = {
    key: dataset.key,
    homes: [dataset.key],
    title: dataset.title,
    manifest: described,
    schema,
    columns,
    errata: dataset.errata,
    metadata: { subject: { dataset: dataset.key }, version: dataset.version, publisher, sample },
    forget: forgottenScopes(dataset),
  };
  documents.push(...(await writeReleaseChanges(staging, released, input.earlier)));
  const manifest: DatasetManifest = { ...described, documents };
  const file = await staging.write(manifestPath, documentText(manifest));
  return {
    schema,
    manifest,
    summary: datasetSummary(dataset, holdings),
    entry: { key: dataset.key, release, rows, path: manifestPath, ...file },
    rules: countRules(findings.rules),
    errata: dataset.errata,
  };
}

/** Writes the documents of the register that the dataset has. */
async function writeDocuments(made: MadeDataset, staging: Staging): Promise<PublishedFile[]> {
  const { domain, topic } = made.dataset;
  const manifestPath = datasetManifestPath(domain, topic);
  const written: PublishedFile[] = [];
  for (const { path, of, when, render } of DATASET_DOCUMENTS) {
    if (when?.(made) === false) continue;
    for (const detail of of === 'level' ? made.levels : ['']) {
      const file = path(domain, topic, detail);
      const text = textOf(await render(made, detail));
      written.push({ path: relativeLink(manifestPath, file), ...(await staging.write(file, text)) });
    }
  }
  return written;
}

/** What the contract takes back from earlier releases. */
function forgottenScopes({
  withdrawnSlices,
  errata,
}: Dataset): { reason: string; years: readonly number[]; levels: readonly string[] }[] {
  return [
    ...withdrawnSlices.map(one => ({ ...one, reason: one.reason })),
    ...errata.map(one => ({ ...one, reason: one.wrong })),
  ].flatMap(({ forget, reason, years, levels }) => (forget === true ? [{ reason, years, levels }] : []));
}

/** The release of a dataset whose rows are written. It is known before its documents are. */
export function releaseOf(
  plan: DatasetPlan,
  input: Pick<DatasetDocumentsInput, 'contracts' | 'written' | 'dimensionReleases'>,
): string {
  const { dataset } = plan;
  const slices = plan.slices
    .map(({ year, detail }) => {
      const release = input.written.slices.get(dataset.key)?.get(sliceName({ year, detail }))?.release;
      if (release === undefined) throw new Error(`${dataset.key} ${year} ${detail} was not made.`);
      return { year, detail, release };
    })
    .sort(byYearAndLevel);
  return datasetRelease(dataset.source.published, sliceReleases(slices), joinedReleases(plan, input));
}

function sliceReleases(slices: readonly (SliceKey & { readonly release: string })[]): NamedRelease[] {
  return slices.map(slice => ({ name: sliceName(slice), release: slice.release }));
}

function joinedReleases(
  plan: DatasetPlan,
  { contracts, dimensionReleases }: Pick<DatasetDocumentsInput, 'contracts' | 'dimensionReleases'>,
): NamedRelease[] {
  const keys = [...new Set(plan.dataset.foreignKeys.map(key => key.dimension))].sort();
  return keys.map(key => ({
    name: contracts.dimensions.get(key)?.name ?? key,
    release: dimensionReleases.get(key) ?? '',
  }));
}
