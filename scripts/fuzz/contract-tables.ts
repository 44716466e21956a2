/** The contracts' statements about each table, read from YAML without the build's code, so that no mistake repeats. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

export type LogicalType = 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'timestamp';

export interface ContractColumn {
  readonly name: string;
  readonly type: LogicalType;
  /** Whether timestamps are in UTC. */
  readonly utc?: boolean;
  /** The column whose year this one is, where the lake lacks it. */
  readonly yearOf?: string;
}

export interface ContractJoin {
  /** `domain/name`, or `name` if every domain shares it. */
  readonly dimension: string;
  /** Columns of the facts, each with its column of the dimension. */
  readonly on: readonly (readonly [string, string])[];
  readonly attributes: readonly string[];
}

export interface ContractTable {
  /** `domain/topic`; for a dimension `domain/name` or `name`. */
  readonly key: string;
  readonly columns: readonly ContractColumn[];
  readonly joins: readonly ContractJoin[];
  /** Columns that order the rows. */
  readonly order: readonly string[];
  readonly levels: readonly string[];
  readonly defaultLevel: string;
  /** Null in a dataset without time. */
  readonly year: string | null;
}

export interface Contracts {
  readonly datasets: readonly ContractTable[];
  readonly dimensions: readonly ContractTable[];
}

interface Property {
  readonly property: string;
  readonly value: unknown;
}

interface Document {
  readonly kind?: string;
  readonly domain?: string;
  readonly schema: readonly {
    readonly name: string;
    readonly customProperties?: readonly Property[];
    readonly properties: readonly {
      readonly name: string;
      readonly logicalType: LogicalType;
      readonly physicalType?: string;
      readonly customProperties?: readonly Property[];
      readonly primaryKey?: boolean;
      readonly primaryKeyPosition?: number;
    }[];
  }[];
}

interface ForeignKey {
  readonly column: string;
  readonly target_object: string;
  readonly target_columns: readonly string[];
  readonly attribute_columns: readonly string[];
}

export async function readContracts(folder: string): Promise<Contracts> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && entry.name.endsWith('.odcs.yaml'));
  const datasets: ContractTable[] = [];
  const dimensions: ContractTable[] = [];
  for (const file of files.sort((a, b) => (a.parentPath + a.name < b.parentPath + b.name ? -1 : 1))) {
    const document = parse(await readFile(path.join(file.parentPath, file.name), 'utf8')) as Document;
    const table = describe(document);
    if (path.basename(file.parentPath) === '_dimensions') dimensions.push(table);
    else datasets.push(table);
  }
  const keys = dimensions.map(dimension => dimension.key);
  return { datasets: datasets.map(dataset => linkJoins(dataset, keys)), dimensions };
}

/** Finds the domain's own dimension, else the global one, else the only one of that name. */
function linkJoins(dataset: ContractTable, keys: readonly string[]): ContractTable {
  const [domain] = dataset.key.split('/');
  const joins = dataset.joins.map(join => {
    const named = (key: string) => key.split('/').at(-1) === join.dimension;
    const found =
      [`${domain}/${join.dimension}`, join.dimension].find(key => keys.includes(key)) ?? keys.find(named);
    if (found === undefined)
      throw new Error(`${dataset.key} joins ${join.dimension}, which has no contract.`);
    return { ...join, dimension: found };
  });
  return { ...dataset, joins };
}

function describe({ domain, schema }: Document): ContractTable {
  const [object] = schema;
  if (!object) throw new Error('A contract has no schema.');
  const custom = new Map((object.customProperties ?? []).map(({ property, value }) => [property, value]));
  const texts = (name: string) => (custom.get(name) ?? []) as readonly string[];
  const keyed = object.properties
    .filter(column => column.primaryKey)
    .sort((a, b) => (a.primaryKeyPosition ?? 0) - (b.primaryKeyPosition ?? 0))
    .map(column => column.name);
  const keys = (custom.get('foreign_keys') ?? []) as readonly ForeignKey[];
  const grain = texts('grain');
  const shared = custom.get('scope') === 'global' || domain === undefined;
  const columns = object.properties.map(({ name, logicalType, physicalType }) => ({
    name,
    type: logicalType,
    utc: /with time zone/.test(physicalType ?? ''),
  }));
  const ofRole = (role: string) =>
    object.properties.find(({ customProperties }) =>
      customProperties?.some(({ property, value }) => property === 'column_role' && value === role),
    )?.name;
  const hasRoles = object.properties.some(({ customProperties }) =>
    customProperties?.some(({ property }) => property === 'column_role'),
  );
  // Without any role, the column of that name is the year.
  const named = object.properties.find(({ name }) => /^(year|año)$/i.test(name))?.name;
  const [year, time] = [ofRole('year') ?? (hasRoles ? undefined : named), ofRole('time')];
  const added = year === undefined && time !== undefined;
  return {
    year: year ?? (added ? 'year' : null),
    key: grain.length > 0 ? `${domain}/${object.name}` : shared ? object.name : `${domain}/${object.name}`,
    columns: added ? [{ name: 'year', type: 'integer', yearOf: time }, ...columns] : columns,
    joins: keys.map(key => ({
      dimension: key.target_object,
      on: key.target_columns.map((target, index, all) => [
        index === all.length - 1 ? key.column : target,
        target,
      ]),
      attributes: key.attribute_columns ?? [],
    })),
    order: grain.length > 0 ? grain : keyed,
    levels: texts('detail_levels'),
    defaultLevel: String(custom.get('default_detail') ?? texts('detail_levels')[0] ?? 'rows'),
  };
}
