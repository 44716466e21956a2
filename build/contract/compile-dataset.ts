import { readBaseColumns } from './base-columns.ts';
import { checkComparability } from './comparability.ts';
import { checkName } from './contract-name.ts';
import type { RawContract } from './contract-profile.ts';
import { OBJECT_SHAPE, type ObjectProperties, ROOT_SHAPE, type RootProperties } from './custom-profile.ts';
import { type CustomProperties, readCustomProperties } from './custom-properties.ts';
import type { Column, Dataset } from './dataset.ts';
import { isPlaceRole, readFactColumn } from './fact-columns.ts';
import { readGrain } from './grain.ts';
import { readErrata, readWithdrawn } from './history-notes.ts';
import { type JoinStatement, readJoins } from './joins.ts';
import { readKeyMetric } from './key-metric.ts';
import { readKeysOfLevels, readLevels, readYearsOfLevels } from './levels.ts';
import { checkPathTemplate } from './path-template.ts';
import type { Problems } from './problems.ts';
import { readRules } from './quality-rules.ts';
import { readQuestions } from './readers-words.ts';
import { checkSchemaHash, schemaHash } from './schema-hash.ts';
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
  const years = readYears(root, [], problems);
  if (table === null) return null;

  const object = readCustomProperties<ObjectProperties>(
    table.customProperties,
    TABLE,
    OBJECT_SHAPE,
    problems,
  );
  const names = (table.properties ?? []).flatMap(property => property?.name ?? []);
  const rules = readRules(table, TABLE, names, problems);
  const read = readBaseColumns(table, TABLE, rules, problems);
  const columns = read.flatMap(column => readFactColumn(column, problems) ?? []);
  const complete = columns.length > 0 && columns.length === table.properties?.length;
  if (complete) checkYearColumn(columns, problems);
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
    object.values.path_template ?? `${name?.domain}/${name?.topic}/year={year}/{detail}.parquet`;
  if (object.values.path_template !== undefined) {
    checkPathTemplate(pathTemplate, levels?.levels.length ?? 2, object.pathOf('path_template'), problems);
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
    synonyms: root.values.synonyms ?? [],
    questions: readQuestions(root, problems),
    area: root.values.area?.trim() ?? null,
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

function checkYearColumn(columns: readonly Column[], problems: Problems): void {
  const years = columns.filter(column => column.role === 'year');
  if (years.length === 1) return;
  const what = years.length === 0 ? 'no column has' : `${years.length} columns have`;
  const at = years[1]?.place ?? problems.placeOf([...TABLE, 'properties']);
  problems.errorAt(at, 'year-column', `${what} the role year: give it to exactly one`);
}

function readExampleQueries(object: CustomProperties<ObjectProperties>): Dataset['exampleQueries'] {
  return (object.values.example_queries ?? []).map(({ description, query }) => ({ description, query }));
}
