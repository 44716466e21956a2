/** Reads a contract of ODCS version 2 as one of version 3. */
import type { Path, YamlDocument } from './yaml-document.ts';

type Renaming = ReadonlyMap<string, string>;

/** Keys of version 3 with those of version 2 that they replace. */
const TABLE_KEYS: Renaming = new Map(
  Object.entries({
    name: 'table',
    properties: 'columns',
    dataGranularityDescription: 'dataGranularity',
  }),
);
const COLUMN_KEYS: Renaming = new Map(
  Object.entries({
    ...{ name: 'column', primaryKey: 'isPrimaryKey', unique: 'isUnique', examples: 'sampleValues' },
    ...{ criticalDataElement: 'criticalDataElementStatus', partitioned: 'partitionStatus' },
  }),
);

type Mapping = Readonly<Record<string, unknown>>;

/** Returns the document itself if it has no `dataset` of version 2. Places stay those of the text. */
export function asVersion3(document: YamlDocument): YamlDocument {
  const { value } = document;
  if (!isMapping(value) || 'schema' in value || !Array.isArray(value['dataset'])) return document;
  const { dataset, datasetDomain, datasetName, quantumName, uuid, ...rest } = value as Mapping & {
    dataset: readonly unknown[];
  };
  const former = (path: Path): Path =>
    path.map((step, depth) => {
      if (step === 'schema' && depth === 0) return 'dataset';
      if (depth === 2) return TABLE_KEYS.get(String(step)) ?? step;
      return depth === 4 && path[2] === 'properties' ? (COLUMN_KEYS.get(String(step)) ?? step) : step;
    });
  return {
    ...document,
    value: {
      domain: datasetDomain,
      name: datasetName ?? quantumName,
      id: uuid,
      ...rest,
      schema: dataset.map(table => renamed(table, TABLE_KEYS, asTable)),
    },
    placeOf: path => document.placeOf(former(path)),
    placeOfKey: path => document.placeOfKey(former(path)),
  };
}

function asTable(table: Mapping): Mapping {
  const { properties } = table;
  if (!Array.isArray(properties)) return table;
  return { ...table, properties: properties.map(column => renamed(column, COLUMN_KEYS, asColumn)) };
}

function asColumn({ isNullable, ...column }: Mapping): Mapping {
  return isNullable === undefined ? column : { required: isNullable === false, ...column };
}

function renamed(value: unknown, keys: Renaming, then: (mapping: Mapping) => Mapping): unknown {
  if (!isMapping(value)) return value;
  const now = new Map([...keys].map(([key, former]) => [former, key]));
  return then(Object.fromEntries(Object.entries(value).map(([key, inner]) => [now.get(key) ?? key, inner])));
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
