/** Compiles one table of a contract to a dataset. */

import type { DatasetContext } from '../format/documents.ts';
import { contractPath, datasetFolder, NO_YEAR, relativeLink, yearSegment } from '../format/paths.ts';
import { someOf } from '../format/shown-text.ts';
import {
  checkSchemaHash,
  isPlaceRole,
  type ReadColumn,
  readBaseColumns,
  readFactColumn,
  readQuestions,
  readSynonyms,
  roleGuess,
  schemaHash,
} from './columns.ts';
import type { RawContract, RawObject } from './contract-profile.ts';
import type { ContractTable } from './contract-table.ts';
import { OBJECT_SHAPE, type ObjectProperties, ROOT_SHAPE, type RootProperties } from './custom-profile.ts';
import type { Column, Dataset, DatasetTime } from './dataset.ts';
import { readTopic } from './dataset-name.ts';
import { quote, quoteList, suggestion } from './diagnostic.ts';
import { checkPathTemplate, readFileLayout } from './file-layout.ts';
import type { Problems } from './problems.ts';
import { readRules } from './quality-rules.ts';
import { type CustomProperties, readCustomProperties } from './shape.ts';
import { type JoinStatement, readGrain, readJoins } from './table-keys.ts';
import { NO_FORM } from './text-form.ts';
import { serviceFrequency } from './update-frequency.ts';
import { type Path, sourceOf } from './yaml-document.ts';
import {
  checkComparability,
  readErrata,
  readKeysOfLevels,
  readLevels,
  readWithdrawn,
  readYears,
  readYearsOfLevels,
  withoutWithdrawn,
  type Years,
} from './years-and-levels.ts';

/** A dataset before its joins are linked to dimensions. */
export interface DatasetDraft extends Omit<Dataset, 'foreignKeys' | 'levelKeys'> {
  readonly joins: readonly JoinStatement[];
  /** `level_keys`; empty if not stated. */
  readonly keysOfLevels: ReadonlyMap<string, readonly string[]>;
  /** Whether every column could be read. */
  readonly complete: boolean;
}

/**
 * A draft with an error among `problems` isn't published, but other contracts are still checked against it.
 * Returns null if the dataset's name can't be read.
 */
export function compileDataset(
  { raw, document, domain, owner, served }: ContractTable,
  problems: Problems,
): DatasetDraft | null {
  const root = readCustomProperties<RootProperties>(raw.customProperties, [], ROOT_SHAPE, problems);
  const topic = readTopic(raw, served?.table ?? null, owner, problems);
  const name = domain === null || topic === null ? null : { domain, topic };
  const stated = readYears(root, problems);
  if (served === null) return null;

  const { table, leftOut } = served;
  const object = readCustomProperties<ObjectProperties>(
    table.customProperties,
    owner,
    OBJECT_SHAPE,
    problems,
  );
  const names = (table.properties ?? []).flatMap(property => property?.name ?? []);
  const rules = readRules(table, owner, names, problems);
  const read = readBaseColumns(table, owner, rules, object, problems, roleGuess(table));
  const own = read.flatMap(column => readFactColumn(column, problems) ?? []);
  const complete = own.length > 0 && own.length === served.columns;
  // If a column couldn't be read, it may be the one with the time. Another tool's contract may state years in
  // a property of our name without having a year column.
  const hasYears = problems.native && (!complete || statesYears(root, object.values.path_template));
  const { time, columns } = readTime(own, read, complete && hasYears, owner, problems);
  const timeless = time.unit === 'none' && !hasYears;
  const years = timeless ? NO_YEARS : stated;
  const identity = readGrain(object, read, read.length === served.columns, table, problems);
  const grain = identity?.columns ?? [];
  const keyMetric = readKeyMetric(object, read, complete, problems);
  const levels = readLevels(object, table.name ?? null, problems);
  const open = { years: years?.years.length === 0, levels: levels?.levels.length === 0 };
  noteGuesses(table.name ?? null, columns, open.years, problems);
  const placeColumns = grain.filter(name => columns.some(c => c.name === name && isPlaceRole(c.role)));
  const keysOfLevels = readKeysOfLevels(
    object,
    levels?.levels ?? [],
    placeColumns,
    complete && levels !== null,
    problems,
  );
  const levelYears: ReadonlyMap<string, readonly number[]> =
    years && levels && !open.years
      ? readYearsOfLevels(object, levels.levels, years.years, problems)
      : new Map();
  if (years && levels) checkComparability(object, read, years.years, levels.levels, problems);
  const pathTemplate =
    object.values.path_template ??
    `${name?.domain}/${name?.topic}/${timeless ? '' : 'year={year}/'}{detail}.parquet`;
  if (object.values.path_template !== undefined) {
    const at = object.pathOf('path_template');
    checkPathTemplate(pathTemplate, open.levels ? 1 : (levels?.levels.length ?? 2), at, problems);
  }
  const { withdrawal, slices: withdrawnSlices } = readWithdrawn(root, raw.status, problems);
  const promised = withoutWithdrawn(
    {
      years: years?.years ?? [],
      levels: levels?.levels ?? [],
      defaultLevel: levels?.defaultLevel ?? '',
      levelYears,
    },
    years && levels && !open.years && !open.levels && withdrawal === null ? withdrawnSlices : [],
    {
      withdrawn: root.pathOf('withdrawn'),
      defaultLevel: object.pathOf('default_detail'),
      statesDefault: object.states('default_detail'),
    },
    problems,
  );
  const errata = readErrata(
    root,
    { levels: open.levels ? null : (levels?.levels ?? []), columns: names },
    problems,
  );
  const joins = readJoins(object, table, read, columns, problems);
  if (name === null) return null;

  const hash = schemaHash(columns, grain);
  if (!problems.failed) checkSchemaHash(hash, root, problems);
  return {
    kind: 'dataset',
    key: `${name.domain}/${name.topic}`,
    ...name,
    version: raw.version ?? '',
    title: root.values.title ?? titleOf(raw, table, name.topic),
    description: table.description ?? raw.description?.purpose ?? '',
    subTopic: object.values.sub_topic ?? name.topic,
    summary: root.values.summary ?? '',
    purpose: raw.description?.purpose ?? '',
    usage: raw.description?.usage ?? '',
    limitations: raw.description?.limitations ?? '',
    tags: [...new Set([...(raw.tags ?? []), ...(table.tags ?? [])])],
    dataSource: root.values.source ?? null,
    dataSourceUrl: root.values.source_url ?? null,
    creator: typeof root.values.creator === 'string' ? root.values.creator.trim() || null : null,
    updateFrequency: root.values.update_frequency ?? serviceFrequency(raw.slaProperties),
    explorer: object.values.explorer ?? null,
    granularityDescription: table.dataGranularityDescription ?? '',
    time,
    open,
    yearGaps: years?.gaps ?? [],
    ...promised,
    keysOfLevels,
    pathTemplate,
    fileLayout: readFileLayout(object, columns, problems),
    columns,
    complete,
    leftOut,
    native: problems.native,
    grain,
    grainGuessed: identity?.guessed ?? false,
    order: identity?.guessed ? [...new Set([...grain, ...columns.map(column => column.name)])] : grain,
    keyMetric,
    nullSemantics: object.values.null_semantics ?? {},
    joins,
    placeColumns,
    exampleQueries: readExampleQueries(object),
    synonyms: readSynonyms(table.synonyms, root.values.synonyms),
    context: readContext([raw.context, table.context]),
    questions: readQuestions(root, problems),
    area: root.values.area?.trim() ?? null,
    rules,
    schemaHash: hash,
    errata,
    rowLossLimit: root.values.row_loss_limit ?? null,
    withdrawal,
    withdrawnSlices,
    source: sourceOf(document, owner, rowsFrom(name, timeless)),
  };
}

/** Path from the contract to the Parquet files in the tree. */
function rowsFrom({ domain, topic }: { domain: string; topic: string }, timeless: boolean): string {
  const years = timeless ? yearSegment(NO_YEAR) : 'year=*';
  const files = `${datasetFolder(domain, topic)}/${years}/*.parquet`;
  return relativeLink(contractPath(domain, topic, 'yaml'), files);
}

/** Notes which roles are guesses, and whether the lake decides the years. */
function noteGuesses(
  table: string | null,
  columns: readonly Column[],
  isOpen: boolean,
  problems: Problems,
): void {
  const guessed = columns.filter(column => column.guessed);
  for (const [role, noun] of GUESSED) {
    const names = guessed.filter(column => column.role === role).map(column => column.name);
    if (names.length === 0) continue;
    problems.guess(table, `${noun}: ${someOf(names, SHOWN)}`);
  }
  if (isOpen) problems.guess(table, 'the years are those of the rows');
}

const SHOWN = 20;

const GUESSED = [
  ['year', 'the year'],
  ['time', 'the time'],
  ['metric', 'measures'],
  ['categorical', 'categories (a text whose values hardly repeat is not listed)'],
  ['attribute', 'descriptions'],
] as const;

function titleOf(raw: RawContract, table: RawObject, topic: string): string {
  const own = table.businessName ?? table.name;
  return (raw.schema?.length === 1 ? (raw.name ?? own) : own) ?? topic;
}

function readExampleQueries(object: CustomProperties<ObjectProperties>): Dataset['exampleQueries'] {
  return (object.values.example_queries ?? []).map(({ description, query }) => ({ description, query }));
}

/** That of the contract, then that of the table. */
function readContext(stated: readonly RawContract['context'][]): DatasetContext | null {
  const all = stated.flatMap(one => (typeof one === 'string' ? { instructions: one } : (one ?? [])));
  const instructions = all.flatMap(one => one.instructions?.trim() || []);
  const constraints = all.flatMap(one => one.constraints ?? []).flatMap(one => one?.constraint ?? []);
  const statements = all
    .flatMap(one => one.verifiedStatements ?? [])
    .flatMap(one => {
      const { question, answer } = one ?? {};
      if (question === undefined) return [];
      return answer === undefined ? { question } : { question, answer };
    });
  if (instructions.length + constraints.length + statements.length === 0) return null;
  return {
    ...(instructions.length > 0 && { instructions: instructions.join('\n') }),
    ...(constraints.length > 0 && { constraints }),
    ...(statements.length > 0 && { verified_statements: statements }),
  };
}

/**
 * Reads the key metric from the table's `key_metric`, or from the column flagged with it. Returns null if
 * neither states one. Reports `key-metric` if they disagree or if it isn't a metric. The last only if every
 * column could be read.
 */
function readKeyMetric(
  object: CustomProperties<ObjectProperties>,
  columns: readonly ReadColumn[],
  complete: boolean,
  problems: Problems,
): string | null {
  const fail = (path: Path, message: string) => {
    problems.doubt(path, 'key-metric', message);
    return null;
  };
  const [flagged, second] = columns.filter(({ custom }) => custom.values.key_metric === true);
  if (second !== undefined) {
    const message = `${quote(flagged?.base.name)} is also flagged key_metric: flag only one column`;
    return fail(second.custom.pathOf('key_metric'), message);
  }
  const name = object.values.key_metric ?? flagged?.base.name;
  if (name === undefined) return null;
  const path =
    object.values.key_metric === undefined
      ? flagged!.custom.pathOf('key_metric')
      : object.pathOf('key_metric');
  if (flagged !== undefined && flagged.base.name !== name) {
    const message = `the key metric is ${quote(name)}, but ${quote(flagged.base.name)} is flagged key_metric: make them agree`;
    return fail(path, message);
  }
  const metrics = columns
    .filter(({ custom }) => custom.values.column_role === 'metric')
    .map(({ base }) => base.name);
  if (metrics.includes(name) || !complete) return name;
  const message = `the key metric ${quote(name)} is not a metric column${suggestion(name, metrics)}: name a metric column`;
  return fail(path, message);
}

const DERIVED_YEAR = 'year';

/** The first unit is the default, except for texts. */
const UNITS = {
  date: ['day', 'month', 'quarter', 'year'],
  timestamp: ['instant'],
  string: ['quarter', 'month'],
} as const;

/** They sort by time. */
export const PERIOD_TEXTS = {
  // T stands for trimestre.
  quarter: { pattern: '^[0-9]{4}-?[QT][1-4]$', example: '2024-Q1 or 2024T1' },
  month: { pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$', example: '2024-01' },
} as const;

const YEARLESS: DatasetTime = { unit: 'none', column: null, yearColumn: null };

const NO_YEARS: Years = { years: [NO_YEAR], gaps: [] };

function statesYears(root: CustomProperties<RootProperties>, pathTemplate: string | undefined): boolean {
  const stated = (['year_range', 'year_gaps', 'available_years'] as const).some(name => root.states(name));
  return stated || pathTemplate?.includes('{year}') === true;
}

interface ReadTime {
  readonly time: DatasetTime;
  /** With the derived year column, if any, first. */
  readonly columns: readonly Column[];
}

/**
 * A dataset without `time` and `year` columns has no time, unless the contract states years: then it's a
 * `year-column` problem.
 */
function readTime(
  columns: readonly Column[],
  read: readonly ReadColumn[],
  hasYears: boolean,
  owner: Path,
  problems: Problems,
): ReadTime {
  const years = columns.filter(column => column.role === 'year');
  const times = columns.filter(column => column.role === 'time');
  const [year] = years;
  const [time] = times;
  if (times.length > 1) {
    const message = `${times.length} columns have the role time: give it to one, and make the others categorical`;
    problems.doubt(times[1]!.place, 'time-column', message);
  }
  if (years.length > 1 || (years.length === 0 && time === undefined && hasYears)) {
    const what =
      years.length === 0
        ? 'no column has the role year or time, but the contract states years'
        : `${years.length} columns have the role year`;
    const at = years[1]?.place ?? problems.placeOf([...owner, 'properties']);
    problems.doubt(at, 'year-column', `${what}: give it to exactly one`);
  }
  if (time === undefined) {
    if (year === undefined) return { time: YEARLESS, columns };
    return { time: { unit: 'year', column: year.name, yearColumn: year.name }, columns };
  }
  const unit = readUnit(time, read, problems) ?? 'day';
  if (year !== undefined) return { time: { unit, column: time.name, yearColumn: year.name }, columns };
  const taken = columns.find(column => column.name.toLowerCase() === DERIVED_YEAR);
  if (taken !== undefined) {
    const message = `the build adds a column ${quote(DERIVED_YEAR)}, the year of ${time.name}: rename this one, or give it the role year`;
    problems.doubt(taken.place, 'column-reserved', message);
  }
  return {
    time: { unit, column: time.name, yearColumn: DERIVED_YEAR },
    columns: taken === undefined ? [derivedYear(time), ...columns] : columns,
  };
}

function readUnit(
  time: Column,
  read: readonly ReadColumn[],
  problems: Problems,
): DatasetTime['unit'] | undefined {
  const own = read.find(({ base }) => base.name === time.name);
  const units: readonly DatasetTime['unit'][] = UNITS[time.type as keyof typeof UNITS] ?? [];
  const stated = own?.custom.values.time_unit;
  if (units.length === 0 || own === undefined) return undefined;
  const found = units.find(unit => unit === stated);
  if (found !== undefined) return found;
  if (stated === undefined && time.type !== 'string') return units[0];
  const forms = Object.entries(PERIOD_TEXTS).map(([unit, { example }]) => `${unit} (${example})`);
  const message =
    stated === undefined
      ? `the time column ${quote(time.name)} is a string, which can hold ${forms.join(' or ')}: add its time_unit, or make it a date`
      : `a time column of type ${time.type} has no time_unit ${quote(stated)}: use ${quoteList(units)}`;
  problems.doubt(own.custom.pathOf('time_unit'), 'time-column', message);
  return undefined;
}

function derivedYear({ name, label, place }: Column): Column {
  return {
    name: DERIVED_YEAR,
    type: 'integer',
    physical: 'int',
    role: 'year',
    guessed: false,
    nullable: false,
    form: NO_FORM,
    label: 'Year',
    shortDescription: '',
    description: `The year of ${label}, which the build derives from ${name}.`,
    validValues: null,
    missingValues: [],
    valueLabels: {},
    renamedFrom: null,
    example: null,
    unit: null,
    valueMin: null,
    valueMax: null,
    nullMeaning: null,
    grainContributor: false,
    metricComponent: null,
    totalValue: null,
    headlineValue: null,
    synonyms: [],
    derivedFrom: name,
    place,
  };
}
