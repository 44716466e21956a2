import { hasContract } from '../lake-table.ts';
import { ccrpi } from './ccrpi.ts';
import { census } from './census.ts';
import { endOfGrade } from './end-of-grade.ts';
import { gosa } from './gosa.ts';
import { immigration } from './immigration.ts';
import type { Importer } from './importer.ts';
import { importer } from './layouts.ts';
import { dimensions } from './places.ts';
import type { About } from './subjects.ts';

/** Tables that others computed, without a published layout. */
const finished = (path: string, report: NonNullable<About['report']>, level?: 'schools') =>
  importer({
    path,
    reads: 'a table under the names of the contract, or with --columns',
    about: { report },
    merges: true,
    ...(level && { level }),
  });

/** Dimensions come first, since an import of facts looks up its codes in them. */
export const IMPORTERS: readonly Importer[] = [
  ...dimensions,
  ...gosa,
  ...ccrpi,
  ...endOfGrade,
  // Their columns of other places would give another level.
  finished('education/school_attendance_zone_block_groups', ['zones'], 'schools'),
  finished('education/school_attendance_zone_tracts', ['zones'], 'schools'),
  finished('education/school_zone_income', ['income', 'zones'], 'schools'),
  ...census,
  ...immigration,
  finished('immigration/quarterly_detainer_reports', ['detainers']),
  finished('immigration/undocumented_population_characteristics', ['undocumented']),
].filter(({ path }) => hasContract(path));
