/** Derives search.json from the documents of the tree. */
import { type DimensionEnvelope, FORMAT, type Scalar } from '../../../build/format/documents.ts';
import { dimensionFolder } from '../../../build/format/paths.ts';
import type { Choice, ExploredDataset, Overlap } from '../view/dataset.ts';
import { titleName } from '../view/format.ts';
import { deriveJoins, placesAt } from '../view/places.ts';
import type {
  SearchDataset,
  SearchDimension,
  SearchDocument,
  SearchMetric,
  SearchPlaceRows,
} from '../view/search-document.ts';
import { coveredSummary } from '../view/wording.ts';
import type { DatasetDocuments, DimensionDocuments, Documents, OpenDataset } from './documents.ts';

export async function deriveSearchDocument(documents: Documents): Promise<SearchDocument> {
  const { manifest, withdrawn } = documents;
  const described = await Promise.all(documents.datasets.map(describeDataset));
  return {
    format: FORMAT,
    release: manifest.release,
    ...(manifest.sample ? { sample: true } : {}),
    datasets: described.map(one => one.dataset),
    ...(withdrawn.length > 0 && {
      withdrawn: withdrawn.map(({ key, title, withdrawn: date, reason }) => ({
        key,
        title,
        withdrawn: date,
        reason,
      })),
    }),
    dimensions: await searchDimensions(documents, described),
  };
}

/** Derives a dataset's search entry, and the levels with rows about places. */
interface DescribedDataset {
  readonly dataset: SearchDataset;
  readonly domain: string;
  readonly places: readonly (SearchPlaceRows & { readonly dimension: string })[];
}

async function describeDataset(dataset: DatasetDocuments): Promise<DescribedDataset> {
  const opened = await dataset.open();
  const { key, schema, explored } = opened;
  const whole = explored.levels.find(level => level.places.length === 0 && level.years.length > 0);
  return {
    dataset: {
      key,
      title: schema.title,
      summary: coveredSummary(schema),
      tags: schema.tags,
      labels: schema.columns.map(column => column.label),
      ...(schema.synonyms && { synonyms: schema.synonyms }),
      metrics: explored.metrics.map(({ column }) => ({
        column: column.name,
        label: column.label,
        ...(column.synonyms && { synonyms: column.synonyms }),
      })),
      levels: schema.detail_levels,
      ...(whole && { whole: whole.name }),
      ...(schema.area && { area: schema.area }),
      years: schema.available_years,
      metric: searchMetric(explored),
    },
    domain: schema.main_topic,
    places: placeRows(opened),
  };
}

function searchMetric(dataset: ExploredDataset): SearchMetric | null {
  const { schema, metrics, fields, yearColumn } = dataset;
  const metric = metrics.find(({ column }) => column.name === schema.key_metric);
  if (metric === undefined) return null;
  const { name, label, unit, null_meaning } = metric.column;
  return {
    column: name,
    label,
    unit,
    null_meaning,
    margin: metric.margin?.name ?? null,
    year: yearColumn,
    breaks: breaksOf(dataset),
    axes: fields
      .filter(field => field.kind === 'axis')
      .map(({ param, column, label, total, headline, choices, overlap }) => ({
        param,
        column,
        label,
        total,
        values: [...choices]
          .sort((a, b) => Number(b.value === headline) - Number(a.value === headline))
          .map(choice => [choice.value, choice.label] as const),
        ...(overlap && { groups: groupsOf(overlap, choices) }),
      })),
  };
}

/** Lists the categories of which the axis has several values. */
function groupsOf({ categoryOf, nameOf }: Overlap, choices: readonly Choice[]) {
  const categories = [...new Set(choices.flatMap(({ value }) => categoryOf.get(value) ?? []))];
  return categories
    .map(category => ({
      label: nameOf.get(category) ?? titleName(category),
      values: choices.map(({ value }) => value).filter(value => categoryOf.get(value) === category),
    }))
    .filter(({ values }) => values.length > 1);
}

/** Returns the last years before a break of the key metric's series. */
function breaksOf({ schema, comparability }: ExploredDataset, detail?: string): number[] {
  const { key_metric } = schema;
  return key_metric === null ? [] : comparability.breaksOf(key_metric, detail).map(({ after }) => after);
}

/** A dimension under several domains has the same bytes: it counts once. */
async function searchDimensions(
  documents: Documents,
  described: readonly DescribedDataset[],
): Promise<SearchDimension[]> {
  const found: { readonly one: DimensionDocuments; readonly domains: string[] }[] = [];
  for (const one of documents.dimensions) {
    const known = found.find(
      other => other.one.schema.name === one.schema.name && other.one.schema.release === one.schema.release,
    );
    if (known) known.domains.push(one.domain);
    else found.push({ one, domains: [one.domain] });
  }
  const result: SearchDimension[] = [];
  for (const { one, domains } of found) {
    const datasets = described
      .filter(({ domain }) => domains.includes(domain))
      .flatMap(({ places }) => places)
      .filter(({ dimension }) => dimension === one.schema.name)
      .map(({ dimension: _, ...rows }) => rows);
    if (datasets.length === 0) continue;
    const { name, title, primary_key } = one.schema;
    const several = found.filter(other => other.one.schema.name === name).length > 1;
    result.push({
      id: several ? `${one.domain}.${name}` : name,
      name,
      domain: one.domain,
      title,
      key: primary_key,
      datasets,
      places: await readPlaces(documents, one),
    });
  }
  return result.sort((a, b) => a.places.length - b.places.length || (a.id < b.id ? -1 : 1));
}

/** Lists the levels whose rows are about a dimension's members. */
function placeRows({ key, schema, manifest, explored }: OpenDataset): DescribedDataset['places'] {
  const joins = deriveJoins(schema);
  const params = new Set(explored.fields.map(field => field.param));
  return explored.levels.flatMap(level => {
    const here = placesAt(level, joins);
    const names = here.map(one => one.dimension);
    return here
      .filter(({ dimension }, i) => names.indexOf(dimension) === i)
      .filter(({ columns }) => columns.every(column => manifest.place.includes(column) && params.has(column)))
      .map(({ dimension, columns }) => ({
        dimension,
        key,
        detail: level.name,
        params: columns,
        alone: here.length === 1,
        breaks: breaksOf(explored, level.name),
      }));
  });
}

type DimensionRow = Readonly<Record<string, Scalar | null>>;

async function readPlaces(documents: Documents, one: DimensionDocuments): Promise<string[][]> {
  const rows = await readRows(documents, one);
  const { primary_key: key, attribute_columns } = one.schema;
  const name = attribute_columns[0];
  const parents = await Promise.all(
    documents.dimensions
      .filter(
        other =>
          other.domain === one.domain &&
          other.schema.primary_key.length < key.length &&
          other.schema.primary_key.every(column => key.includes(column)),
      )
      .map(async other => ({ key: other.schema.primary_key, names: await readNames(documents, other) })),
  );
  return rows.map(row => {
    const values = key.map(column => String(row[column] ?? ''));
    const within = parents.flatMap(parent => parent.names.get(keyOf(row, parent.key)) ?? []);
    const own = name === undefined ? null : row[name];
    return [own === null || own === undefined ? values.join(' ') : String(own), within.join(', '), ...values];
  });
}

/** The members of a dimension by their whole key, its parts joined by a space. */
export async function readKeys(documents: Documents, one: DimensionDocuments): Promise<string[]> {
  const rows = await readRows(documents, one);
  return rows.map(row => one.schema.primary_key.map(column => String(row[column] ?? '')).join(' '));
}

async function readNames(documents: Documents, one: DimensionDocuments): Promise<Map<string, string>> {
  const { primary_key, attribute_columns } = one.schema;
  const name = attribute_columns[0];
  if (name === undefined) return new Map();
  const rows = await readRows(documents, one);
  return new Map(
    rows.flatMap(row => {
      const text = row[name] ?? null;
      return text === null ? [] : [[keyOf(row, primary_key), String(text)] as const];
    }),
  );
}

function keyOf(row: DimensionRow, columns: readonly string[]): string {
  return JSON.stringify(columns.map(column => row[column]));
}

async function readRows(
  { source }: Documents,
  { schema, domain, manifest }: DimensionDocuments,
): Promise<DimensionRow[]> {
  const rows: DimensionRow[] = [];
  for (const { path } of manifest.files.json) {
    const text = await source.readText(`${dimensionFolder(domain, schema.name)}/${path}`);
    const page = JSON.parse(text ?? '{"data":[]}') as DimensionEnvelope & { data: DimensionRow[] };
    for (const row of page.data) rows.push(row);
  }
  return rows;
}
