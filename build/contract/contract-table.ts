/** Splits a contract into its tables. Each becomes a dataset or a dimension. */
import type { RawContract } from './contract-profile.ts';
import { readContract } from './contract-shape.ts';
import { readDomain } from './dataset-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import { type ServedTable, servedTable } from './served-columns.ts';
import type { Path, YamlDocument } from './yaml-document.ts';

/** A table of a contract. */
export interface ContractTable {
  readonly raw: RawContract;
  readonly document: YamlDocument;
  /** The contract's domain; null if it cannot be read. */
  readonly domain: string | null;
  /** Path of the table in the document. */
  readonly owner: Path;
  /** Null if the table cannot be read. */
  readonly served: ServedTable | null;
  readonly kind: 'dataset' | 'dimension';
}

/** Whether a document is a contract of ODCS. Some leave out the kind. */
export function isContract(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, apiVersion, schema } = value as { kind?: unknown; apiVersion?: unknown; schema?: unknown };
  if (kind !== undefined && kind !== null) return kind === 'DataContract';
  return /^v?3\b/.test(String(apiVersion ?? '')) && Array.isArray(schema);
}

/**
 * Whether a contract is written for this service: a table states its kind or its levels, or a column states a role of
 * ours. Statements that such a contract gets wrong are errors. In any other contract, the same words may be another
 * tool's.
 */
export function isNative(value: unknown): boolean {
  return listOf(value, 'schema').some(
    table =>
      propertyOf(table, 'entity_kind') === 'dimension' ||
      listOf(table, 'properties').some(column => ROLE.test(String(propertyOf(column, 'column_role')))),
  );
}

const ROLE = /^(?:year|time|categorical|metric|attribute|key|fk_[a-z0-9_]+)$/;

/** Reads a contract's tables, with defaults for what its head leaves out. */
export function readTables(document: YamlDocument, folder: string, problems: Problems): ContractTable[] {
  const stated = readContract(document.value, problems);
  const kinds = listOf(document.value, 'schema').map(table =>
    propertyOf(table, 'entity_kind') === 'dimension' ? 'dimension' : 'dataset',
  );
  const raw = withDefaults(stated, problems);
  const tables = raw.schema ?? [];
  if (tables.length === 0) {
    // What stands in place of the list has been told.
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

/** The version of ODCS that a contract has if it states none. */
const LATEST = 'v3.1.0';

function withDefaults(raw: RawContract, problems: Problems): RawContract {
  const { apiVersion = LATEST, version = '1.0.0', status = 'active' } = raw;
  if (!/^v?[23](?:\.|$)/.test(apiVersion)) {
    const message = `apiVersion is ${quote(apiVersion)}: it must be a version 3 of ODCS, such as ${LATEST}`;
    problems.doubt(['apiVersion'], 'contract-value', message);
  }
  if (raw.version === undefined) problems.guess(null, `the version is ${version}`);
  if (raw.status === undefined) problems.guess(null, `the status is ${status}`);
  return { ...raw, apiVersion, version, status };
}

/** Whether the key has a value that is no list. */
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
