/** `search.json`: one file with everything that the search and the page of places need. Nothing else reads it. */
import type { Stamp } from '../../../build/format/documents.ts';

export interface SearchDocument extends Stamp {
  readonly datasets: readonly SearchDataset[];
  /** Withdrawn datasets; absent if there are none. */
  readonly withdrawn?: readonly SearchWithdrawn[];
  readonly dimensions: readonly SearchDimension[];
}

export interface SearchWithdrawn {
  /** `domain/topic` */
  readonly key: string;
  readonly title: string;
  /** YYYY-MM-DD */
  readonly withdrawn: string;
  readonly reason: string;
}

export interface SearchDataset {
  /** `domain/topic` */
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly string[];
  /** Labels of its columns. */
  readonly labels: readonly string[];
  /** Other words by which people look for it; absent if there are none. */
  readonly synonyms?: readonly string[];
  /** Its figures besides margins of error. */
  readonly metrics: readonly SearchFigure[];
  readonly levels: readonly string[];
  /** Level of the whole, and the name of its area; absent if there is none. */
  readonly whole?: string;
  readonly area?: string;
  readonly years: readonly number[];
  /** Its key figure; null if it has none. */
  readonly metric: SearchMetric | null;
}

interface SearchFigure {
  readonly column: string;
  readonly label: string;
  readonly synonyms?: readonly string[];
}

export interface SearchMetric {
  readonly column: string;
  readonly label: string;
  readonly unit: string | null;
  /** The meaning of NULL; null if the contract does not say. */
  readonly null_meaning: string | null;
  /** Column of its margin of error. */
  readonly margin: string | null;
  readonly year: string;
  /** Last years before a break of the series at any level. Rows of one level: see SearchPlaceRows. */
  readonly breaks: readonly number[];
  /**
   * The axes to pin: to their total if the rows of a place's latest year have it, else to the first of these values
   * that they have.
   */
  readonly axes: readonly {
    readonly param: string;
    readonly column: string;
    readonly label: string;
    readonly total: string | null;
    /** Value and name, in order of preference. */
    readonly values: readonly (readonly [value: string, label: string])[];
    /** Values of one category, such as the races; absent if the axis has no categories. */
    readonly groups?: readonly { readonly label: string; readonly values: readonly string[] }[];
  }[];
}

/** A dimension that holds places. */
export interface SearchDimension {
  /** Its name, with its domain if several domains have a dimension of that name. */
  readonly id: string;
  readonly name: string;
  /** One of its domains. */
  readonly domain: string;
  readonly title: string;
  /** Its primary key. */
  readonly key: readonly string[];
  /** Datasets and levels with rows about its members. */
  readonly datasets: readonly SearchPlaceRows[];
  /** Name, enclosing place (or ''), and key. */
  readonly places: readonly (readonly string[])[];
}

export interface SearchPlaceRows {
  /** `domain/topic` */
  readonly key: string;
  readonly detail: string;
  /** Parameters of the API that choose a place, in the order of the dimension's key. */
  readonly params: readonly string[];
  /** Whether rows are about the place alone, or about pairs of it and another place. */
  readonly alone: boolean;
  /** Last years before a break of the key figure's series at this level. */
  readonly breaks: readonly number[];
}
