import { contractPath, datasetFolder, NO_YEAR, relativeLink, yearSegment } from '../format/paths.ts';
import { readBaseColumns } from './base-columns.ts';
import { checkComparability } from './comparability.ts';
import type { RawContract, RawObject } from './contract-profile.ts';
import type { ContractTable } from './contract-table.ts';
import { OBJECT_SHAPE, type ObjectProperties, ROOT_SHAPE, type RootProperties } from './custom-profile.ts';
import { type CustomProperties, readCustomProperties } from './custom-properties.ts';
import type { Column, Dataset } from './dataset.ts';
import { readTopic } from './dataset-name.ts';
import { isPlaceRole, readFactColumn } from './fact-columns.ts';
import { readFileLayout } from './file-layout.ts';
import { hasRange, rangeParameters } from './filters.ts';
import { readGrain } from './grain.ts';
import { roleGuess } from './guessed-roles.ts';
import { readErrata, readWithdrawn } from './history-notes.ts';
import { type JoinStatement, readJoins } from './joins.ts';
import { readKeyMetric } from './key-metric.ts';
import { readKeysOfLevels, readLevels, readYearsOfLevels } from './levels.ts';
import { checkPathTemplate } from './path-template.ts';
import type { Problems } from './problems.ts';
import { readRules } from './quality-rules.ts';
import { readQuestions } from './readers-words.ts';
import { checkSchemaHash, schemaHash } from './schema-hash.ts';
import { NO_YEARS, readTime, statesYears } from './time.ts';
import { withoutWithdrawn } from './withdrawn-slices.ts';
import { sourceOf } from './yaml-document.ts';
import { checkYearExample, readYears } from './years.ts';

/** A dataset whose joins have not been linked to the dimensions' contracts yet. */
export interface DatasetDraft extends Omit<Dataset, 'foreignKeys' | 'levelKeys'> {
  readonly joins: readonly JoinStatement[];
  /** `level_keys`; empty if the contract does not state it. */
  readonly keysOfLevels: ReadonlyMap<string, readonly string[]>;
  /** Whether every column could be read. */
  readonly complete: boolean;
}

/**
 * Compiles one table of a contract to a dataset. A draft with an error among `problems` is not published, but the other
 * contracts are still checked against it. Returns null if the dataset's name cannot be read.
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
  // A column that could not be read may be the one with the time.
  // Another tool's contract may state years in a property of our name, and have no column of them.
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
  checkRangeNames(columns, problems);
  if (years && !open.years) checkYearExample(read, promised.years, problems);
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
    updateFrequency: root.values.update_frequency ?? null,
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
    synonyms: root.values.synonyms ?? [],
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

/** The Parquet files of a dataset, from its contract in the tree. */
function rowsFrom({ domain, topic }: { domain: string; topic: string }, timeless: boolean): string {
  const years = timeless ? yearSegment(NO_YEAR) : 'year=*';
  const files = `${datasetFolder(domain, topic)}/${years}/*.parquet`;
  return relativeLink(contractPath(domain, topic, 'yaml'), files);
}

/** Warns about columns whose names are those of other columns' range parameters (`range-shadowed`). */
function checkRangeNames(columns: readonly Column[], problems: Problems): void {
  for (const column of columns.filter(hasRange)) {
    for (const [bound, param] of rangeParameters(column.name)) {
      const own = columns.find(candidate => candidate.name === param);
      if (own === undefined) continue;
      const message = `requests cannot ask for rows whose ${column.name} is at ${bound === 'min' ? 'least' : 'most'} a value, because the parameter ${param} belongs to this column: rename one of the two to have both`;
      problems.warningAt(own.place, 'range-shadowed', message);
    }
  }
}

/** Tells which roles are guesses, and which years follow from the lake. */
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
    const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
    problems.guess(table, `${noun}: ${names.slice(0, SHOWN).join(', ')}${more}`);
  }
  if (isOpen) problems.guess(table, 'the years are those of the rows');
}

/** How many columns a guess names. */
const SHOWN = 20;

const GUESSED = [
  ['year', 'the year'],
  ['time', 'the time'],
  ['metric', 'measures'],
  ['categorical', 'categories (a text whose values hardly repeat is not listed)'],
  ['attribute', 'descriptions'],
] as const;

/** A contract of one table is named like it; otherwise each table has a name of its own. */
function titleOf(raw: RawContract, table: RawObject, topic: string): string {
  const own = table.businessName ?? table.name;
  return (raw.schema?.length === 1 ? (raw.name ?? own) : own) ?? topic;
}

function readExampleQueries(object: CustomProperties<ObjectProperties>): Dataset['exampleQueries'] {
  return (object.values.example_queries ?? []).map(({ description, query }) => ({ description, query }));
}
