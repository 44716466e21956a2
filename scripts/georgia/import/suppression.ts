import { literal } from '../../../build/lake/sql.ts';

/**
 * Texts that the sources print instead of a figure. TFS and "Too Few Students" are the state education offices' marks
 * for groups too small to publish; the rest are blanks of one kind or another. Compared in upper case.
 */
const MARKERS = [
  '',
  'TFS',
  'TOO FEW STUDENTS',
  'TOO FEW TO REPORT',
  'SUPPRESSED',
  'DS',
  'NO DATA',
  'NO DATA FOUND',
  'NO DATA AVAILABLE',
  'NOT AVAILABLE',
  'NOT APPLICABLE',
  'NOT REPORTED',
  'NA',
  'N/A',
  '#N/A',
  'NAN',
  'NULL',
  'NONE',
  '*',
  '**',
  '***',
  '****',
  '*****',
  '(X)',
  'N',
  '-',
  '--',
  '---',
  '----',
  '–',
  '—',
  '.',
] as const;

/** A bound in place of a figure, such as `<5`, `Fewer than 10` or `>= 95%`: it withholds the figure. */
const BOUND =
  '([<>]=?|[\\x{2264}\\x{2265}]|(LESS|FEWER|MORE|GREATER) THAN( OR EQUAL TO)?|AT (LEAST|MOST))\\s*\\d+(\\.\\d+)?\\s*%?';

/**
 * SQL macros that read one source cell (VARCHAR, NULL where blank):
 * - `is_marker(t)`: the cell has a marker or a bound instead of a figure
 * - `is_too_few(t)`: the marker means too few students
 * - `is_figure(t)`: the cell has a number, with thousands separators only in their places
 * - `is_count(t)`: the cell has a whole number that fits an INTEGER, without a sign of percent, dollars or a cap
 * - `number_of(t)`: the number as DOUBLE, NULL for a marker; `100.00+` (a capped score) is exactly 100
 * - `count_of(t)`: the number as INTEGER; NULL if it is none, which `is_count` reports earlier
 * - `boolean_of(t)`: true for true, yes and 1, false for false, no and 0
 * - `proportion_of(t)`: a percentage on the 0-1 scale. Dividing and rounding to fourteen decimals gives the double
 *   nearest to the published fraction, for percentages up to 1000 with eleven decimals, and up to 100 with twelve: 32.7
 *   is served as 0.327, never 0.32700000000000001
 */
export function suppressionMacros(markers: readonly string[] = []): string[] {
  const texts = [...MARKERS, ...markers.map(marker => marker.trim().toUpperCase())].map(literal).join(', ');
  return [
    `CREATE MACRO is_marker(t) AS t IS NULL OR list_contains([${texts}], upper(trim(t)))
       OR regexp_full_match(upper(trim(t)), '${BOUND}')`,
    "CREATE MACRO is_too_few(t) AS coalesce(upper(trim(t)) IN ('TFS', 'TOO FEW STUDENTS'), false)",
    "CREATE MACRO bare_number(t) AS regexp_replace(regexp_replace(t, '[\\s%$±]', '', 'g'), '^100(\\.0*)?\\+$', '100')",
    `CREATE MACRO is_figure(t) AS coalesce(regexp_full_match(bare_number(t),
      '[-+]?((\\d+|\\d{1,3}(,\\d{3})+)(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?'), false)`,
    `CREATE MACRO number_of(t) AS CASE WHEN is_marker(t) THEN NULL
      ELSE try_cast(replace(bare_number(t), ',', '') AS DOUBLE) END`,
    `CREATE MACRO is_count(t) AS is_figure(t) AND NOT regexp_matches(t, '[%$]|\\+\\s*$')
      AND coalesce(number_of(t) = round(number_of(t)) AND abs(number_of(t)) <= 2147483647, false)`,
    'CREATE MACRO count_of(t) AS try_cast(number_of(t) AS INTEGER)',
    `CREATE MACRO boolean_of(t) AS CASE WHEN lower(trim(t)) IN ('true', 'yes', '1') THEN true
      WHEN lower(trim(t)) IN ('false', 'no', '0') THEN false END`,
    'CREATE MACRO proportion_of(t) AS round(number_of(t) / 100, 14)',
  ];
}
