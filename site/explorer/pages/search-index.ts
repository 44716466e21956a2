/** Derives search.json from the documents of the tree. */
import { type DimensionEnvelope, FORMAT, type Scalar } from '../../../build/format/documents.ts';
import { dimensionFolder } from '../../../build/format/paths.ts';
import type { Messages } from '../messages/en.ts';
import { CATALOGUES } from '../messages/languages.ts';
import { t } from '../messages/messages.ts';
import { type Choice, deriveJoins, type ExploredDataset, type Overlap, placesAt } from '../view/dataset.ts';
import { titleName } from '../view/format.ts';
import { rankMetrics } from '../view/question.ts';
import type {
  SearchAxis,
  SearchDataset,
  SearchDimension,
  SearchDocument,
  SearchMetric,
  SearchPlaceRows,
} from '../view/search-document.ts';
import { coveredSummary } from '../view/wording.ts';
import type { DatasetDocuments, DimensionDocuments, Documents } from './documents.ts';

export async function deriveSearchDocument(documents: Documents): Promise<SearchDocument> {
  const { manifest, withdrawn, service, datasets } = documents;
  return {
    format: FORMAT,
    release: manifest.release,
    ...(manifest.sample ? { sample: true } : {}),
    datasets: datasets.map(describeDataset),
    ...(withdrawn.length > 0 && { withdrawn }),
    dimensions: await searchDimensions(documents),
    ...(service.synonyms && { synonyms: service.synonyms }),
  };
}

function describeDataset({ key, schema, explored, first }: DatasetDocuments): SearchDataset {
  const { levels, comparability, yearColumn } = explored;
  const whole = levels.find(level => level.places.length === 0 && level.years.length > 0);
  return {
    key,
    title: schema.title,
    summary: coveredSummary(schema),
    tags: schema.tags,
    // Metrics have their own.
    labels: schema.columns.flatMap(({ role, label, synonyms = [] }) => [
      label,
      ...(role === 'metric' ? [] : synonyms),
    ]),
    ...(schema.synonyms && { synonyms: schema.synonyms }),
    metrics: searchMetrics(explored, first.state.metric),
    year: yearColumn,
    ...(comparability.pooledYears !== null && { pooled: comparability.pooledYears }),
    axes: searchAxes(explored),
    levels: schema.detail_levels,
    ...(whole && { whole: whole.name }),
    ...(schema.area && { area: schema.area }),
    years: schema.available_years,
  };
}

/** `start`: the measure that the page shows first. */
function searchMetrics(dataset: ExploredDataset, start: string | null): SearchMetric[] {
  const { levels, comparability } = dataset;
  return rankMetrics(dataset, start).map(({ column: { name, label, unit, synonyms }, margin }) => {
    const breaks = levels.flatMap(level => {
      const found = comparability.breaksOf(name, level.name).map(({ after }) => after);
      return found.length > 0 ? [[level.name, found] as const] : [];
    });
    return {
      column: name,
      label,
      unit,
      margin: margin?.name ?? null,
      ...(synonyms && { synonyms }),
      ...(breaks.length > 0 && { breaks: Object.fromEntries(breaks) }),
    };
  });
}

function searchAxes({ fields }: ExploredDataset): SearchAxis[] {
  return fields
    .filter(field => field.kind === 'axis')
    .map(({ param, column, label, total, headline, choices, overlap }) => ({
      param,
      column,
      label,
      total,
      ...(headline !== null && { headline }),
      values: choices.map(choice => [choice.value, choice.label] as const),
      ...(overlap && { groups: groupsOf(overlap, choices) }),
    }));
}

/** The categories with several of the axis's values. */
function groupsOf({ categoryOf, nameOf }: Overlap, choices: readonly Choice[]) {
  const categories = [...new Set(choices.flatMap(({ value }) => categoryOf.get(value) ?? []))];
  return categories
    .map(category => ({
      label: nameOf.get(category) ?? titleName(category),
      values: choices.map(({ value }) => value).filter(value => categoryOf.get(value) === category),
    }))
    .filter(({ values }) => values.length > 1);
}

/** A dimension of several domains has the same bytes in each, and is listed once. */
async function searchDimensions(documents: Documents): Promise<SearchDimension[]> {
  const { dimensions, datasets } = documents;
  const isSame = (one: DimensionDocuments, other: DimensionDocuments) =>
    one.schema.name === other.schema.name && one.schema.release === other.schema.release;
  const found = dimensions.filter((one, i) => dimensions.findIndex(other => isSame(one, other)) === i);
  const areas = datasets.flatMap(({ schema }) => schema.area ?? []);
  const idOf = ({ domain, schema: { name } }: DimensionDocuments) =>
    found.filter(other => other.schema.name === name).length > 1 ? `${domain}.${name}` : name;
  const result: SearchDimension[] = [];
  for (const one of found) {
    const { name, title, primary_key } = one.schema;
    const domains = dimensions.filter(other => isSame(one, other)).map(({ domain }) => domain);
    const rows = datasets
      .filter(({ schema }) => domains.includes(schema.main_topic))
      .flatMap(dataset => placeRows(dataset, name));
    if (rows.length === 0) continue;
    const parents = parentsOf(documents, one);
    const [parent] = [...parents].sort((a, b) => b.schema.primary_key.length - a.schema.primary_key.length);
    const outer = parent && (found.find(other => other.schema.name === parent.schema.name) ?? parent);
    result.push({
      id: idOf(one),
      name,
      domain: one.domain,
      title,
      kind: kindOf(title, areas),
      key: primary_key,
      ...(outer && { parent: { id: idOf(outer), kind: kindOf(outer.schema.title, areas) } }),
      datasets: rows,
      places: await readPlaces(documents, one, parents),
    });
  }
  return result.sort((a, b) => a.places.length - b.places.length || (a.id < b.id ? -1 : 1));
}

/** What a member of a dimension is, by the dimension's title: `county` for `Coast counties` in the area Coast. */
export function kindOf(title: string, areas: readonly string[]): string {
  // The contract may be in another language than the interface.
  const [found] = Object.values<Messages>(CATALOGUES).flatMap(language =>
    areas.flatMap(area => language.kindIn(title, area) ?? []).map(language.singular),
  );
  const one = found ?? t.singular(title);
  return /^\p{Lu}\p{Ll}/u.test(one) ? one.charAt(0).toLowerCase() + one.slice(1) : one;
}

/** The levels whose rows are about a dimension's members. */
function placeRows({ key, schema, manifest, explored }: DatasetDocuments, name: string): SearchPlaceRows[] {
  const joins = deriveJoins(schema);
  const params = new Set(explored.fields.map(field => field.param));
  return explored.levels.flatMap(level => {
    const here = placesAt(level, joins);
    const found = here.find(({ dimension }) => dimension === name);
    const isAsked = found?.columns.every(column => manifest.place.includes(column) && params.has(column));
    if (!found || !isAsked) return [];
    return [{ key, detail: level.name, params: found.columns, alone: here.length === 1 }];
  });
}

type DimensionRow = Readonly<Record<string, Scalar | null>>;

/** The dimensions whose key is a part of this one's. */
function parentsOf({ dimensions }: Documents, { domain, schema }: DimensionDocuments): DimensionDocuments[] {
  return dimensions.filter(
    other =>
      other.domain === domain &&
      other.schema.primary_key.length < schema.primary_key.length &&
      other.schema.primary_key.every(column => schema.primary_key.includes(column)),
  );
}

async function readPlaces(
  { source }: Documents,
  one: DimensionDocuments,
  parents: readonly DimensionDocuments[],
): Promise<string[][]> {
  const outer = await Promise.all(
    parents.map(async parent => {
      const members = await readMembers(source, parent);
      const names = new Map(members.map(({ key, name }) => [key.join('\n'), name]));
      return { columns: parent.schema.primary_key, names };
    }),
  );
  const members = await readMembers(source, one);
  return members.map(({ row, key, name }) => {
    const within = outer.flatMap(({ columns, names }) => names.get(textsOf(row, columns).join('\n')) ?? []);
    return [name ?? key.join(' '), within.join(', '), ...key];
  });
}

/** The whole keys of a dimension's members, their parts joined by a space. */
export async function readKeys(source: Documents['source'], one: DimensionDocuments): Promise<string[]> {
  return (await readMembers(source, one)).map(({ key }) => key.join(' '));
}

interface Member {
  readonly row: DimensionRow;
  readonly key: readonly string[];
  readonly name: string | null;
}

async function readMembers(
  source: Documents['source'],
  { schema, domain, manifest }: DimensionDocuments,
): Promise<Member[]> {
  const members: Member[] = [];
  const [first = ''] = schema.attribute_columns;
  const isText = schema.columns.some(({ name, type }) => name === first && type === 'string');
  for (const { path } of manifest.files.json) {
    const text = await source.readText(`${dimensionFolder(domain, schema.name)}/${path}`);
    const page = JSON.parse(text ?? '{"data":[]}') as DimensionEnvelope & { data: DimensionRow[] };
    for (const row of page.data) {
      const name = isText ? (row[first] ?? null) : null;
      const key = textsOf(row, schema.primary_key);
      members.push({ row, key, name: name === null ? null : String(name) });
    }
  }
  return members;
}

function textsOf(row: DimensionRow, columns: readonly string[]): string[] {
  return columns.map(column => String(row[column] ?? ''));
}
