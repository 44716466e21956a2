/** Lists of places and of student groups: the dimensions. */
import { literal } from '../../../build/lake/sql.ts';
import { type Importer, type Present, text } from './importer.ts';
import { importer } from './layouts.ts';

/** All demographic groups that datasets use. Groups of one category exclude each other. */
export const DEMOGRAPHICS: readonly (readonly [code: string, label: string, category: string])[] = [
  ['active_duty', 'Children of active-duty military', 'military_family'],
  ['all', 'All', 'total'],
  ['asian_pacific_islander', 'Asian or Pacific Islander', 'race_ethnicity'],
  ['black', 'Black', 'race_ethnicity'],
  ['economically_disadvantaged', 'Economically disadvantaged', 'income'],
  ['english_learners', 'English learners', 'language'],
  ['female', 'Female', 'sex'],
  ['foster_care', 'In foster care', 'foster_care'],
  ['hispanic', 'Hispanic', 'race_ethnicity'],
  ['homeless', 'Homeless', 'housing'],
  ['male', 'Male', 'sex'],
  ['migrant', 'Migrant', 'migrant_status'],
  ['multiracial', 'Multiracial', 'race_ethnicity'],
  ['native_american', 'American Indian or Alaska Native', 'race_ethnicity'],
  ['not_economically_disadvantaged', 'Not economically disadvantaged', 'income'],
  ['other', 'Other race or ethnicity', 'race_ethnicity'],
  ['race_unknown', 'Race or ethnicity unknown', 'race_ethnicity'],
  ['students_with_disabilities', 'Students with disabilities', 'disability'],
  ['students_without_disabilities', 'Students without disabilities', 'disability'],
  ['white', 'White', 'race_ethnicity'],
];

const demographics = importer({
  path: 'education/_dimensions/demographics',
  reads: 'no file: the list of groups is part of the program',
  rows: `SELECT * FROM (VALUES ${DEMOGRAPHICS.map(row => `(${row.map(literal).join(', ')})`).join(', ')})
    AS v(demographic, demographic_label, demographic_category)`,
});

/** A file with a year is not a list of places but one of facts, which names places too. */
const YEAR_OF_ROW = text('year', ['LONG_SCHOOL_YEAR', 'SCHOOL_YEAR', 'School Year', 'Year'], false);
const ENTRY_ORIGIN = "CASE WHEN year IS NULL THEN 'list' ELSE 'from_source' END AS entry_origin";

/** What a list may change about places that the lake has. Only facts change the years for which files name a place. */
const suppliedByList = (names: readonly string[]) => (present: Present) =>
  present.has('year') ? names : [...names, 'entry_origin'];

const DISTRICT_CODE = ['district_code', 'SCHOOL_DSTRCT_CD', 'SCHOOL_DISTRCT_CD', 'System ID', 'District ID'];
const DISTRICT_NAME = ['district_name', 'SCHOOL_DSTRCT_NM', 'System Name', 'District Name'];
const SCHOOL_NAME = ['school_name', 'INSTN_NAME', 'School Name'];

/**
 * SQL for the kind of a district, from its code: 850 to 888 are the regional service agencies, 891 is the state agency.
 * Any other code from 800 up is taken for a state agency, which the import reports.
 */
export const DISTRICT_TYPE = `CASE
  WHEN district_code = 'RTC' THEN 'state_special'
  WHEN starts_with(district_code, '782') AND length(district_code) = 7 THEN 'state_charter'
  WHEN starts_with(district_code, '783') AND length(district_code) = 7 THEN 'commission_charter'
  WHEN starts_with(district_code, '799') THEN 'state_school'
  WHEN district_code BETWEEN '850' AND '888' AND length(district_code) = 3 THEN 'resa'
  WHEN district_code >= '800' THEN 'state_agency'
  ELSE 'standard' END`;

/**
 * The first row of a code gives the district's name, so the list goes first; later files add the codes that it lacks.
 *
 * - RTC, all residential treatment centers together, is in no list, so the importer adds it.
 * - The census code is served without the state's 13 in front: five digits, or NULL.
 * - A list of schools names no operators. A seven-digit operator runs one school and is then called by its name; other
 *   rows without a district's name are dropped.
 */
const districts = importer({
  path: 'education/_dimensions/districts',
  merges: true,
  reads: 'a list of districts, then any files with district codes and names (schools lists too)',
  words: /district|system/i,
  repeated: 'first',
  shapes: [
    {
      name: 'district codes and names',
      columns: [
        text('code', DISTRICT_CODE),
        text('name', DISTRICT_NAME, false),
        text('school', SCHOOL_NAME, false),
        text('census', ['census_sd_geoid', 'district_census_id', 'GEOID'], false),
        YEAR_OF_ROW,
      ],
      supplies: suppliedByList(['district_name', 'district_census_id', 'district_type']),
      select: () => `
      SELECT line, district_code, district_name, district_census_id,
        CASE
          WHEN code IS NULL AND district_name IS NOT NULL AND is_total(district_name) THEN 'a total, not a district'
          WHEN code IS NULL THEN 'no district code'
          WHEN district_code IS NULL AND is_total(code) THEN 'a total, not a district'
          WHEN district_code IS NULL THEN 'the district code is neither 3 nor 7 digits'
          WHEN district_name IS NULL THEN 'no district name'
        END AS dropped,
        CASE
          WHEN census IS NOT NULL AND district_census_id IS NULL
            THEN 'the census code is not 13 and five digits, and is left out'
          WHEN district_code BETWEEN '800' AND '999' AND length(district_code) = 3
            AND district_code NOT BETWEEN '850' AND '888' AND district_code <> '891'
            THEN 'a code of no known kind, taken for a state agency'
        END AS remark,
        ${DISTRICT_TYPE} AS district_type, entry_origin
      FROM (
        SELECT line, code, census, ${ENTRY_ORIGIN},
          district_code_of(code) AS district_code,
          coalesce(name, CASE WHEN length(district_code_of(code)) = 7 THEN school END) AS district_name,
          CASE
            WHEN regexp_full_match(census, '13\\d{5}') THEN census[3:]
            WHEN regexp_full_match(census, '\\d{5}') THEN census END AS district_census_id
        FROM source
        UNION ALL
        SELECT 0, 'RTC', NULL, 'list', 'RTC', 'Residential Treatment Centers', NULL)`,
    },
  ],
});

/**
 * The first row of a school gives its name, so the list goes first; later files add the schools that it lacks. Closed
 * schools are only in old facts, and a build refuses a fact whose school the dimension lacks.
 *
 * - A seven-digit operator runs one school, whose code is the operator's last four digits (true of every such school in
 *   the state's list). A row that names only the operator, as in a list of districts, therefore names the school: the
 *   part of the name after "Charter Schools- ".
 * - A list of districts has no codes of schools, so a blank code isn't an error.
 */
const schools = importer({
  path: 'education/_dimensions/schools',
  merges: true,
  reads: 'a list of schools, then any files with school codes and names (a districts list too)',
  words: /school/i,
  repeated: 'first',
  shapes: [
    {
      name: 'school codes and names',
      columns: [
        text('district', DISTRICT_CODE),
        text('school', ['school_code', 'INSTN_NUMBER', 'School ID'], false),
        text('name', SCHOOL_NAME, false),
        text('operator', DISTRICT_NAME, false),
        YEAR_OF_ROW,
      ],
      supplies: suppliedByList(['school_name']),
      select: () => `
      SELECT line, district_code, entry_origin,
        CASE WHEN only_school THEN district_code[4:] ELSE school_code END AS school_code,
        CASE WHEN only_school THEN regexp_replace(operator, '^.*Charter Schools( II)?\\s*-\\s*', '') ELSE name END
          AS school_name,
        CASE
          WHEN place IS NOT NULL THEN place
          WHEN district_code IS NULL THEN 'the state, not a school'
          WHEN only_school AND operator IS NULL THEN 'no name'
          WHEN only_school THEN NULL
          WHEN school_code IS NULL THEN 'a district, not a school'
          WHEN name IS NULL THEN 'no school name'
        END AS dropped
      FROM (
        SELECT line, name, operator, ${ENTRY_ORIGIN},
          place_problem(CASE WHEN school IS NULL THEN CASE WHEN is_total(district) THEN 'State' ELSE 'District' END END,
            district, school) AS place,
          district_code_of(district) AS district_code,
          school_code_of(school) AS school_code,
          length(district_code_of(district)) = 7 AND school_code_of(school) IS NULL AS only_school
        FROM source)`,
    },
  ],
});

/** "Appling" and "Appling County, Georgia" become Appling County, because a school district may be called Appling too. */
const counties = importer({
  path: '_dimensions/counties',
  merges: true,
  reads: 'a list of counties with their FIPS codes and names',
  words: /count(y|ies)/i,
  shapes: [
    {
      name: 'county codes and names',
      columns: [
        text('code', ['county_fips', 'GEOID', 'FIPS', 'county_geoid']),
        text('name', ['county_name', 'NAMELSAD', 'NAME', 'County']),
      ],
      select: () => `
      SELECT line, code AS county_fips,
        regexp_replace(name, '(\\s+County)?(\\s*,\\s*(Georgia|GA))?$', '', 'i') || ' County' AS county_name,
        CASE
          WHEN NOT regexp_full_match(coalesce(code, ''), '13\\d{3}') THEN 'not a county of Georgia: 13 and three digits'
          WHEN name IS NULL THEN 'no name'
        END AS dropped
      FROM source`,
    },
  ],
});

/** The Census Bureau names a tract by its last six digits: 950201 is Census Tract 9502.01. Block groups have no names. */
const TRACT_NAME = `concat('Census Tract ', CAST(try_cast(code[6:9] AS INTEGER) AS VARCHAR),
  CASE WHEN code[10:11] <> '00' THEN concat('.', code[10:11]) ELSE '' END) AS tract_name,`;

/** A list of codes, in boundaries of 2020. */
function censusCodes(what: 'tract' | 'block group', digits: 'nine' | 'ten', name = ''): Importer {
  const { topic, count, summary } =
    what === 'tract'
      ? { topic: 'tract', count: 9, summary: 140 }
      : { topic: 'block_group', count: 10, summary: 150 };
  return importer({
    path: `_dimensions/${topic}s`,
    reads: `a list of ${count + 2}-digit census ${what} codes`,
    words: new RegExp(what.replace(' group', ''), 'i'),
    merges: true,
    shapes: [
      {
        name: `${what} codes`,
        columns: [text('code', [`${topic}_geoid`, 'GEOID', 'GEOID20', 'GEOIDFQ'])],
        select: () => `
          SELECT line, code AS ${topic}_geoid, ${name}
            CASE WHEN NOT regexp_full_match(coalesce(code, ''), '13\\d{${count}}')
              THEN 'not a ${what} of Georgia: 13 and ${digits} digits' END AS dropped
          FROM (SELECT line, regexp_replace(code, '^${summary}0000US', '') AS code FROM source)`,
      },
    ],
  });
}

export const dimensions: readonly Importer[] = [
  demographics,
  districts,
  schools,
  counties,
  censusCodes('tract', 'nine', TRACT_NAME),
  censusCodes('block group', 'ten'),
];
