/**
 * What the specification says of one dataset, written by hand from its text and never from the contract.
 * Two tests read it: one holds the published schema document against `facts`, one holds the contract's rules
 * against `sentences` and shows that each rule can fail by `breaks`.
 */
export interface DatasetSpecification {
  /** `<domain>/<topic>` */
  readonly key: string;
  readonly facts: Facts;
  /** Every sentence of the specification that can be checked on rows, with the rules that check it. */
  readonly sentences: readonly Sentence[];
  /** For each named rule of the contract, the smallest change to the sample that breaks it. */
  readonly breaks: Readonly<Record<string, Break>>;
}

export interface Facts {
  readonly version?: string;
  readonly years: readonly [first: number, last: number];
  readonly gaps: readonly number[];
  readonly levels: readonly string[];
  readonly defaultDetail?: string;
  readonly grain: readonly string[];
  readonly keyMetric?: string;
  readonly updateFrequency?: string;
  /** Years at which something that the summary names begins or ends, so that it promises no more than there is. */
  readonly summaryYears?: readonly number[];
  /** False where a zero may stand for a withheld figure. */
  readonly zeroIsReal?: boolean;
  /** Only what the text states of a column; an absent property is not stated. */
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
  /** Last years whose figures do not compare with those that follow. */
  readonly breaks?: readonly number[];
}

export interface Sentence {
  /** The sentence, quoted or shortened. */
  readonly says: string;
  /** Names of the rules (the contract's own or derived ones) that hold rows to it. */
  readonly rules: readonly string[];
  /** Where `rules` is empty: why rows cannot be held to it. */
  readonly why?: string;
}

/**
 * SQL over a table `t` that holds all rows of the dataset's sample (the contract's columns and `detail`). One or
 * more statements that change as few rows as possible.
 */
export type Break = string;
