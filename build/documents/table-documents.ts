/** Writes the documents of datasets, dimensions and withdrawn ones into the staged tree. */

import type { Dataset } from '../contract/dataset.ts';
import { coverageNote, dimensionDocument, schemaDocument } from '../contract/schema-document.ts';
import { nextUpdate } from '../contract/update-frequency.ts';
import {
  ofTextFormats,
  type StatisticsDocument,
  TEXT_FORMATS,
  type TextFormat,
} from '../format/documents.ts';
import type { CopyEntry, SliceEntry } from '../format/manifest.ts';
import { datasetFolder, dimensionFolder, slicePath } from '../format/paths.ts';
import { withDatabase } from '../lake/database.ts';
import { sliceName } from '../lake/inventory.ts';
import { identifier, literal, parquetRows } from '../lake/sql.ts';
import { rowsRecipe } from '../plan/pieces.ts';
import { type DatasetPlan, domainsOf, joining, type PlacedDimension, type TreePlan } from '../plan/plan.ts';
import { dimensionRowColumns } from '../slice/row-columns.ts';
import { envelopeStamp, type WrittenRows, type WrittenSlice } from '../slice/rows-writer.ts';
import {
  countRules,
  type DatasetRecord,
  type DimensionRecord,
  type WithdrawnRecord,
} from '../tree/published-records.ts';
import type { Staging } from '../tree/staging.ts';
import {
  DATASET_DOCUMENTS,
  DIMENSION_DOCUMENTS,
  type MadeDataset,
  WITHDRAWN_DATASET,
  WITHDRAWN_DIMENSION,
  writeRegistered,
} from './register.ts';
import { type Assembly, publishTable, stampOf } from './release-changes.ts';
import { datasetRelease, levelRelease } from './service-documents.ts';

type DatasetFindings = Pick<MadeDataset, 'rules' | 'values'>;

export async function writeDataset(
  one: DatasetPlan,
  findings: DatasetFindings,
  assembly: Assembly,
): Promise<DatasetRecord> {
  const { staging, plan } = assembly;
  const { contracts } = plan;
  const { dataset, holdings, columns } = one;
  const stage = stagerOf(assembly, datasetFolder(dataset.domain, dataset.topic));
  const slices = await stageSlices(one, stage, assembly);
  const copies = await stageCopies(one, stage, assembly);
  const rows = slices.reduce((sum, slice) => sum + slice.rows, 0);
  const release = releaseOf(one, assembly);
  const stamp = stampOf(release, plan);
  const examples = await examplesOf(one, slices, assembly);
  const next = nextUpdate(dataset.updateFrequency, lastNews(slices));
  const schema = {
    ...schemaDocument(stamp, dataset, contracts, holdings, examples),
    ...(next !== null && { next_update: next }),
  };
  const made: MadeDataset = {
    dataset,
    stamp,
    schema,
    ...findings,
    levels: [...new Set(slices.map(slice => slice.detail))].sort(),
    statisticsOf: detail => statisticsDocument(one, detail, slices, assembly),
  };
  const { manifest, entry } = await publishTable(
    {
      key: dataset.key,
      homes: [dataset.key],
      dataset,
      manifest: {
        ...stamp,
        dataset: dataset.key,
        ...envelopeStamp(dataset, contracts.publisher, false),
        rows,
        columns: columns.map(column => column.row),
        order: dataset.order,
        place: dataset.placeColumns,
        key_columns: one.keyColumns,
        slices,
        copies,
        documents: await writeRegistered(DATASET_DOCUMENTS, made, [dataset.domain, dataset.topic], staging),
      },
      schema,
      columns,
    },
    assembly,
  );
  return { schema, manifest, entry, rules: countRules(findings.rules), errata: dataset.errata };
}

/** When rows of the latest year were last published: a correction of earlier years brings no news. */
function lastNews(slices: readonly SliceEntry[]): string | undefined {
  const latest = Math.max(...slices.map(({ year }) => year));
  const own = slices.filter(({ year }) => year === latest).flatMap(({ files }) => files.parquet);
  return own
    .map(({ modified }) => modified.slice(0, 10))
    .sort()
    .at(-1);
}

/** The contract's queries; if rows that it promises are missing, those that find something. Without any, one that lists rows. */
async function examplesOf(
  one: DatasetPlan,
  slices: readonly SliceEntry[],
  { staging, plan, cache, temporary }: Assembly,
): Promise<Dataset['exampleQueries']> {
  const { dataset, holdings } = one;
  const { exampleQueries: examples, domain, topic } = dataset;
  if (examples.length > 0 && coverageNote(dataset, holdings) === null) return examples;
  const folder = datasetFolder(domain, topic);
  const hasLevel = one.columns.some(({ row }) => row.name.toLowerCase() === 'detail');
  const levels = holdings.levels.map(detail => {
    const files = slices
      .filter(slice => slice.detail === detail)
      .flatMap(slice => slice.files.parquet.map(file => staging.locate(`${folder}/${file.path}`)));
    const level = hasLevel ? '' : `${literal(detail)} AS detail, `;
    return { files, rows: `SELECT ${level}* FROM ${parquetRows(files)}` };
  });
  const view = `CREATE VIEW ${identifier(topic)} AS ${levels.map(one => one.rows).join(' UNION ALL ')}`;
  const files = levels.flatMap(one => one.files);
  const recipe = rowsRecipe('examples', one, one.slices, plan);
  const found = async () => ({ value: await answeredQueries(examples, view, files, temporary), files: [] });
  const answered = examples.length === 0 ? [] : await cache.make(recipe, found);
  if (answered.length > 0) return answered;
  const year = dataset.time.yearColumn;
  const last = holdings.years.at(-1);
  const [which, where] = year === null ? ['', ''] : [` of ${last}`, ` WHERE ${identifier(year)} = ${last}`];
  const query = `SELECT * FROM ${identifier(topic)}${where} LIMIT 10`;
  return [{ description: `Ten rows${which}`, query }];
}

/** The release of a dataset whose rows are written. The build knows it before it writes the documents. */
export function releaseOf(
  { dataset, slices }: DatasetPlan,
  { plan: { contracts, inventory }, made }: Pick<Assembly, 'plan' | 'made'>,
): string {
  const named = slices.map(slice => ({
    key: sliceName(slice),
    release: made.slice(slice).release,
  }));
  const keys = [...new Set(dataset.foreignKeys.map(key => key.dimension))].sort();
  const joined = keys.map(key => {
    const dimension = contracts.dimensions.get(key);
    // The lake may lack a dimension that no row needs.
    const isThere = dimension !== undefined && inventory.dimensions.has(key);
    return { key: dimension?.name ?? key, release: isThere ? made.dimension(dimension).release : '' };
  });
  return datasetRelease(dataset.source.published, named, joined);
}

/** A slower query is published unchanged. */
const SECONDS = 20;
const EXAMINED_ROWS = 100;

/**
 * Leaves out queries that find only NULL and zero. Keeps a query that fails, because it may read other
 * datasets. The texts are untrusted, so they run in a separate database with only the view and its files.
 */
async function answeredQueries(
  examples: Dataset['exampleQueries'],
  view: string,
  files: readonly string[],
  temporaryFolder: string,
): Promise<Dataset['exampleQueries']> {
  return withDatabase({ threads: 1, memoryLimit: '400MB', temporaryFolder }, async database => {
    const session = await database.connect();
    await session.run(view);
    await database.lock(files);
    const answered: Dataset['exampleQueries'][number][] = [];
    for (const example of examples) {
      const query = example.query.trim().replace(/;\s*$/, '');
      const finds = await session
        .within(SECONDS, () => session.firstRows(`SELECT * FROM (\n${query}\n)`, EXAMINED_ROWS))
        .then(rows => rows.some(row => Object.values(row).some(value => value !== null && value !== 0)))
        .catch(() => true);
      if (finds) answered.push(example);
    }
    return answered;
  });
}

async function stageSlices(
  { dataset: { domain, topic }, slices }: DatasetPlan,
  stage: Stage,
  { made, leftOut }: Assembly,
): Promise<SliceEntry[]> {
  const entries: SliceEntry[] = [];
  for (const slice of slices) {
    const { year, detail } = slice;
    const found = made.slice(slice);
    const isStored = (format: TextFormat) => !leftOut.has(slicePath(domain, topic, year, detail, format));
    const texts = ofTextFormats(format => (isStored(format) ? found[format] : []));
    const files = await stageFormats({ ...found, ...texts }, stage);
    entries.push({ year, detail, rows: found.parquet.rows, release: found.release, files });
  }
  return entries;
}

async function stageFormats(written: WrittenSlice, stage: Stage): Promise<SliceEntry['files']> {
  const texts = TEXT_FORMATS.map(async format => [format, await Promise.all(written[format].map(stage))]);
  const staged = Object.fromEntries(await Promise.all(texts)) as Omit<SliceEntry['files'], 'parquet'>;
  return { ...staged, parquet: [await stage(written.parquet)] };
}

async function stageCopies(
  { dataset, runs }: DatasetPlan,
  stage: Stage,
  { made, leftOut }: Assembly,
): Promise<CopyEntry[]> {
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const entries: CopyEntry[] = [];
  for (const copy of runs.flatMap(run => made.copies(run).copies)) {
    if (leftOut.has(`${folder}/${copy.file.path}`)) continue;
    entries.push({ ...copy, file: await stage(copy.file) });
  }
  const key = ({ file }: CopyEntry) => file.path;
  return entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Puts a file of rows into the tree. */
type Stage = <File extends WrittenRows>(file: File) => Promise<File & { readonly modified: string }>;

/** Of the files in `folder`, which are in `home` among the written ones. */
function stagerOf({ staging, made }: Assembly, folder: string, home = folder): Stage {
  return file => staging.take(`${folder}/${file.path}`, file, made.locate(`${home}/${file.path}`));
}

/**
 * The release depends only on the level's rows, so the document keeps its bytes as long as they don't change.
 */
function statisticsDocument(
  { dataset, runs }: DatasetPlan,
  detail: string,
  slices: readonly SliceEntry[],
  { plan, made }: Assembly,
): StatisticsDocument {
  const own = slices.filter(slice => slice.detail === detail);
  const [statistics] = runs.flatMap(run =>
    run.detail === detail ? (made.copies(run).statistics ?? []) : [],
  );
  if (statistics === undefined) throw new Error(`${dataset.key} has no statistics of ${detail}.`);
  const release = levelRelease(own.map(slice => ({ key: sliceName(slice), release: slice.release })));
  return { ...stampOf(release, plan), dataset: dataset.key, detail, ...statistics };
}

export async function writeDimension(
  { dimension, home, domains }: PlacedDimension,
  assembly: Assembly,
): Promise<DimensionRecord[]> {
  const { staging, plan } = assembly;
  const { name } = dimension;
  const written = assembly.made.dimension(dimension);
  const stamp = stampOf(written.release, plan);
  const rows = written.parquet.rows;
  const schema = dimensionDocument(stamp, dimension, home, rows, written.shapes);
  const made = { schema, shapes: written.shapes?.text ?? null };
  const columns = dimensionRowColumns(dimension);
  const records: DimensionRecord[] = [];
  for (const domain of domains) {
    const stage = stagerOf(assembly, dimensionFolder(domain, name), dimensionFolder(home, name));
    const published = await publishTable(
      {
        key: `${domain}/_dimensions/${name}`,
        homes: [home, ...domains].map(one => `${one}/_dimensions/${name}`),
        dataset: null,
        manifest: {
          ...stamp,
          dimension: name,
          ...envelopeStamp(dimension, plan.contracts.publisher, false),
          rows,
          columns: columns.map(column => column.row),
          order: dimension.primaryKey,
          key_columns: dimension.primaryKey,
          files: await stageFormats(written, stage),
          documents: await writeRegistered(DIMENSION_DOCUMENTS, made, [domain, name], staging),
        },
        schema: null,
        columns,
      },
      assembly,
    );
    records.push({ domain, schema, ...published });
  }
  return records;
}

/** Those of this build that the rest of the tree doesn't have. */
export async function writeWithdrawn(staging: Staging, plan: TreePlan): Promise<WithdrawnRecord[]> {
  const { rest, withdrawn } = plan;
  const kept = new Set([...rest.dimensions, ...rest.withdrawn].map(({ entry }) => entry.key));
  const contracts = [
    ...withdrawn.map(contract => ({
      contract,
      place: [contract.domain, contract.topic],
      register: WITHDRAWN_DATASET,
    })),
    ...plan.contracts.withdrawn.dimensions.flatMap(contract =>
      domainsOf(contract, joining(contract, withdrawn)).map(domain => ({
        contract,
        place: [domain, contract.name],
        register: WITHDRAWN_DIMENSION,
      })),
    ),
  ];
  const records: WithdrawnRecord[] = [];
  for (const { contract, place, register } of contracts) {
    const { withdrawal, title, version } = contract;
    const key = place.join(register === WITHDRAWN_DATASET ? '/' : '/_dimensions/');
    if (withdrawal === null || kept.has(key)) continue;
    const release = datasetRelease(contract.source.published, [], []);
    const stamp = stampOf(release, plan);
    const notice = { ...stamp, status: 'withdrawn', key, title, version, ...withdrawal } as const;
    const documents = await writeRegistered(register, { dataset: contract, notice }, place, staging);
    records.push({ title, entry: { key, release, ...withdrawal, documents } });
  }
  return records;
}
