/** Reads from a contract which years compare (FORMAT.md, `contract.json`). */

export interface SeriesBreak {
  /** The last year before the break. */
  readonly after: number;
  readonly reason: string;
  /** Levels with the break; null means all. */
  readonly levels: readonly string[] | null;
}

export interface Comparability {
  /**
   * Years of answers that each figure pools, if more than one. Figures less than that many years apart share answers,
   * so their difference is not a change.
   */
  readonly pooledYears: number | null;
  /** Returns the breaks of a column's series at a level, or at any, ascending, including the dataset's own. */
  breaksOf(column: string, detail?: string): readonly SeriesBreak[];
}

interface Properties {
  readonly customProperties?: unknown;
}

/** Reads a parsed contract; ignores anything of another shape. */
export function parseComparability(contract: unknown): Comparability {
  const table = first(field(contract, 'schema'));
  const whole = readProperties(table);
  const own = new Map<string, readonly SeriesBreak[]>();
  const properties = field(table, 'properties');
  for (const property of Array.isArray(properties) ? properties : []) {
    const name = field(property, 'name');
    if (typeof name === 'string') own.set(name, readBreaks(readProperties(property).get('series_breaks')));
  }
  const everywhere = readBreaks(whole.get('series_breaks'));
  const pooled = whole.get('pooled_years');
  return {
    pooledYears: Number.isSafeInteger(pooled) && Number(pooled) > 1 ? Number(pooled) : null,
    breaksOf: (column, detail) =>
      [...everywhere, ...(own.get(column) ?? [])]
        .filter(({ levels }) => levels === null || detail === undefined || levels.includes(detail))
        .sort((a, b) => a.after - b.after),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function first(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function readProperties(owner: unknown): ReadonlyMap<string, unknown> {
  const list = (owner as Properties | undefined)?.customProperties;
  return new Map(
    (Array.isArray(list) ? list : []).map(entry => [String(field(entry, 'property')), field(entry, 'value')]),
  );
}

function readBreaks(list: unknown): readonly SeriesBreak[] {
  return (Array.isArray(list) ? list : []).flatMap(entry => {
    const after = field(entry, 'after');
    const reason = field(entry, 'reason');
    const levels = field(entry, 'levels');
    return typeof after === 'number' && typeof reason === 'string'
      ? [{ after, reason, levels: Array.isArray(levels) ? levels.map(String) : null }]
      : [];
  });
}
