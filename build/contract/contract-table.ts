/** Splits a contract into its tables. Each becomes a dataset or a dimension. */
import { LOGICAL_OF, physicalFits, physicalOf, TYPES } from './column-type.ts';
import type { RawContract, RawObject, RawProperty } from './contract-profile.ts';
import { readDomain } from './dataset-name.ts';
import { quote, quoteList } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import { readContract } from './shape.ts';
import type { Path, YamlDocument } from './yaml-document.ts';

export interface ContractTable {
  readonly raw: RawContract;
  readonly document: YamlDocument;
  /** Null if it can't be read. */
  readonly domain: string | null;
  readonly owner: Path;
  /** Null if it can't be read. */
  readonly served: ServedTable | null;
  readonly kind: 'dataset' | 'dimension';
}

/** Some contracts leave out the kind. Version 2 has other keys, and its tables under `dataset`. */
export function isContract(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, apiVersion, schema, ...others } = value as Readonly<Record<string, unknown>>;
  if (schema === undefined && 'dataset' in others) return false;
  if (kind !== undefined && kind !== null) return kind === 'DataContract';
  return /^v?3\b/.test(String(apiVersion ?? '')) && Array.isArray(schema);
}

/**
 * Whether a contract is written for this service: a table states its kind or its levels, or a column has one
 * of our roles. Mistakes in such a contract are errors. In other contracts, the same words may belong to
 * another tool.
 */
export function isNative(value: unknown): boolean {
  return listOf(value, 'schema').some(
    table =>
      propertyOf(table, 'entity_kind') === 'dimension' ||
      listOf(table, 'properties').some(column => ROLE.test(String(propertyOf(column, 'column_role')))),
  );
}

const ROLE = /^(?:year|time|categorical|metric|attribute|key|fk_[a-z0-9_]+)$/;

/** Returns a contract's tables, with defaults for missing keys of its head. */
export function readTables(document: YamlDocument, folder: string, problems: Problems): ContractTable[] {
  const stated = readContract(document.value, problems);
  const kinds = listOf(document.value, 'schema').map(table =>
    propertyOf(table, 'entity_kind') === 'dimension' ? 'dimension' : 'dataset',
  );
  const raw = withDefaults(stated, problems);
  const tables = raw.schema ?? [];
  if (tables.length === 0) {
    // Already reported.
    if (isWrong(document.value, 'schema')) return [];
    const message =
      'the contract describes no table, so nothing of it is published: add its tables under schema';
    problems.warning(['schema'], 'contract-empty', message);
    return [];
  }
  // A dimension without a domain is global.
  const needsDomain = raw.domain !== undefined || kinds.includes('dataset');
  const domain = needsDomain && kinds.includes('dataset') ? readDomain(raw, folder, problems) : null;
  return tables.flatMap((table, index): ContractTable[] => {
    const owner: Path = ['schema', index];
    const kind = kinds[index] ?? 'dataset';
    if (table !== null && (table.properties ?? []).every(property => property === null) && !problems.failed) {
      if (isWrong(listOf(document.value, 'schema')[index], 'properties')) return [];
      const message = `the table ${quote(table.name ?? '')} has no columns, so it is not published: add them under properties`;
      problems.warning(owner, 'table-empty', message);
      return [];
    }
    const served = table === null ? null : servedTable(table, owner, problems);
    if (served?.columns === 0 && !problems.failed) return [];
    return [{ raw, document, domain, owner, served, kind }];
  });
}

const LATEST = 'v3.1.0';

function withDefaults(raw: RawContract, problems: Problems): RawContract {
  const { apiVersion = LATEST, version = '1.0.0', status = 'active' } = raw;
  if (!/^v?3(?:\.|$)/.test(apiVersion)) {
    const message = `apiVersion is ${quote(apiVersion)}: it must be a version 3 of ODCS, such as ${LATEST}`;
    problems.doubt(['apiVersion'], 'contract-value', message);
  }
  if (raw.version === undefined) problems.guess(null, `the version is ${version}`);
  if (raw.status === undefined) problems.guess(null, `the status is ${status}`);
  return { ...raw, apiVersion, version, status };
}

function isWrong(value: unknown, key: string): boolean {
  const stated: unknown = (value as Record<string, unknown> | null | undefined)?.[key];
  return stated !== undefined && stated !== null && !Array.isArray(stated);
}

function listOf(value: unknown, key: string): unknown[] {
  const list: unknown = (value as Record<string, unknown> | null | undefined)?.[key];
  return Array.isArray(list) ? list : [];
}

function propertyOf(owner: unknown, property: string): unknown {
  const found = listOf(owner, 'customProperties').find(
    one => (one as { property?: unknown } | null)?.property === property,
  );
  return (found as { value?: unknown } | undefined)?.value;
}

interface ServedTable {
  /** Has null for each column that is left out, so that paths stay valid. */
  readonly table: RawObject;
  /** Columns that the build leaves out. The lake's files may have them. */
  readonly leftOut: readonly string[];
  /** How many columns the build has to read. */
  readonly columns: number;
}

/** Types that don't fit into a cell: lists, records and bytes. */
const NOT_SERVED =
  /^(array|list|set|multiset|vector|object|struct|structure|record|row|map|dict|nested|union|super|variant|binary|varbinary|long ?varbinary|bytes?|bytea|blob|(tiny|medium|long)blob|image|raw|long raw|fixed|bfile|geometry|geography|sdo_geometry|hllsketch|tensor)\b|\[\]$/;

function servedTable(table: RawObject, owner: Path, problems: Problems): ServedTable {
  const leftOut: { name: string; type: string; isMap: boolean }[] = [];
  const properties = (table.properties ?? []).map((property, index) => {
    if (property === null) return null;
    const { name, logicalType } = property;
    const type = unservedType(property);
    const path = [...owner, 'properties', index];
    if (type !== null && name !== undefined) {
      const isMap = logicalType?.trim().toLowerCase() === 'map';
      leftOut.push({ name, type, isMap });
      if (isMap) refuseMap(name, path, problems);
      return null;
    }
    if (problems.native && logicalType !== 'time') return property;
    return withServedTypes(property, path, problems, table.name ?? null);
  });
  const others = leftOut.filter(({ isMap }) => !isMap);
  if (others.length > 0) {
    const [these, them] = others.length === 1 ? ['this column', 'it'] : ['these columns', 'them'];
    const list = others.map(({ name, type }) => `${quote(name)} (${type})`).join(', ');
    const message = `${these} ${others.length === 1 ? 'is' : 'are'} left out, because a table for readers has no lists, records or bytes: ${list}; to publish ${them}, give each value a column of its own`;
    problems.warning([...owner, 'properties'], 'column-left-out', message);
  }
  return {
    table: { ...table, properties },
    leftOut: leftOut.map(({ name }) => name),
    columns: properties.length - leftOut.length,
  };
}

function refuseMap(name: string, path: Path, problems: Problems): void {
  const message = `${quote(name)} is a map, and no map is published, because a table for readers has one value in each cell: give each key a column of its own, or write the pairs as the rows of a table with a column for the key and one for the value`;
  problems.doubt([...path, 'logicalType'], 'column-map', message);
}

/** Null if the build serves the type. */
function unservedType({ logicalType, physicalType }: RawProperty): string | null {
  const logical = logicalType?.trim().toLowerCase() ?? '';
  if (NOT_SERVED.test(logical)) return logical.slice(0, 40);
  if (logical !== '') return null;
  const physical = physicalType?.trim().toLowerCase() ?? '';
  return NOT_SERVED.test(physical) ? physical.slice(0, 40) : null;
}

/** A type that isn't known becomes text. */
function withServedTypes(
  { logicalType, physicalType, ...rest }: RawProperty,
  path: Path,
  problems: Problems,
  table: string | null,
): RawProperty {
  const logical = TYPES.find(type => type === logicalType);
  if (logical !== undefined) {
    const fits = physicalType !== undefined && physicalFits(physicalType, logical);
    return { ...rest, logicalType: logical, ...(fits ? { physicalType } : {}) };
  }
  const [stated, stored] = [logicalType, physicalType].map(type => type && physicalOf(type));
  const physical = stated || stored || undefined;
  if (physical === undefined && (logicalType ?? physicalType) !== undefined) {
    const message = `the type ${quote(logicalType ?? physicalType ?? '')} is not known here, so the column is published as text: state its logicalType as one of ${quoteList(TYPES)}`;
    problems.warning(
      [...path, logicalType === undefined ? 'physicalType' : 'logicalType'],
      'column-type',
      message,
    );
  } else if (physical === undefined) problems.guess(table, `${quote(rest.name ?? '')} is a text (no type)`);
  const served = physical ?? 'string';
  return { ...rest, logicalType: LOGICAL_OF[served], physicalType: served };
}
