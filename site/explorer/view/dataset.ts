/** Derives a dataset's levels, fields and metrics from its published documents, and names its levels. */
import {
  type ColumnDescriptor,
  type ColumnType,
  type ColumnValue,
  type DimensionSchemaDocument,
  type ForeignKeyDescriptor,
  MARGIN,
  type Scalar,
  type SchemaDocument,
  type ShapeKind,
  type ValuesDocument,
} from '../../../build/format/documents.ts';
import type { DatasetManifest } from '../../../build/format/manifest.ts';
import {
  contractPath,
  datasetManifestPath,
  dimensionSchemaPath,
  NO_YEAR,
  ONLY_LEVEL,
  schemaPath,
  valuesPath,
} from '../../../build/format/paths.ts';
import { prepareDataset, type Table, type Level as TableLevel } from '../../query/table.ts';
import { locale, t } from '../messages/messages.ts';
import { type Comparability, parseComparability } from './contract.ts';
import { spellName, titleName } from './format.ts';
import { deriveTimeline, type Timeline } from './timeline.ts';

/** The documents of one release. */
interface ExploredDocuments {
  readonly schema: SchemaDocument;
  readonly values: ValuesDocument;
  readonly manifest: DatasetManifest;
  /** The contract as JSON; null if it can't be read. */
  readonly contract: unknown;
  /** Schemas of joined dimensions: they say which values overlap and which have shapes. */
  readonly dimensions: readonly DimensionSchemaDocument[];
}

export interface ExploredDataset {
  /** `domain/topic` */
  readonly key: string;
  readonly schema: SchemaDocument;
  readonly manifest: DatasetManifest;
  readonly table: Table;
  readonly levels: readonly Level[];
  /** The filters besides years and level, in their published order. */
  readonly fields: readonly Field[];
  readonly metrics: readonly Metric[];
  /** Empty in a dataset without time. */
  readonly yearColumn: string;
  /** Null in a dataset without time. */
  readonly timeline: Timeline | null;
  readonly comparability: Comparability;
}

/**
 * - `axis`: a column of the grain that is neither year nor place. Pinned at first, since rows of several values overlap.
 * - `place`: a part of a place's key.
 * - `mark`: describes a row, but isn't part of its key. Free at first.
 */
type FieldKind = 'axis' | 'place' | 'mark';

export interface Field {
  readonly param: string;
  readonly column: string;
  readonly kind: FieldKind;
  readonly type: ColumnType;
  readonly label: string;
  readonly description: string;
  /** The total of all other values; null if the axis has none. */
  readonly total: string | null;
  /** The contract's value for the key figure on an axis without a total; null if it names none. */
  readonly headline: string | null;
  /** In the contract's order if it lists them, else by name. */
  readonly choices: readonly Choice[];
  /** The column with the values' names; null if the join adds none. */
  readonly nameColumn: string | null;
  /** What the map draws for a value; null if the dimension has no shapes. */
  readonly shapes: ShapeKind | null;
  readonly overlap: Overlap | null;
}

export interface Choice {
  /** The value of the API's parameter. */
  readonly value: string;
  /** The dimension's or the contract's name for the value, else the value in plain words. */
  readonly label: string;
  /** Empty if unknown. */
  readonly years: readonly number[];
  /** Rows of all years and levels; 0 if unknown. */
  readonly rows: number;
  /** The other parts of a composite key, by parameter. */
  readonly keys: Readonly<Record<string, string>>;
}

/** Values of an axis exclude one another only within a category. */
export interface Overlap {
  readonly label: string;
  readonly categoryOf: ReadonlyMap<string, string>;
  /** The contract's words for categories. */
  readonly nameOf: ReadonlyMap<string, string>;
}

export interface Metric {
  readonly column: ColumnDescriptor;
  /** The column of its margin of error; null if it has none. */
  readonly margin: ColumnDescriptor | null;
}

/** Paths of what `readDataset` reads, from the tree's root. */
export function documentPaths(schema: SchemaDocument): string[] {
  const { main_topic, topic } = schema;
  return [...Object.values(ownPaths(`${main_topic}/${topic}`)), ...dimensionPaths(schema)];
}

function ownPaths(key: string) {
  const [domain = '', topic = ''] = key.split('/');
  return {
    schema: schemaPath(domain, topic),
    values: valuesPath(domain, topic),
    manifest: datasetManifestPath(domain, topic),
    contract: contractPath(domain, topic, 'json'),
  };
}

function dimensionPaths({ main_topic: domain, foreign_keys: joins, grain }: SchemaDocument): string[] {
  const joined = joins.filter(({ column }) => grain.includes(column));
  return [...new Set(joined.map(join => dimensionSchemaPath(domain, join.target_object)))];
}

/** Reads JSON by its path from the tree's root. */
interface DocumentReader {
  /** Throws if the document can't be read. */
  read<Document>(path: string): Promise<Document>;
  /** Null if the document can't be read. */
  readIfThere<Document>(path: string): Promise<Document | null>;
}

export async function readDataset(key: string, tree: DocumentReader): Promise<ExploredDocuments> {
  const paths = ownPaths(key);
  const [schema, values, manifest, contract] = await Promise.all([
    tree.read<SchemaDocument>(paths.schema),
    tree.read<ValuesDocument>(paths.values),
    tree.read<DatasetManifest>(paths.manifest),
    tree.readIfThere(paths.contract),
  ]);
  const dimensions = await Promise.all(
    dimensionPaths(schema).map(path => tree.readIfThere<DimensionSchemaDocument>(path)),
  );
  return {
    schema,
    values,
    manifest,
    contract,
    dimensions: dimensions.filter(dimension => dimension !== null),
  };
}

export function deriveDataset(documents: ExploredDocuments): ExploredDataset {
  const { schema, manifest, contract } = documents;
  const key = `${schema.main_topic}/${schema.topic}`;
  const yearColumn = schema.columns.find(({ role }) => role === 'year')?.name ?? '';
  const table = prepareDataset(`api/v1/${key}`, manifest, schema);
  return {
    key,
    schema,
    manifest,
    table,
    levels: deriveLevels(table, schema),
    fields: deriveFields(documents, yearColumn),
    metrics: deriveMetrics(schema.columns),
    yearColumn,
    timeline: deriveTimeline(schema, yearColumn),
    comparability: parseComparability(contract),
  };
}

function deriveFields(
  { schema, values, manifest, dimensions }: ExploredDocuments,
  yearColumn: string,
): Field[] {
  const known = new Map(values.columns.map(column => [column.param, column]));
  const columns = new Map(schema.columns.map(column => [column.name, column]));
  const rows = new Map(manifest.columns.map(column => [column.name, column]));
  return schema.filters.flatMap((filter): Field[] => {
    const { param, kind } = filter;
    const name = filter.column ?? param;
    const row = rows.get(name);
    if (!row || !['foreign_key', 'categorical', 'dimension_attribute'].includes(kind)) return [];
    const column = columns.get(name);
    const listed = known.get(param);
    const inGrain = schema.grain.includes(name) && name !== yearColumn;
    const join = schema.foreign_keys.find(key => key.column === name && kind === 'foreign_key');
    const order = column?.valid_values ?? filter.values;
    const dimension = dimensions.find(one => one.name === join?.target_object);
    let choices: readonly Choice[] | undefined;
    return [
      {
        param,
        column: name,
        kind: manifest.place.includes(name)
          ? 'place'
          : inGrain && kind !== 'dimension_attribute'
            ? 'axis'
            : 'mark',
        type: row.type,
        label: column?.label || listed?.label || titleName(name),
        description: column?.short_description || column?.description || '',
        total: column?.total_value ?? null,
        headline: column?.headline_value ?? null,
        // Derived on first use: most pages never list their thousands of places.
        get choices() {
          const labels = new Map(Object.entries(column?.value_labels ?? {}));
          // values.json doesn't list every parameter.
          const own = filter.values?.map(value => ({ value, label: labels.get(value), years: [], rows: 0 }));
          choices ??= orderChoices((listed?.values ?? own ?? []).map(toChoice(row.type)), order);
          return choices;
        },
        nameColumn: join?.attribute_columns_added.find(added => rows.has(added)) ?? null,
        shapes: dimension?.primary_key.length === 1 ? (dimension.shapes ?? null) : null,
        overlap: deriveOverlap(dimension),
      },
    ];
  });
}

type Listed = Omit<ColumnValue, 'label'> & { readonly label?: string | null | undefined };

function toChoice(type: ColumnType): (value: Listed) => Choice {
  return ({ value, label, years, rows, keys = {} }) => ({
    value: String(value),
    label: label ?? valueLabel(value, type),
    years,
    rows,
    keys: Object.fromEntries(Object.entries(keys).map(([name, part]) => [name, String(part)])),
  });
}

/** Whether a text reads as a code, which says little without its kind. */
export function isCode(text: string): boolean {
  return !/\p{Ll}|\p{Lo}/u.test(text);
}

function valueLabel(value: Scalar, type: ColumnType): string {
  if (type === 'boolean') return String(value) === 'true' ? titleName(t.format.yes) : titleName(t.format.no);
  const text = String(value);
  if (text.trim() === '') return JSON.stringify(text);
  return type === 'string' && /[a-z]/.test(text) ? titleName(text) : text;
}

/** Created on first use: that takes longer than rendering most pages. */
let collator: Intl.Collator | undefined;

/** First the values in `order`, then the others by name. */
function orderChoices(choices: readonly Choice[], order: readonly Scalar[] | null): Choice[] {
  collator ??= new Intl.Collator(locale, { numeric: true });
  const { compare } = collator;
  const rank = new Map((order ?? []).map((value, index) => [String(value), index]));
  return [...choices].sort((a, b) => {
    const byRank = (rank.get(a.value) ?? Infinity) - (rank.get(b.value) ?? Infinity);
    return byRank || compare(a.label, b.label) || compare(a.value, b.value);
  });
}

/** Reads a dimension's `semantics`: the attribute within which values exclude one another, and its categories. */
function deriveOverlap(dimension: DimensionSchemaDocument | undefined): Overlap | null {
  const semantics = dimension?.semantics;
  if (!dimension || typeof semantics !== 'object' || semantics === null) return null;
  const { exclusive_within: within, categories } = semantics as Readonly<Record<string, unknown>>;
  if (typeof within !== 'string' || typeof categories !== 'object' || categories === null) return null;
  const categoryOf = new Map<string, string>();
  for (const [category, members] of Object.entries(categories)) {
    if (Array.isArray(members)) for (const member of members) categoryOf.set(String(member), category);
  }
  const column = dimension.columns.find(({ name }) => name === within);
  const nameOf = new Map(Object.entries(column?.value_labels ?? {}));
  return { label: column?.label || titleName(within), categoryOf, nameOf };
}

function deriveMetrics(columns: readonly ColumnDescriptor[]): Metric[] {
  const figures = columns.filter(
    ({ role, type }) => role === 'metric' && (type === 'integer' || type === 'number'),
  );
  const byName = new Map(figures.map(column => [column.name, column]));
  return figures
    .filter(({ name }) => !(name.endsWith(MARGIN) && byName.has(name.slice(0, -MARGIN.length))))
    .map(column => ({ column, margin: byName.get(column.name + MARGIN) ?? null }));
}

/** Its years are empty in a dataset without time, its places if the level is the whole or has no rows. */
export interface Level extends Pick<TableLevel, 'name' | 'years' | 'places'> {
  readonly title: string;
  /** Its name within a sentence or a list. */
  readonly noun: string;
}

/** The whole has the area's own name if the publisher states it. A level that nobody named is called after its places. */
function deriveLevels({ levels }: Table, schema: SchemaDocument): Level[] {
  const joins = deriveJoins(schema);
  return [...levels.values()].map(({ name, years, places: columns, slices }) => {
    const places = slices.length === 0 ? [] : columns;
    const [own, other] = name === ONLY_LEVEL ? placesAt({ places }, joins) : [];
    const word = own && !other ? own.dimension : name;
    const area = places.length === 0 ? schema.area : undefined;
    return {
      name,
      years: years.filter(year => year !== NO_YEAR),
      places,
      title: area ?? titleName(word),
      noun: area ?? spellName(word),
    };
  });
}

type Levels = Pick<ExploredDataset, 'levels'>;

/** A level's name as a title. */
export function levelTitle({ levels }: Levels, name: string): string {
  return levels.find(one => one.name === name)?.title ?? titleName(name);
}

/** A level's name within a sentence or a list. */
export function levelName({ levels }: Levels, name: string): string {
  return levels.find(one => one.name === name)?.noun ?? spellName(name);
}

/** Whether levels say anything: "all" of an area without a name doesn't if it is the only one. */
export function hasNamedLevels({ schema, levels }: Levels & Pick<ExploredDataset, 'schema'>): boolean {
  return schema.area !== undefined || levels.some(({ places }) => places.length > 0);
}

/** A join with a dimension. `columns` are the dataset's, in the order of the dimension's primary key. */
interface Join {
  /** Name of the dimension. */
  readonly dimension: string;
  readonly columns: readonly string[];
}

export function deriveJoins({ foreign_keys }: Pick<SchemaDocument, 'foreign_keys'>): Join[] {
  return foreign_keys.map(key => ({ dimension: key.target_object, columns: localColumns(key) }));
}

/** The joined column stands for the target of the same name, else for the last target; the others keep their names. */
function localColumns({ column, target_columns }: ForeignKeyDescriptor): string[] {
  const own = target_columns.includes(column) ? column : target_columns.at(-1);
  return target_columns.map(target => (target === own ? column : target));
}

/**
 * The dimensions that a level's rows are about: those that no other dimension of the level contains. A row with a region
 * and a station is about the station. With two dimensions left, a row is about a pair.
 */
export function placesAt({ places }: Pick<Level, 'places'>, joins: readonly Join[]): Join[] {
  const here = joins.filter(join => join.columns.every(column => places.includes(column)));
  const contains = (outer: Join, join: Join) =>
    outer.columns.length > join.columns.length &&
    join.columns.every(column => outer.columns.includes(column));
  return here.filter(join => !here.some(other => contains(other, join)));
}
