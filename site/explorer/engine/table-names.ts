/** The names by which SQL calls a tree's datasets and dimensions. */

/** Each name, as DuckDB compares them, and the keys that it can mean. */
export type TableNames = ReadonlyMap<string, readonly string[]>;

export interface TableName {
  /** Null: any. */
  readonly schema: string | null;
  readonly name: string;
}

/** `domain/topic`, `domain.topic` and `topic`; of dimensions `domain._name` and `name`. */
export function listNames(key: string): readonly TableName[] {
  const [domain = '', second = '', third] = key.split('/');
  return [
    { schema: domain, name: third === undefined ? second : `_${third}` },
    { schema: null, name: third ?? second },
  ];
}

/**
 * Keys that a name stands for: a dataset goes before a dimension, and of a dimension that stands under several domains
 * any has the same rows. Two datasets of one topic have it only with their domain.
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

/** The key that a name without a domain stands for; null where it is ambiguous. */
export function chooseKey(keys: readonly string[]): string | null {
  const datasets = keys.filter(key => !key.includes('/_dimensions/'));
  if (datasets.length > 1) return null;
  return datasets[0] ?? keys[0] ?? null;
}

/** Names as a statement has them: of one table alone where that is enough, else with the domain. */
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

/** Keys whose names stand in a statement; in a comment too, which costs a manifest and changes nothing. */
export function findKeys(statement: string, names: TableNames): readonly string[] {
  const found = new Set<string>();
  for (const [word] of statement.matchAll(WORD)) {
    const name = word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word;
    for (const key of names.get(name.toLowerCase()) ?? []) found.add(key);
  }
  return [...found];
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
