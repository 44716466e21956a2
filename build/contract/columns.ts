/** Reads what a contract says about its columns: role, type, allowed values, labels, units. */
import { createHash } from 'node:crypto';
import type { ColumnType, DatasetQuestion, Scalar } from '../format/documents.ts';
import { isOfType, readColumnTypes } from './column-type.ts';
import type { RawObject, RawProperty } from './contract-profile.ts';
import {
  COLUMN_SHAPE,
  type ColumnProperties,
  type ObjectProperties,
  type RootProperties,
} from './custom-profile.ts';
import type { BaseColumn, Column, Place, Role, Rule, Synonym } from './dataset.ts';
import { quote, quoteList, suggestion } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import { expectsNone, parseNotIn } from './quality-rules.ts';
import { type CustomProperties, readCustomProperties } from './shape.ts';
import { readTextForm } from './text-form.ts';
import type { Path } from './yaml-document.ts';

/**
 * What datasets and dimensions both read from a column, with the parts of the contract that hold the rest.
 */
export interface ReadColumn {
  readonly base: BaseColumn;
  readonly raw: RawProperty;
  readonly custom: CustomProperties<ColumnProperties>;
  readonly path: Path;
  readonly guessed: boolean;
}

/** A name that a CSV header, a JSON key and a Parquet column can all hold. */
const NAME = /^(?!\s)[^\p{Cc}\p{Cs}\u2028\u2029\ufeff]+(?<!\s)$/u;

/** Bytes of UTF-8. */
const LONGEST_NAME = 255;

/** What is wrong with a column's name, and how to write it; null if it's right. */
export function describeWrongName(name: string): string | null {
  if (NAME.test(name) && Buffer.byteLength(name) <= LONGEST_NAME) return null;
  return `${quote(name)} cannot be the name of a column: use 1 to ${LONGEST_NAME} bytes without control characters, line breaks and outer spaces`;
}

/** Guesses a column's role; undefined to leave it open. */
type RoleGuess = (column: RawProperty, type: BaseColumn['type']) => string | undefined;

export function readBaseColumns(
  object: RawObject,
  owner: Path,
  rules: readonly Rule[],
  table: CustomProperties<ObjectProperties>,
  problems: Problems,
  guessRole: RoleGuess = () => undefined,
): readonly ReadColumn[] {
  const lines = new Map<string, number>();
  return (object.properties ?? []).flatMap((raw, index) => {
    const path = [...owner, 'properties', index];
    if (raw === null) return [];
    const stated = readCustomProperties<ColumnProperties>(raw.customProperties, path, COLUMN_SHAPE, problems);
    const isNamed = raw.name !== undefined && checkName(raw.name, path, lines, problems);
    const types = readColumnTypes(raw, stated.values.column_role === 'year', path, problems);
    if (raw.name === undefined || !isNamed || types === null) return [];
    const guess = stated.states('column_role') && problems.native ? undefined : guessRole(raw, types.type);
    const custom = guess === undefined ? stated : withRole(stated, guess);
    const guessed = custom !== stated && guess !== semanticRole(raw, types.type);
    // A row without a time belongs to no slice.
    const isTime = ['year', 'time'].includes(custom.values.column_role ?? '');
    // Requests don't filter by lists of years or of metrics.
    const isFilter = !['year', 'metric'].includes(custom.values.column_role ?? '');
    const validValues = resolveAllowedValues(raw, types.type, rules, path, problems, isFilter);
    const nullable = isTime ? raw.required === false && !guessed : raw.required !== true;
    const base: BaseColumn = {
      name: raw.name,
      ...types,
      nullable,
      missingValues: readMissingValues(custom, nullable && raw.primaryKey !== true, problems),
      form: readTextForm(raw, types.type, custom, table, path, problems),
      label: custom.values.label ?? raw.businessName ?? raw.name,
      shortDescription: custom.values.short_description ?? '',
      description: raw.description ?? '',
      validValues,
      valueLabels: readValueLabels(raw, custom, validValues, problems),
      renamedFrom: custom.values.renamed_from ?? null,
      example: readExample(raw, types.type, path, problems),
      place: problems.placeOf(path),
    };
    return [{ base, raw, custom, path, guessed }];
  });
}

/** Required columns and keys have no missing values. */
function readMissingValues(
  custom: CustomProperties<ColumnProperties>,
  mayLack: boolean,
  problems: Problems,
): BaseColumn['missingValues'] {
  const stated = custom.values.missing_values ?? [];
  if (stated.length === 0 || mayLack) return stated;
  const message =
    'the column has missing_values, which are read as NULL, but each of its rows needs a value: remove missing_values, or `required: true`';
  problems.doubt(custom.pathOf('missing_values'), 'missing-values', message);
  return [];
}

function withRole(
  stated: CustomProperties<ColumnProperties>,
  role: string,
): CustomProperties<ColumnProperties> {
  return { ...stated, values: { ...stated.values, column_role: role } };
}

function checkName(name: string, path: Path, lines: Map<string, number>, problems: Problems): boolean {
  const at = [...path, 'name'];
  const wrong = describeWrongName(name);
  if (wrong !== null) problems.doubt(at, 'column-name', wrong);
  // SQL compares names case-insensitively.
  const first = lines.get(name.toLowerCase());
  if (first === undefined) lines.set(name.toLowerCase(), problems.placeOf(at).line);
  else {
    const message = `the column ${quote(name)} is already on line ${first}: remove or rename one`;
    problems.doubt(at, 'column-duplicate', message);
  }
  return problems.native || (wrong === null && first === undefined);
}

function readExample(raw: RawProperty, type: BaseColumn['type'], path: Path, problems: Problems) {
  const example = raw.examples?.[0] ?? null;
  if (example === null || isOfType(example, type)) return example;
  const remedy = type === 'string' ? 'write it in quotes' : 'correct it';
  const message = `the example ${quote(example)} is not of type ${type} and is not published: ${remedy}`;
  problems.warning([...path, 'examples', 0], 'example-type', message);
  return null;
}

interface Statement {
  readonly values: readonly Scalar[];
  readonly place: Place;
}

/**
 * Reads a column's allowed values from any of three forms: `enum` on the property, a library rule `invalidValues` with
 * `validValues`, or a SQL rule `col NOT IN (…)`. A rule counts if it allows no exception and its severity is error.
 * Two lists that differ are a problem; the first sets the order. Returns null if no form states a list. `isFilter`:
 * whether requests can filter by the values.
 */
function resolveAllowedValues(
  raw: RawProperty,
  type: ColumnType,
  rules: readonly Rule[],
  path: Path,
  problems: Problems,
  isFilter: boolean,
): readonly Scalar[] | null {
  const statements = [...enumOf(raw, path, problems), ...rules.flatMap(rule => statementOf(rule, raw.name))];
  const typed = statements.filter(
    statement => checkTypes(statement, type, problems) && checkTexts(statement, problems),
  );
  for (const rule of rules.filter(one => one.column === raw.name && !statesList(one)))
    if (rule.measure.kind === 'invalidValues')
      checkTypes({ values: rule.measure.values, place: rule.place }, type, problems);
  const [first, ...others] = typed;
  if (first === undefined) return null;
  for (const other of others) {
    const missing = first.values.filter(value => !other.values.includes(value));
    const extra = other.values.filter(value => !first.values.includes(value));
    if (missing.length + extra.length === 0) continue;
    const parts = [
      ...(missing.length > 0 ? [`${quoteList(missing)} only there`] : []),
      ...(extra.length > 0 ? [`${quoteList(extra)} only here`] : []),
    ];
    const message = `the allowed values differ from those on line ${first.place.line} (${parts.join('; ')}): make them agree`;
    problems.doubt(other.place, 'allowed-values-disagree', message);
  }
  if (isFilter) checkListable(first, problems);
  return first.values;
}

function enumOf(raw: RawProperty, path: Path, problems: Problems): Statement[] {
  const values = (raw.enum ?? [])
    .map(entry => (typeof entry === 'object' && entry !== null ? entry.value : entry))
    .filter(value => value !== null && value !== undefined);
  if (values.length === 0) return [];
  return [{ values: [...new Set(values)], place: problems.placeOf([...path, 'enum']) }];
}

function statesList({ severity, expectation }: Rule): boolean {
  return severity === 'error' && expectsNone(expectation);
}

function statementOf(rule: Rule, column: string | undefined): Statement[] {
  if (!statesList(rule)) return [];
  const { measure } = rule;
  const list = measure.kind === 'sql' ? parseNotIn(measure.query) : null;
  const about = list?.column ?? rule.column;
  const values = measure.kind === 'invalidValues' ? measure.values : list?.values;
  if (values === undefined || about !== column) return [];
  return [{ values: [...new Set(values)], place: rule.place }];
}

function checkTypes(statement: Statement, type: ColumnType, problems: Problems): boolean {
  const wrong = statement.values.find(value => !isOfType(value, type));
  if (wrong === undefined) return true;
  const remedy =
    type === 'string' ? 'write each in quotes, as the files have it' : 'give every value that type';
  const message = `the allowed value ${quote(wrong)} is not of type ${type}: ${remedy}`;
  problems.doubt(statement.place, 'allowed-values-type', message);
  return false;
}

/** Control characters other than tab and line feed, or U+FEFF at the start. */
const UNFIT = /[\0-\x08\x0b-\x1f]|^\ufeff/;

function checkTexts(statement: Statement, problems: Problems): boolean {
  const wrong = statement.values.find(value => UNFIT.test(String(value)));
  if (wrong === undefined) return true;
  const message = `the allowed value ${quote(wrong)} contains a control character or begins with U+FEFF: remove the character`;
  problems.doubt(statement.place, 'allowed-values-text', message);
  return false;
}

/** A list of a request can't have empty values. */
function checkListable({ values, place }: Statement, problems: Problems): void {
  if (!values.includes('')) return;
  const message =
    'an allowed value is empty: requests can ask for it alone but not in a list with other values. Change the value';
  problems.warning(place, 'allowed-values-list', message);
}

/**
 * From `enum` and `value_labels`, which takes precedence and is refused if it has another label for a value. Labels of
 * allowed values come first, in their order.
 */
function readValueLabels(
  raw: RawProperty,
  custom: CustomProperties<ColumnProperties>,
  allowed: readonly Scalar[] | null,
  problems: Problems,
): Readonly<Record<string, string>> {
  const own = custom.values.value_labels ?? {};
  const listed = new Map(
    (raw.enum ?? []).flatMap(entry => {
      const { value, label = '' } = typeof entry === 'object' && entry !== null ? entry : {};
      return value === undefined || label.trim() === '' ? [] : [[String(value), label] as const];
    }),
  );
  const stated = Object.fromEntries([...listed, ...Object.entries(own)]);
  const known = (allowed ?? []).map(String);
  const others = Object.entries(own).filter(
    ([value, label]) => (listed.get(value) ?? label).trim() !== label.trim(),
  );
  if (others.length > 0) {
    const message = `value_labels and enum have different labels for ${quoteList(others.map(([value]) => value))}: make them agree`;
    problems.doubt(custom.pathOf('value_labels'), 'value-label', message);
  }
  for (const value of Object.keys(own)) {
    if (allowed === null || known.includes(value)) continue;
    const message = `value_labels has a label for ${quote(value)}, which is not an allowed value${suggestion(value, known)}: correct or remove it`;
    problems.warning(custom.pathOf('value_labels', value), 'value-label', message);
  }
  const order = new Map(known.map((value, i) => [value, i]));
  const rank = ([value]: readonly [string, string]) => order.get(value) ?? known.length;
  return Object.fromEntries(
    Object.entries(stated)
      .map(([value, label]) => [value, label.trim()] as const)
      .sort((a, b) => rank(a) - rank(b)),
  );
}

/** Returns null if the axis has a total: then the key figure is shown there. */
function readHeadlineValue(
  custom: CustomProperties<ColumnProperties>,
  allowed: readonly Scalar[] | null,
  total: string | null,
  problems: Problems,
): string | null {
  const value = custom.values.headline_value;
  if (value === undefined) return null;
  const at = custom.pathOf('headline_value');
  if (total !== null) {
    const message = `the column has the total ${quote(total)}, where the key figure is shown, so headline_value has no effect: remove it`;
    problems.warning(at, 'headline-value', message);
    return null;
  }
  const known = allowed?.map(String) ?? null;
  if (known !== null && !known.includes(value)) {
    const message = `headline_value ${quote(value)} is not an allowed value${suggestion(value, known)}: correct it`;
    problems.error(at, 'headline-value', message);
  }
  return value;
}

/** First those of the standard, then those of the custom property. */
export function readSynonyms(
  stated: RawProperty['synonyms'],
  custom: readonly string[] = [],
): readonly Synonym[] {
  const found = new Map<string, Synonym>();
  for (const one of [...(stated ?? []), ...custom.map(synonym => ({ synonym, locale: undefined }))]) {
    const word = one?.synonym?.trim() ?? '';
    if (word !== '' && !found.has(word)) found.set(word, { word, language: one?.locale ?? null });
  }
  return [...found.values()];
}

/** Drops a leading `?`. Reports views that could lead to another page. */
export function readQuestions(
  root: CustomProperties<RootProperties>,
  problems: Problems,
): readonly DatasetQuestion[] {
  return (root.values.questions ?? []).map(({ question, view }, i) => {
    const query = view.trim().replace(/^\?/, '');
    if (/[#\s]|:\/\//.test(query) || query === '') {
      const message = `the view ${quote(view)} is not the query of a page's address: write it as in detail=regions&view=map`;
      problems.error(root.pathOf('questions', i, 'view'), 'question-view', message);
    }
    return { question: question.trim(), view: query };
  });
}

const PLAIN_ROLES = ['year', 'time', 'categorical', 'metric', 'attribute'];
const ROLES = [...PLAIN_ROLES, 'fk_demographic', 'fk_county', 'fk_district', 'fk_school'];

/** Reads role, unit, range and total. Returns null, with a problem, if the role isn't valid. */
export function readFactColumn(
  { base, raw, custom, path, guessed }: ReadColumn,
  problems: Problems,
): Column | null {
  const { values } = custom;
  const role = values.column_role;
  if (role === undefined || !isRole(role)) {
    if (role === undefined && custom.states('column_role')) return null;
    const what =
      role === undefined
        ? `the column ${quote(base.name)} has no column_role`
        : `there is no role ${quote(role)}`;
    const message = `${what}${suggestion(role ?? '', ROLES)}: use year, time, categorical, metric, attribute or fk_<noun>`;
    problems.doubt(custom.pathOf('column_role'), 'column-role', message);
    return null;
  }
  if (role === 'year' && (base.type !== 'integer' || base.nullable)) {
    const message = `the year column ${quote(base.name)} must be logicalType: integer and required: true`;
    problems.doubt([...path, base.type === 'integer' ? 'required' : 'logicalType'], 'year-column', message);
  }
  if (role === 'time') checkTimeColumn(base, path, problems);
  const { semanticType } = raw;
  if (semanticType === 'measure' ? role !== 'metric' : semanticType === 'dimension' && role === 'metric') {
    const message = `the build reads the column in the role ${role}, but its semanticType is ${semanticType}: make them agree; a measure is a number`;
    problems.warning([...path, 'semanticType'], 'semantic-type', message);
  }
  const { value_min: valueMin = null, value_max: valueMax = null } = values;
  if (valueMin !== null && valueMax !== null && valueMin > valueMax) {
    const message = `value_max ${valueMax} is below value_min ${valueMin}: swap or correct them`;
    problems.doubt(custom.pathOf('value_max'), 'value-range', message);
  }
  if (values.has_total === false && values.total_value !== undefined) {
    const message = `has_total is false, but total_value is ${quote(values.total_value)}: the build treats the column as one without a total; correct one of the two`;
    problems.warning(custom.pathOf('total_value'), 'total-contradiction', message);
  }
  const totalValue =
    values.has_total === false ? null : (values.total_value ?? (values.has_total ? 'all' : null));
  if (totalValue !== null && base.validValues !== null && !base.validValues.includes(totalValue)) {
    const message = `the total ${quote(totalValue)} is not among the allowed values${suggestion(totalValue, base.validValues.map(String))}: add it or correct total_value`;
    const at = custom.states('total_value') ? 'total_value' : 'has_total';
    problems.doubt(custom.pathOf(at), 'total-value', message);
  }
  return {
    ...base,
    role,
    guessed,
    unit: values.unit ?? null,
    valueMin,
    valueMax,
    nullMeaning: values.null_meaning ?? null,
    grainContributor: values.key_metric_grain_contributor ?? false,
    metricComponent: values.metric_component ?? null,
    totalValue,
    derivedFrom: null,
    headlineValue: readHeadlineValue(custom, base.validValues, totalValue, problems),
    synonyms: readSynonyms(raw.synonyms, values.synonyms),
  };
}

function checkTimeColumn({ name, type, nullable }: BaseColumn, path: Path, problems: Problems): void {
  if (!['date', 'timestamp', 'string'].includes(type)) {
    const remedy = type === 'integer' ? '; a column of whole years has the role year' : '';
    const message = `the time column ${quote(name)} must be logicalType: date, timestamp or string${remedy}`;
    problems.doubt([...path, 'logicalType'], 'time-column', message);
  } else if (nullable) {
    const message = `the time column ${quote(name)} must be required: true`;
    problems.doubt([...path, 'required'], 'time-column', message);
  }
}

function isRole(role: string): role is Role {
  return PLAIN_ROLES.includes(role) || /^fk_[a-z0-9][a-z0-9_]{0,59}$/.test(role);
}

export function isForeignKey(role: Role): boolean {
  return role.startsWith('fk_');
}

export function isPlaceRole(role: Role): boolean {
  return isForeignKey(role) && role !== 'fk_demographic';
}

/** "Year" in the languages of many publishers. */
export const YEAR_WORDS =
  'year|yr|año|anio|ano|anno|année|annee|jahr|jaar|år|aar|vuosi|rok|rik|год|рік|έτος|年|年度|연도|tahun|yıl|yil';

const YEAR = new RegExp(
  `^(?:(?:fiscal|school|calendar|academic|data|report(?:ing)?|survey|tax|model|crop|water)[ _-]?)?(?:${YEAR_WORDS})$`,
  'iu',
);

/** Names whose last word marks a code: its values may be numbers, but they aren't figures. */
const CODE =
  /(?:^|[ _.-]|(?<=[a-z0-9])(?=[A-Z]))(?:id|ids|uuid|code|codes|key|nr|no|num|number|fips|geoid|zip|zipcode|postcode|postal|phone|sku|isbn|ein|npi|month|quarter|week|weekday|day|hour|código|codigo|numéro|nummer|mes|trimestre|mois|monat|quartal)$/iu;

const COORDINATE = /^(?:lat|latitude|latitud|breitengrad|lon|lng|long|longitude|longitud|längengrad)$/iu;

/** Names of times in the life of a person or a permit. They don't say when a row's figures apply. */
export const LIFE_DATE = /birth|hire|valid|expir|due/i;

/** Names of times at which somebody kept a record; nor do they. */
const BOOKKEEPING = /creat|insert|updat|modif|chang|load|ingest|etl|sync|delet/i;

/** Longer texts are prose, not categories. */
const LONGEST_CATEGORY = 255;

/** Of a measure or a dimension; undefined if the role is open. */
function semanticRole({ semanticType }: RawProperty, type: ColumnType): 'metric' | 'categorical' | undefined {
  if (semanticType === 'dimension') return 'categorical';
  return semanticType === 'measure' && (type === 'number' || type === 'integer') ? 'metric' : undefined;
}

/**
 * Guesses from a table's columns: an integer named like a year is the year, otherwise a date or timestamp is
 * the time; others have the role of their `semanticType`. Without one, numbers are metrics, unless they are keys,
 * codes or listed values; coordinates and long texts are attributes; everything else is categorical.
 */
export function roleGuess(table: RawObject): RoleGuess {
  const properties = (table.properties ?? []).filter(property => property !== null);
  const moment = momentOf(properties);
  return (column, type) => {
    const name = column.name ?? '';
    if (column === moment && type === 'integer') return 'year';
    if (column === moment && (type === 'date' || type === 'timestamp')) return 'time';
    const role = semanticRole(column, type);
    if (role !== undefined) return role;
    if (COORDINATE.test(name) && type !== 'boolean') return 'attribute';
    if (type === 'number' || type === 'integer') return isCode(column, type) ? 'categorical' : 'metric';
    return lengthOf(column) > LONGEST_CATEGORY ? 'attribute' : 'categorical';
  };
}

/** The column with the year or the time, if no column states one of these roles. */
function momentOf(properties: readonly RawProperty[]): RawProperty | undefined {
  if (properties.some(property => ['year', 'time'].includes(String(roleOf(property))))) return undefined;
  const isInteger = ({ logicalType, physicalType = '' }: RawProperty) =>
    logicalType === 'integer' || (logicalType === undefined && /int|long|serial|number/i.test(physicalType));
  const named = properties.filter(({ name }) => YEAR.test(name ?? ''));
  const years = named.filter(isInteger);
  const year = years.find(({ name }) => /^(?:year|año)$/iu.test(name ?? '')) ?? years[0];
  // The build would derive a column `year` from a time, and the table already has one.
  if (year !== undefined || named.some(({ name }) => /^year$/i.test(name ?? ''))) return year;
  const times = properties
    .map(property => ({ property, type: property.logicalType ?? property.physicalType?.toLowerCase() ?? '' }))
    .filter(
      ({ property: { name = '' }, type }) =>
        /^(?:date|timestamp)/.test(type) && !BOOKKEEPING.test(name) && !LIFE_DATE.test(name),
    );
  const isKey = ({ property }: (typeof times)[number]) => property.primaryKey === true;
  const isDate = ({ type }: (typeof times)[number]) => type === 'date';
  return (times.find(isKey) ?? times.find(isDate) ?? times[0])?.property;
}

function isCode(column: RawProperty, type: 'number' | 'integer'): boolean {
  return (
    column.primaryKey === true ||
    column.unique === true ||
    (column.relationships ?? []).length > 0 ||
    (column.enum ?? []).length > 0 ||
    (type === 'integer' && (CODE.test(column.name ?? '') || YEAR.test(column.name ?? '')))
  );
}

function roleOf(column: RawProperty): unknown {
  return column.customProperties?.find(one => one?.property === 'column_role')?.value;
}

/** 0 if the contract states no limit. */
function lengthOf({ physicalType = '', logicalTypeOptions }: RawProperty): number {
  const stated = Number(logicalTypeOptions?.maxLength ?? 0);
  const stored = Number(/char\w*\s*\((\d+)\)/i.exec(physicalType)?.[1] ?? 0);
  return Math.max(Number.isFinite(stated) ? stated : 0, stored);
}

type HashedColumn = Pick<BaseColumn, 'name' | 'type' | 'validValues'> & {
  readonly role: string;
  readonly unit?: string | null;
};

/**
 * Lower-case SHA-256 of the UTF-8 text `{"columns":[[name,type,role,unit,values],…],"grain":[…]}` without
 * spaces. Columns are in contract order. `values` is null, or the allowed values as texts sorted by code
 * point. A dimension has `unit` null and its primary key as grain. Descriptions don't change the hash.
 */
export function schemaHash(columns: readonly HashedColumn[], grain: readonly string[]): string {
  const canonical = JSON.stringify({
    columns: columns.map(column => {
      const values = column.validValues?.map(String).sort(compareCodePoints) ?? null;
      return [column.name, column.type, column.role, column.unit ?? null, values];
    }),
    grain,
  });
  return createHash('sha256').update(canonical, 'utf8').digest('hex');
}

/** The prefix of hashes that this service computed. Other tools' hashes can't be checked. */
const OURS = 'civic-tree:';

export function checkSchemaHash(
  hash: string,
  root: CustomProperties<RootProperties>,
  problems: Problems,
): void {
  const stated = root.values.schema_hash;
  if (typeof stated !== 'string' || !stated.startsWith(OURS) || stated === OURS + hash) return;
  const message = `the contract states ${quote(stated)}, but its schema gives ${OURS}${hash}: correct it or leave it out`;
  problems.warning(root.pathOf('schema_hash'), 'schema-hash-stale', message);
}

/** JavaScript compares UTF-16 units, which put U+1F600 before U+FF5E. UTF-8 bytes sort by code point. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
