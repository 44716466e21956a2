import { attendanceZones } from './attendance-zones.ts';
import { ccrpi } from './ccrpi.ts';
import { census } from './census.ts';
import { endOfGrade } from './end-of-grade.ts';
import { gosa } from './gosa.ts';
import { immigration } from './immigration.ts';
import type { Importer } from './importer.ts';
import { dimensions } from './places.ts';

/** Dimensions come first, since an import of facts looks up its codes in them. */
export const IMPORTERS: readonly Importer[] = [
  ...dimensions,
  ...gosa,
  ...ccrpi,
  ...endOfGrade,
  ...attendanceZones,
  ...census,
  ...immigration,
];
