import { literal } from '../../../build/lake/sql.ts';
import { contractShape } from './contract-shape.ts';
import { type Importer, type Shape, text } from './importer.ts';
import { tableOf } from './layout-shape.ts';

/** Countries that the dataset names; the rest are `other`, unrecorded ones `unknown`. */
const COUNTRIES = [
  'brazil',
  'china',
  'colombia',
  'cuba',
  'dominican_republic',
  'ecuador',
  'el_salvador',
  'guatemala',
  'haiti',
  'honduras',
  'india',
  'jamaica',
  'mauritania',
  'mexico',
  'nicaragua',
  'nigeria',
  'peru',
  'russia',
  'senegal',
  'south_korea',
  'venezuela',
  'vietnam',
];

const COUNTRY = `CASE
  WHEN country IS NULL OR upper(country) IN ('UNKNOWN', 'NOT REPORTED', 'NA', 'N/A') THEN 'unknown'
  WHEN upper(country) LIKE 'CHINA%' THEN 'china'
  WHEN upper(country) IN ('KOREA, SOUTH', 'SOUTH KOREA', 'KOREA (SOUTH)') THEN 'south_korea'
  WHEN replace(lower(country), ' ', '_') IN (${COUNTRIES.map(literal).join(', ')}) THEN replace(lower(country), ' ', '_')
  ELSE 'other' END`;

const METHOD = `CASE
  WHEN regexp_matches(method, '287\\s*\\(?g', 'i') THEN '287g_program'
  WHEN regexp_matches(method, '^cap |incarceration|^custodial', 'i') THEN 'custodial_arrest'
  WHEN regexp_matches(method, 'located|non-custodial|worksite|at.?large', 'i') THEN 'at_large_arrest'
  ELSE 'other' END`;

const CRIMINALITY = `CASE
  WHEN regexp_matches(criminality_text, 'convict', 'i') THEN 'convicted_criminal'
  WHEN regexp_matches(criminality_text, 'pending', 'i') THEN 'pending_criminal_charges'
  WHEN regexp_matches(criminality_text, 'immigration|^3', 'i') THEN 'other_immigration_violator' END`;

const DATE = `coalesce(try_cast(date_text[1:10] AS DATE),
  CAST(try_strptime(regexp_extract(date_text, '^\\d{1,2}/\\d{1,2}/\\d{4}'), '%m/%d/%Y') AS DATE))`;

/** One record for each arrest. */
const records: Shape = {
  name: 'records of arrests',
  columns: [
    text('date_text', ['Apprehension Date', 'Apprehension Date And Time', 'Arrest Date']),
    text('state', ['Apprehension State', 'Arrest State']),
    text('method', ['Apprehension Method']),
    text('criminality_text', ['Apprehension Criminality', 'Criminality', 'Case Criminality']),
    text('country', ['Citizenship Country', 'Country of Citizenship']),
    text('gender', ['Gender']),
    text('duplicate', ['Duplicate Likely', 'Likely Duplicate'], false),
  ],
  select: () => `
    WITH read AS (
      SELECT line, ${COUNTRY} AS citizenship_country, ${METHOD} AS apprehension_method_group,
        ${CRIMINALITY} AS criminality, ${DATE} AS day,
        CASE upper(gender) WHEN 'FEMALE' THEN 'female' WHEN 'F' THEN 'female' WHEN 'MALE' THEN 'male' WHEN 'M' THEN 'male'
          ELSE 'unknown' END AS demographic,
        CASE
          WHEN state IS NULL THEN 'no state'
          WHEN upper(state) NOT IN ('GEORGIA', 'GA') THEN 'not in Georgia'
          WHEN upper(duplicate) IN ('TRUE', '1', 'YES') THEN 'a likely duplicate, as the record says'
          WHEN ${DATE} IS NULL THEN 'no date of the arrest'
          WHEN ${CRIMINALITY} IS NULL THEN concat('the criminality "', criminality_text, '" is not one of the dataset''s')
        END AS dropped
      FROM source
    )
    SELECT line, dropped, CAST(NULL AS INTEGER) AS year, NULL AS month, NULL AS demographic, NULL AS criminality,
      NULL AS apprehension_method_group, NULL AS citizenship_country, CAST(NULL AS INTEGER) AS num_arrests, 'states' AS detail
    FROM read WHERE dropped IS NOT NULL
    UNION ALL
    SELECT * FROM (
      SELECT min(line), NULL, year, coalesce(month, 'all'), coalesce(demographic, 'all') AS gender, coalesce(criminality, 'all'),
        coalesce(apprehension_method_group, 'all'), coalesce(citizenship_country, 'all'), count(*), 'states'
      FROM (SELECT *, CAST(year(day) AS INTEGER) AS year, strftime(day, '%m') AS month FROM read WHERE dropped IS NULL)
      GROUP BY year, CUBE (month, demographic, criminality, apprehension_method_group, citizenship_country))
    WHERE gender <> 'unknown'`,
};

const TARGET = tableOf(
  'immigration/ice_arrests',
  'year:i month:s county_fips:s demographic:s criminality:s apprehension_method_group:s citizenship_country:s num_arrests:i',
  'year month county_fips demographic criminality apprehension_method_group citizenship_country',
);

/**
 * Arrests of the Deportation Data Project's records, counted for Georgia in all combinations of the axes. People of
 * unknown gender count in `all` only. Which methods of apprehension make up a group is this importer's reading.
 */
export const iceArrests: Importer = {
  name: 'ice_arrests',
  reads: "the Deportation Data Project's records of arrests, or counts under the contract's names",
  target: TARGET,
  shapes: [records, contractShape(TARGET)],
  repeated: 'refuse',
  merges: false,
};
