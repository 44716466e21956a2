/** The SQL names of a tree's datasets and dimensions. */

/** Maps each name, folded as DuckDB does, to the keys that it can mean. */
export type TableNames = ReadonlyMap<string, readonly string[]>;

interface TableName {
  /** Null means any. */
  readonly schema: string | null;
  readonly name: string;
}

/** Datasets: `domain/topic`, `domain.topic` and `topic`. Dimensions: `domain._name` and `name`. */
export function listNames(key: string): readonly TableName[] {
  const [domain = '', second = '', third] = key.split('/');
  return [
    { schema: domain, name: third === undefined ? second : `_${third}` },
    { schema: null, name: third ?? second },
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
export function chooseKey(keys: readonly string[]): string | null {
  const datasets = keys.filter(key => !key.includes('/_dimensions/'));
  if (datasets.length > 1) return null;
  return datasets[0] ?? keys[0] ?? null;
}

/** Returns names for statements: the short name if it is unique, else with the domain. */
export function spellNames(names: TableNames): readonly string[] {
  const keys = new Set([...names.values()].flat());
  return [...keys].flatMap(key =>
    listNames(key).flatMap(({ schema, name }) =>
      schema !== null
        ? [`${schema}.${name}`]
        : chooseKey(names.get(name.toLowerCase()) ?? []) === key
          ? [name]
          : [],
    ),
  );
}

const WORD = /"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*/gu;

/**
 * Returns the keys that a statement names. A name in a comment counts too: that costs a manifest and changes nothing.
 */
export function findKeys(statement: string, names: TableNames): readonly string[] {
  const found = new Set<string>();
  for (const [word] of statement.matchAll(WORD)) {
    const name = word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word;
    for (const key of names.get(name.toLowerCase()) ?? []) found.add(key);
  }
  return [...found];
}
