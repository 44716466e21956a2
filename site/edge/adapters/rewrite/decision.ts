/** What a rewriting host is asked, and what its rules decide. */

export interface Asked {
  readonly method: string;
  /** As in the URL beneath the tree's root, percent-encoded, with its leading slash. */
  readonly url: string;
  /** As in the URL, without its `?`. */
  readonly query: string;
  /** Whether Accept names text/html. */
  readonly html: boolean;
  /** Where the tree stands on the host: nothing, or `/releases/{release}`. */
  readonly root: string;
  /** Such as `https://data.example.org`, for the SQL of a refusal. */
  readonly origin: string;
}

/** A file of the tree, by its path without a leading slash; or an answer without one, whose location begins at the root. */
export type Decision =
  | { readonly file: string }
  | {
      readonly file?: undefined;
      readonly status: number;
      readonly location?: string;
      readonly text?: string;
    };

/** Where a URL leads: to an answer at once, or to one that needs what the tree's table says of `key`. */
export type Place =
  | { readonly at: Decision; readonly key?: undefined }
  | {
      readonly at?: undefined;
      /** `domain/topic`, or `domain/_dimensions/name`. */
      readonly key: string;
      /** Path of the rows; of a contract without its ending. */
      readonly base: string;
      /** The document that stands there; undefined where rows do. */
      readonly document?: string | undefined;
      readonly contract?: boolean;
    };
