/** What a dataset states in its own file, or several in a file that they share. */
export interface Statements {
  readonly facts?: Partial<Omit<Facts, 'columns'>>;
  /** Only what the text states of a column; an absent property is not stated. */
  readonly columns?: Facts['columns'];
  /** A sentence that can be checked on rows, with the rules that check it; else why rows cannot be checked. */
  readonly sentences?: Readonly<Record<string, readonly string[] | string>>;
  /** For each named rule of the contract, the smallest change to the sample that breaks it. */
  readonly breaks?: Readonly<Record<string, Break>>;
}

/** What the specification says of one dataset, written by hand from its text and never from the contract. */
export interface Specification extends Statements {
  /** `<domain>/<topic>` */
  readonly key: string;
  /** What it states in the same words as its sister datasets. */
  readonly alike?: readonly Statements[];
}

/**
 * A specification with all that it states, as the tests read it: one compares the published schema document with
 * `facts`, one compares the contract's rules with `sentences` and shows by `breaks` that each rule can fail.
 */
export interface DatasetSpecification {
  readonly key: string;
  readonly facts: Facts;
  readonly sentences: readonly Sentence[];
  readonly breaks: Readonly<Record<string, Break>>;
}

export interface Facts {
  readonly version?: string;
  readonly years: readonly [first: number, last: number];
  readonly gaps?: readonly number[];
  readonly levels: readonly string[];
  readonly defaultDetail?: string;
  readonly grain: readonly string[];
  readonly keyMetric?: string;
  readonly updateFrequency?: string;
  /** Years at which something that the summary names begins or ends, so that it promises no more than there is. */
  readonly summaryYears?: readonly number[];
  /** False where a zero may stand for a withheld figure. */
  readonly zeroIsReal?: boolean;
  readonly columns: Readonly<Record<string, ColumnFacts>>;
}

export interface ColumnFacts {
  readonly type?: 'integer' | 'string' | 'number' | 'boolean';
  readonly nullable?: boolean;
  readonly role?: string;
  readonly unit?: string;
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly component?: 'numerator' | 'denominator';
  /** Years after which figures no longer compare with those before. */
  readonly breaks?: readonly number[];
}

export interface Sentence {
  /** The sentence, quoted or shortened. */
  readonly says: string;
  /** Names of the rules (the contract's own or derived ones) that check rows against it. */
  readonly rules: readonly string[];
  /** Where `rules` is empty: why rows cannot be checked against it. */
  readonly why?: string;
}

/**
 * SQL over a table `t` that holds all rows of the dataset's sample (the contract's columns and `detail`). One or
 * more statements that change as few rows as possible.
 */
export type Break = string;

/** Changes the first row for which `where` is true, or the first of all. */
export function changeFirst(set: string, where?: string): Break {
  return `UPDATE t SET ${set} WHERE rowid = (SELECT min(rowid) FROM t${where === undefined ? '' : ` WHERE ${where}`})`;
}

/** The names in a text that separates them by white space. */
export function names(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Throws an error if a fact, a column or a rule is stated twice, or a fact that every dataset has is missing. */
export function completed({ key, alike = [], ...own }: Specification): DatasetSpecification {
  const all: readonly Statements[] = [...alike, own];
  const { years, levels, grain, ...facts } = merged(
    key,
    all.map(one => one.facts ?? {}),
  );
  if (years === undefined || levels === undefined || grain === undefined)
    throw new Error(`${key} must state its years, its levels and its grain`);
  const sentences = all.flatMap(one => Object.entries(one.sentences ?? {}));
  return {
    key,
    facts: {
      ...facts,
      years,
      levels,
      grain,
      columns: merged(
        key,
        all.map(one => one.columns ?? {}),
      ),
    },
    // A sentence that stands twice stays so: a test reports it.
    sentences: sentences.map(([says, held]) =>
      typeof held === 'string' ? { says, rules: [], why: held } : { says, rules: held },
    ),
    breaks: merged(
      key,
      all.map(one => one.breaks ?? {}),
    ),
  };
}

function merged<T extends object>(key: string, tables: readonly T[]): T {
  const stated = tables.flatMap(table => Object.keys(table));
  const twice = stated.filter((name, i) => stated.indexOf(name) !== i);
  if (twice.length > 0) throw new Error(`${key} states twice: ${twice.join(', ')}`);
  return Object.assign({}, ...tables) as T;
}
