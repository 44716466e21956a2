/** The SQL names of a tree's datasets and dimensions. */

/** Maps each name, folded as DuckDB does, to the keys that it can mean. */
export type TableNames = ReadonlyMap<string, readonly string[]>;

interface TableName {
  /** The domain, or DuckDB's own schema. */
  readonly schema: string;
  readonly name: string;
}

const OWN_SCHEMA = 'main';

/** Of a dataset `topic` and `domain.topic`; of a dimension `name` and `domain._name`. */
function listNames(key: string): readonly [TableName, TableName] {
  const [domain = '', second = '', third] = key.split('/');
  return [
    { schema: OWN_SCHEMA, name: third ?? second },
    { schema: domain, name: third === undefined ? second : `_${third}` },
  ];
}

/**
 * Returns the keys that a name can mean. A dataset goes before a dimension. A dimension has the same rows under every
 * domain. Two datasets with the same topic need their domains.
 */
export function collectNames(keys: readonly string[]): TableNames {
  const names = new Map<string, string[]>();
  for (const key of keys) {
    for (const name of [key, ...listNames(key).map(one => one.name)]) {
      const known = names.get(name.toLowerCase());
      if (!known) names.set(name.toLowerCase(), [key]);
      else if (!known.includes(key)) known.push(key);
    }
  }
  return names;
}

/** Returns the key of a name without a domain; null if it is ambiguous. */
function chooseKey(keys: readonly string[]): string | null {
  const datasets = keys.filter(key => !key.includes('/_dimensions/'));
  if (datasets.length > 1) return null;
  return datasets[0] ?? keys[0] ?? null;
}

/** Returns the names that a table has: the short one only if no other table takes it. */
export function namesOf(names: TableNames, key: string): readonly TableName[] {
  const [short, long] = listNames(key);
  return chooseKey(names.get(short.name.toLowerCase()) ?? []) === key ? [short, long] : [long];
}

/** Returns the names of a table as statements have them, the short one first. */
export function spellNames(names: TableNames, key: string): readonly string[] {
  return namesOf(names, key).map(({ schema, name }) => (schema === OWN_SCHEMA ? name : `${schema}.${name}`));
}

const WORD = /"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*/gu;

/** Returns the keys that a statement mentions. A text or a comment that has a name counts too. */
export function findKeys(statement: string, names: TableNames): readonly string[] {
  const found = new Set<string>();
  for (const [word] of statement.matchAll(WORD)) {
    const name = word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word;
    for (const key of names.get(name.toLowerCase()) ?? []) found.add(key);
  }
  return [...found];
}
