/** `search.json`: everything that the search, the page of a place and the tools for language models need. */
import type { Stamp, WithdrawnSummary } from '../../../build/format/documents.ts';
import type { ViewName } from './question.ts';

export interface SearchDocument extends Stamp {
  readonly datasets: readonly SearchDataset[];
  /** Withdrawn datasets; absent if there are none. */
  readonly withdrawn?: readonly WithdrawnSummary[];
  /** Those with the fewest places first. */
  readonly dimensions: readonly SearchDimension[];
  /** The publisher's synonyms of words that the data uses; absent if there are none. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
}

export interface SearchDataset {
  /** `domain/topic` */
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly string[];
  /** Labels of its columns, and synonyms of those that aren't measures. */
  readonly labels: readonly string[];
  /** Other words that people search for; absent if there are none. */
  readonly synonyms?: readonly string[];
  /** Its measures without margins of error, as `rankMetrics` sorts them. */
  readonly metrics: readonly SearchMetric[];
  /** The column of years; empty in a dataset without time. */
  readonly year: string;
  /** Years of answers that each figure pools; absent if it pools none. */
  readonly pooled?: number;
  readonly axes: readonly SearchAxis[];
  readonly levels: readonly string[];
  /** The level of the whole, and the name of the area; absent if there is none. */
  readonly whole?: string;
  readonly area?: string;
  readonly years: readonly number[];
}

/** The view that shows figures of these years: lines need two. */
export function viewOver(years: readonly unknown[]): ViewName {
  return years.length > 1 ? 'chart' : 'bars';
}

export interface SearchMetric {
  readonly column: string;
  readonly label: string;
  readonly unit: string | null;
  /** The column of its margin of error. */
  readonly margin: string | null;
  readonly synonyms?: readonly string[];
  /** Last years before a break of the series, by level; absent if there are none. */
  readonly breaks?: Readonly<Record<string, readonly number[]>>;
}

/** An axis to pin, as `choosePin` does. */
export interface SearchAxis {
  readonly param: string;
  readonly column: string;
  readonly label: string;
  readonly total: string | null;
  /** Absent if the contract names none. */
  readonly headline?: string;
  /** Value and name. */
  readonly values: readonly (readonly [value: string, label: string])[];
  /** Values of one category, such as the races; absent if the axis has no categories. */
  readonly groups?: readonly { readonly label: string; readonly values: readonly string[] }[];
}

/** A dimension that holds places. */
export interface SearchDimension {
  /** Its name, with its domain if several domains have a dimension of that name. */
  readonly id: string;
  readonly name: string;
  /** One of its domains. */
  readonly domain: string;
  readonly title: string;
  /** What one of its places is: `county`. */
  readonly kind: string;
  /** Its primary key. */
  readonly key: readonly string[];
  /** The dimension of the places around these: the one with the most columns of this key; absent if there is none. */
  readonly parent?: { readonly id: string; readonly kind: string };
  /** The datasets and levels with rows about its places. */
  readonly datasets: readonly SearchPlaceRows[];
  /** Name, the place around it (or ''), and key. */
  readonly places: readonly (readonly string[])[];
}

export interface SearchPlaceRows {
  /** `domain/topic` */
  readonly key: string;
  readonly detail: string;
  /** Parameters of the API that choose a place, in the order of the dimension's key. */
  readonly params: readonly string[];
  /** False if rows are about pairs of this place and another one. */
  readonly alone: boolean;
}
