/** SQL macros that read the cells of source files. */
import { tmpdir } from 'node:os';
import { type Session, withSession } from '../../../build/lake/database.ts';
import { literals } from '../../../build/lake/sql.ts';

/**
 * Opens a scratch database with the macros.
 *
 * @param markers further texts that mark a withheld figure
 */
export async function withMacros<Result>(
  markers: readonly string[],
  act: (session: Session) => Promise<Result>,
): Promise<Result> {
  // Most of an import is planning its statements: a second thread takes a third more processor time.
  return withSession({ threads: 1, memoryLimit: '2GB', temporaryFolder: tmpdir() }, async session => {
    await session.run(cellMacros(markers));
    return act(session);
  });
}

export function cellMacros(markers: readonly string[]): string {
  return [...figureMacros(markers), ...PLACE_MACROS, ...GROUP_MACROS].join(';\n');
}

/** TFS and "Too Few Students" mark groups too small to publish; the others are blanks of one kind or another. */
const MARKERS = [
  ...['', 'TFS', 'TOO FEW STUDENTS', 'TOO FEW TO REPORT', 'SUPPRESSED', 'DS', 'NO DATA', 'NO DATA FOUND'],
  ...['NO DATA AVAILABLE', 'NOT AVAILABLE', 'NOT APPLICABLE', 'NOT REPORTED', 'NA', 'N/A', '#N/A', 'NAN'],
  ...['NULL', 'NONE', '*', '**', '***', '****', '*****', '(X)', 'N', '-', '--', '---', '----', '–', '—', '.'],
];

/** A bound in place of a figure, such as `<5`, `Fewer than 10` or `>= 95%`, withholds the figure. */
const BOUND =
  '([<>]=?|[\\x{2264}\\x{2265}]|(LESS|FEWER|MORE|GREATER) THAN( OR EQUAL TO)?|AT (LEAST|MOST))\\s*\\d+(\\.\\d+)?\\s*%?';

/**
 * SQL macros that read the figure in a cell (VARCHAR, NULL if blank):
 * - `is_marker(t)`: the cell has a marker or a bound instead of a figure
 * - `is_too_few(t)`: the marker means too few students
 * - `is_figure(t)`: the cell has a number, with thousands separators only in their places
 * - `is_count(t)`: the cell has a whole number that fits an INTEGER, without a sign of percent, dollars or a cap
 * - `number_of(t)`: the number as DOUBLE, NULL for a marker; `100.00+` (a capped score) is exactly 100
 * - `count_of(t)`: the number as INTEGER
 * - `boolean_of(t)`: true for true, yes and 1, false for false, no and 0
 * - `proportion_of(t)`: a percentage on the 0-1 scale. Dividing and rounding to fourteen decimals gives the double
 *   nearest to the published fraction, for percentages up to 1000 with eleven decimals, and up to 100 with twelve: 32.7
 *   is served as 0.327, never 0.32700000000000001
 * - `estimate_of(t)`, `share_of(t)`: a count and a percentage of the Census Bureau, whose negative codes aren't figures
 */
function figureMacros(markers: readonly string[]): string[] {
  const texts = literals([...MARKERS, ...markers.map(marker => marker.trim().toUpperCase())]);
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
    'CREATE MACRO estimate_of(t) AS CASE WHEN number_of(t) >= 0 THEN count_of(t) END',
    'CREATE MACRO share_of(t) AS CASE WHEN number_of(t) >= 0 THEN proportion_of(t) END',
  ];
}

/** Words in place of a code: such a row is a total. */
const TOTALS = [
  ...['', 'ALL', 'ALL COLUMN VALUES', 'ALL SYSTEMS', 'ALL DISTRICTS', 'ALL SCHOOLS', 'STATE', 'STATEWIDE'],
  ...['GEORGIA', 'STATE OF GEORGIA', 'DISTRICT', 'SYSTEM'],
];

/**
 * SQL macros that read codes, places and years (VARCHAR cells, NULL if blank):
 * - `district_code_of(t)`: three digits with leading zeros, seven digits, or RTC; NULL if the cell is a total
 * - `school_code_of(t)`: four digits with leading zeros; NULL if the cell is a total
 * - `code_or_total(code, name)`: the code; ALL if it is blank and the name is a total's: in some years the offices leave
 *   the state's code blank and write All Systems as its name
 * - `place_problem(level, district, school)`: why the row names no place, else NULL; `level` is the source's own word
 *   for the row's level, or NULL. A blank code is a total only if that word says so: a school without a code must not
 *   become its district
 * - `detail_of(district, school)`: the level of two codes
 * - `school_year_of(t)`: the year in which the school year ends: 2024 for 2023-24, 2023-2024, 23-24, FY24, 2024;
 *   NULL for any other text. Two digits above 50 mean the last century
 * - `year_of(t, file_year)`: the school year of the cell, or the file's if the cell is blank
 */
const PLACE_MACROS = [
  `CREATE MACRO bare_code(t) AS regexp_replace(trim(t), '^''|\\.0+$', '', 'g')`,
  `CREATE MACRO is_total(t) AS t IS NULL OR upper(trim(t)) IN (${literals(TOTALS)})`,
  `CREATE MACRO is_district_code(t) AS regexp_full_match(bare_code(t), '\\d{1,3}|\\d{7}') OR upper(trim(t)) = 'RTC'`,
  `CREATE MACRO is_school_code(t) AS regexp_full_match(bare_code(t), '\\d{1,4}')`,
  `CREATE MACRO district_code_of(t) AS CASE
     WHEN is_total(t) THEN NULL
     WHEN regexp_full_match(bare_code(t), '\\d{1,3}') THEN lpad(bare_code(t), 3, '0')
     WHEN is_district_code(t) THEN upper(bare_code(t)) END`,
  `CREATE MACRO school_code_of(t) AS CASE
     WHEN is_total(t) THEN NULL
     WHEN is_school_code(t) THEN lpad(bare_code(t), 4, '0') END`,
  `CREATE MACRO code_or_total(code, name) AS
     CASE WHEN code IS NULL AND name IS NOT NULL AND is_total(name) THEN 'ALL' ELSE code END`,
  `CREATE MACRO detail_of(district, school) AS CASE
     WHEN district IS NULL THEN 'states' WHEN school IS NULL THEN 'districts' ELSE 'schools' END`,
  `CREATE MACRO level_of(t) AS CASE
     WHEN upper(trim(t)) IN ('STATE', 'STATEWIDE', 'ALL') THEN 'states'
     WHEN upper(trim(t)) IN ('DISTRICT', 'SYSTEM') THEN 'districts'
     WHEN upper(trim(t)) IN ('SCHOOL', 'INSTITUTION') THEN 'schools' END`,
  `CREATE MACRO place_problem(level, district, school) AS CASE
     WHEN NOT is_total(district) AND NOT is_district_code(district) THEN 'the district code is neither 3 nor 7 digits'
     WHEN NOT is_total(school) AND NOT is_school_code(school) THEN 'the school code is not 4 digits'
     WHEN is_total(district) AND NOT is_total(school) THEN 'a school without a district'
     WHEN level IS NOT NULL AND level_of(level) IS NULL THEN 'the level is neither state, district nor school'
     WHEN district IS NULL AND coalesce(level_of(level) <> 'states', true) THEN 'no district code'
     WHEN school IS NULL AND coalesce(level_of(level) = 'schools', true) THEN 'no school code'
     WHEN level_of(level) <> detail_of(district_code_of(district), school_code_of(school))
       THEN 'the level and the codes disagree' END`,
  `CREATE MACRO year_from(first, last) AS CASE
     WHEN last = '' THEN first
     WHEN (first + 1) % 100 = cast(last AS INTEGER) % 100
       AND (length(last) = 2 OR cast(last AS INTEGER) = first + 1) THEN first + 1 END`,
  `CREATE MACRO bare_year(t) AS regexp_replace(regexp_replace(regexp_replace(regexp_replace(trim(t),
     '^[SFA]Y\\s*(\\d{2})$', '20\\1', 'i'), '^([SFA]Y|School Year)\\s*', '', 'i'), '\\.0+$', ''),
     '\\s*[-/\\x{2010}-\\x{2014}]\\s*', '-')`,
  `CREATE MACRO year_of_bare(t) AS CASE
     WHEN regexp_full_match(t, '(19|20)\\d{2}(-(\\d{2}|\\d{4}))?') THEN
       year_from(cast(t[1:4] AS INTEGER), regexp_extract(t, '-(\\d+)$', 1))
     WHEN regexp_full_match(t, '\\d{2}-\\d{2}') THEN
       year_from(cast(t[1:2] AS INTEGER) + CASE WHEN t[1:2] > '50' THEN 1900 ELSE 2000 END, t[4:5]) END`,
  'CREATE MACRO school_year_of(t) AS year_of_bare(bare_year(t))',
  `CREATE MACRO year_of(t, file_year) AS CASE WHEN t IS NULL THEN file_year ELSE school_year_of(t) END`,
];

/** Groups whose names are their codes' words. */
const OTHER_GROUPS =
  'economically_disadvantaged not_economically_disadvantaged female male hispanic white homeless migrant'.split(
    ' ',
  );

/**
 * The state's names of student groups since 2004, without case, spaces and punctuation, by the group's code. The sources
 * have one Asian and Pacific Islander group under several names.
 */
const GROUP_NAMES: Codes = {
  all: 'total allstudents',
  active_duty: 'militaryconnected',
  native_american:
    'americanindian americanindianalaskan americanindianalaskannative americanindianoralaskannative nativeamericanalaskannative nativeameralaskannative',
  asian_pacific_islander: 'asian asianorpacificislander',
  black: 'blackorafricanamerican',
  english_learners: 'englishlearner limitedenglishproficient',
  foster_care: 'foster',
  multiracial: 'multi',
  students_with_disabilities: 'studentswithdisability',
  students_without_disabilities: 'studentswithoutdisability',
  ...Object.fromEntries(OTHER_GROUPS.map(code => [code, ''])),
};

/** Colours of a result against its target, by the offices' letters and names. */
const COLOURS = { green: 'g', yellow: 'y', red: 'r' };

/** Each code with its texts besides its own words, without case, spaces and punctuation. */
export type Codes = Readonly<Record<string, string>>;

/** The texts of a code: its own words, and others. */
export function textsOf(code: string, others = ''): readonly string[] {
  return [...new Set([code.replaceAll('_', ''), ...others.split(' ')])].filter(text => text !== '');
}

/** SQL for the code that has a cell's text; NULL for any other text. */
export function coded(codes: Codes, plain: string): string {
  const pairs = Object.entries(codes).flatMap(([code, others]) =>
    textsOf(code, others).map(text => `'${text}': '${code}'`),
  );
  return `MAP {${pairs.join(', ')}}[${plain}]`;
}

/**
 * SQL macros:
 * - `plain_text(t)`: the text without case, spaces and punctuation
 * - `student_group(t)`: the code of a group's name, NULL if the name is unknown
 * - `flag_colour(t)`: the colour of a flag, NULL if it is blank, a marker or unknown
 * - `is_other_flag(t)`: the source prints an unknown flag
 */
const GROUP_MACROS = [
  `CREATE MACRO plain_text(t) AS regexp_replace(lower(t), '[^a-z0-9]', '', 'g')`,
  `CREATE MACRO student_group(t) AS
     ${coded(GROUP_NAMES, "plain_text(regexp_replace(lower(t), '^\\s*grad(uation)? rate\\s*-?', ''))")}`,
  `CREATE MACRO flag_colour(t) AS ${coded(COLOURS, 'lower(trim(t))')}`,
  'CREATE MACRO is_other_flag(t) AS NOT is_marker(t) AND flag_colour(t) IS NULL',
];
