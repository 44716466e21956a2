/**
 * One dataset of the sample is one file, `<domain>/<topic>.ts`, that exports one SampleDataset; `datasets.ts` lists
 * them. To add one:
 *
 * 1. Write its contract first: the writer takes columns, their order, their types and the sort order (the grain) from
 *    it, and refuses a query that returns other columns.
 * 2. Write one SELECT over the tables of the world (`world/*.ts`). It returns all rows of all years and levels: the
 *    contract's columns under their names, in any order and numeric type, and `detail`, the level (`schools`).
 *    CTEs read best in this order: what is expected (a share from z, the group's effect, drift by year), what is
 *    drawn (`count_of`), groups (`splitAmongGroups`), levels (`fromSchools`, `fromTracts`), what is published.
 * 3. Draw counts, not rates: integers at the finest level, unwithheld. Rates are quotients of summed counts, rounded
 *    as the source publishes them; small counts become NULL only in the last SELECT.
 * 4. Every draw has a key that names the dataset, the place, the group and the year: `n(concat_ws('/', …))`. Nothing
 *    else may decide a value: no random(), no row order, no sum of doubles, no LIMIT (DuckDB may filter by a join
 *    before it limits; a row_number() does the same safely).
 * 5. `npx vitest run test/georgia/specification` writes the lake and checks every row against the contract's rules.
 */
export interface SampleDataset {
  /** `<domain>/<topic>` */
  readonly key: string;
  /** One SELECT over the world. */
  readonly sql: string;
}

/** A dimension table: a SELECT that returns the columns of its contract. */
export interface SampleDimension {
  /** `counties` for a global one, `education/districts` for a domain's own. */
  readonly key: string;
  readonly sql: string;
}
