import { text } from '../importer.ts';

/** Where an entry comes from, and the years for which imported files name the place. */
export const SEEN_COLUMNS = { entry_origin: 'VARCHAR', first_year: 'INTEGER', last_year: 'INTEGER' } as const;

/** A file with a year isn't a list of places but has facts, which name places too. */
export const YEAR_OF_ROW = text('year', ['LONG_SCHOOL_YEAR', 'SCHOOL_YEAR', 'School Year', 'Year'], false);

/** SQL for the origin of a row of such a file. */
export const ENTRY_ORIGIN = "CASE WHEN year IS NULL THEN 'list' ELSE 'from_source' END AS entry_origin";

/** What a list says of places that the lake has. The years stay: only facts say them. */
export function suppliedByList(
  names: readonly string[],
): (present: ReadonlySet<string>) => readonly string[] {
  return present => (present.has('year') ? names : [...names, 'entry_origin']);
}
