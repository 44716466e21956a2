import { readBaseColumns } from './base-columns.ts';
import { checkComparability } from './comparability.ts';
import { checkName } from './contract-name.ts';
import type { RawContract } from './contract-profile.ts';
import { OBJECT_SHAPE, type ObjectProperties, ROOT_SHAPE, type RootProperties } from './custom-profile.ts';
import { type CustomProperties, readCustomProperties } from './custom-properties.ts';
import type { Column, Dataset } from './dataset.ts';
import { isPlaceRole, readFactColumn } from './fact-columns.ts';
import { hasRange, rangeParameters } from './filters.ts';
import { readGrain } from './grain.ts';
import { readErrata, readWithdrawn } from './history-notes.ts';
import { type JoinStatement, readJoins } from './joins.ts';
import { readKeyMetric } from './key-metric.ts';
import { readKeysOfLevels, readLevels, readYearsOfLevels } from './levels.ts';
import { checkPathTemplate } from './path-template.ts';
import type { Problems } from './problems.ts';
import { readRules } from './quality-rules.ts';
import { checkSchemaHash, schemaHash } from './schema-hash.ts';
import { NO_YEARS, readTime, statesYears } from './time.ts';
import { withoutWithdrawn } from './withdrawn-slices.ts';
import { type Path, sourceOf, type YamlDocument } from './yaml-document.ts';
import { checkYearExample, readYears } from './years.ts';

/** A dataset whose joins have not been linked to the dimensions' contracts yet. */
export interface DatasetDraft extends Omit<Dataset, 'foreignKeys' | 'levelKeys'> {
  readonly joins: readonly JoinStatement[];
  /** `level_keys`; empty if the contract does not state it. */
  readonly keysOfLevels: ReadonlyMap<string, readonly string[]>;
  /** Whether every column could be read. */
  readonly complete: boolean;
}

const TABLE: Path = ['schema', 0];

/**
 * Compiles one dataset's contract. A draft with an error among `problems` is not published, but the other contracts
 * are still checked against it. Returns null if the dataset's name cannot be read.
 */
export function compileDataset(
  raw: RawContract,
  document: YamlDocument,
  problems: Problems,
): DatasetDraft | null {
  const table = raw.schema?.[0] ?? null;
  const root = readCustomProperties<RootProperties>(raw.customProperties, [], ROOT_SHAPE, problems);
  const name = readDatasetName(raw, document, problems);
  if (table === null) {
    readYears(root, [], problems);
    return null;
  }

  const object = readCustomProperties<ObjectProperties>(
    table.customProperties,
    TABLE,
    OBJECT_SHAPE,
    problems,
  );
  const names = (table.properties ?? []).flatMap(property => property?.name ?? []);
  const rules = readRules(table, TABLE, names, problems);
  const read = readBaseColumns(table, TABLE, rules, problems);
  const own = read.flatMap(column => readFactColumn(column, problems) ?? []);
  const complete = own.length > 0 && own.length === table.properties?.length;
  // A column that could not be read may be the one with the time.
  const hasYears = !complete || statesYears(root, object.values.path_template);
  const { time, columns } = readTime(own, read, complete && hasYears, TABLE, problems);
  const timeless = time.unit === 'none' && !hasYears;
  const years = timeless ? NO_YEARS : readYears(root, [], problems);
  const grain = readGrain(object, read, read.length === table.properties?.length, TABLE, problems) ?? [];
  const keyMetric = readKeyMetric(object, read, complete, problems);
  const levels = readLevels(object, TABLE, problems);
  const placeColumns = grain.filter(name => columns.some(c => c.name === name && isPlaceRole(c.role)));
  const keysOfLevels = readKeysOfLevels(
    object,
    levels?.levels ?? [],
    placeColumns,
    complete && levels !== null,
    problems,
  );
  const levelYears: ReadonlyMap<string, readonly number[]> =
    years && levels ? readYearsOfLevels(object, levels.levels, years.years, problems) : new Map();
  if (years && levels) checkComparability(object, read, years.years, levels.levels, problems);
  const pathTemplate =
    object.values.path_template ??
    `${name?.domain}/${name?.topic}/${timeless ? '' : 'year={year}/'}{detail}.parquet`;
  if (object.values.path_template !== undefined) {
    const at = object.pathOf('path_template');
    checkPathTemplate(pathTemplate, levels?.levels.length ?? 2, !timeless, at, problems);
  }
  const { withdrawal, slices: withdrawnSlices } = readWithdrawn(root, raw.status, problems);
  const promised = withoutWithdrawn(
    {
      years: years?.years ?? [],
      levels: levels?.levels ?? [],
      defaultLevel: levels?.defaultLevel ?? '',
      levelYears,
    },
    years && levels && withdrawal === null ? withdrawnSlices : [],
    {
      withdrawn: root.pathOf('withdrawn'),
      defaultLevel: object.pathOf('default_detail'),
      statesDefault: object.states('default_detail'),
    },
    problems,
  );
  checkRangeNames(columns, problems);
  if (years) checkYearExample(read, promised.years, problems);
  const errata = readErrata(root, { levels: levels?.levels ?? [], columns: names }, problems);
  const joins = readJoins(object, table, read, columns, problems);
  if (name === null) return null;

  const hash = schemaHash(columns, grain);
  if (!problems.failed) checkSchemaHash(hash, root, problems);
  return {
    kind: 'dataset',
    key: `${name.domain}/${name.topic}`,
    ...name,
    version: raw.version ?? '',
    title: root.values.title ?? raw.name ?? name.topic,
    description: table.description ?? raw.description?.purpose ?? '',
    subTopic: object.values.sub_topic ?? name.topic,
    summary: root.values.summary ?? '',
    purpose: raw.description?.purpose ?? '',
    usage: raw.description?.usage ?? '',
    limitations: raw.description?.limitations ?? '',
    tags: raw.tags ?? [],
    dataSource: root.values.source ?? null,
    dataSourceUrl: root.values.source_url ?? null,
    creator: typeof root.values.creator === 'string' ? root.values.creator.trim() || null : null,
    updateFrequency: root.values.update_frequency ?? null,
    explorer: object.values.explorer ?? null,
    granularityDescription: table.dataGranularityDescription ?? '',
    time,
    yearGaps: years?.gaps ?? [],
    ...promised,
    keysOfLevels,
    pathTemplate,
    columns,
    complete,
    grain,
    keyMetric,
    nullSemantics: object.values.null_semantics ?? {},
    joins,
    placeColumns,
    exampleQueries: readExampleQueries(object),
    rules,
    schemaHash: hash,
    errata,
    withdrawal,
    withdrawnSlices,
    source: sourceOf(document),
  };
}

/** Reads domain and topic. The topic is what follows `<domain>.` in `id`, otherwise the table's name. */
function readDatasetName(raw: RawContract, document: YamlDocument, problems: Problems) {
  const { domain, id } = raw;
  if (domain === undefined) {
    // A domain of a wrong type has been reported.
    const stated = (document.value as { domain?: unknown }).domain ?? null;
    if (stated === null) problems.error([], 'contract-missing', "the document has no 'domain': add it");
    return null;
  }
  const fromId = id?.startsWith(`${domain}.`) ? id.slice(domain.length + 1) : undefined;
  const topic = fromId ?? raw.schema?.[0]?.name;
  const domainFits = checkName(domain, 'domain', ['domain'], problems);
  if (topic === undefined) return null;
  const at: Path = fromId === undefined ? [...TABLE, 'name'] : ['id'];
  return checkName(topic, 'topic', at, problems) && domainFits ? { domain, topic } : null;
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

function readExampleQueries(object: CustomProperties<ObjectProperties>): Dataset['exampleQueries'] {
  return (object.values.example_queries ?? []).map(({ description, query }) => ({ description, query }));
}
