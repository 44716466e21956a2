import { figure, type Importer, type Shape, text } from '../importer.ts';
import { tableOf } from '../layout-shape.ts';
import { CENSUS_PLACE, CENSUS_SHAPE, placedInCensus } from './census-places.ts';

/** Axes that the table crosses; only their totals are served. */
const GROUPS = ['sex', 'eth', 'race', 'vet'] as const;

/** SQL: the cell is a total, by its label or by its code. */
const isTotal = (cell: string) =>
  `(${cell} IS NULL OR regexp_matches(${cell}, '^(total|all )', 'i') OR regexp_full_match(${cell}, '0{0,2}[01]|96|98'))`;

/** SQL for what a row says, by the labels of its question and answer. */
const KIND = `CASE
    WHEN regexp_matches(answer, 'not born|born (outside|abroad)|foreign.?born', 'i') THEN 'abroad'
    WHEN regexp_matches(answer, 'born in', 'i') THEN 'us_born'
    WHEN regexp_matches(answer, '(not|non).*citizen', 'i') THEN 'not_citizen'
    WHEN regexp_matches(answer, 'citizen', 'i') THEN 'citizen'
    WHEN regexp_matches(answer, '^(total|all )', 'i') AND regexp_matches(question, 'born|birth', 'i') THEN 'total'
    WHEN regexp_matches(answer, '^(total|all )', 'i') AND regexp_matches(question, 'citizen', 'i') THEN 'total_of_citizenship'
    END`;

/** SQL for a cell beside its flag: the bureau prints 0 for a withheld figure, and the flag says so. */
const unflagged = (cell: string, read: string) =>
  `CASE WHEN nullif(trim(${cell}_flag), '') IS NULL OR is_figure(${cell}_flag) THEN ${read}(${cell}) END`;

const one = (figure: string, kind: string) => `max(${figure}) FILTER (WHERE kind = '${kind}')`;

/** Owner characteristics of nonemployer firms (table NESD04, `absnesdo` of the API): one row for each answer. */
const answers: Shape = {
  ...CENSUS_SHAPE,
  name: 'owner characteristics of nonemployer firms',
  columns: [
    ...CENSUS_PLACE,
    text('year', ['YEAR', 'Year (YEAR)'], false),
    text('naics', ['NAICS2022', 'NAICS2017', '2022 NAICS code', '2017 NAICS code']),
    text('question', ['QDESC_LABEL', 'QDESC']),
    text('answer', ['OWNCHAR_LABEL']),
    ...GROUPS.map(name => text(name, [`OWNER_${name}_LABEL`, `OWNER_${name}`], false)),
    figure('owners', 'number', ['OWNNOPD']),
    text('owners_flag', ['OWNNOPD_F'], false),
    figure('share', 'percent', ['OWNNOPD_PCT'], false),
    text('share_flag', ['OWNNOPD_PCT_F'], false),
  ],
  select: present => `
    WITH read AS (
      SELECT *, coalesce(CAST(try_cast(year AS INTEGER) AS INTEGER), file_year) AS of_year, ${KIND} AS kind,
        CASE WHEN naics = '00' THEN 'all' ELSE concat('naics_', replace(naics, '-', '_')) END AS sector,
        ${unflagged('owners', 'count_of')} AS n, ${unflagged('share', 'proportion_of')} AS p
      FROM ${placedInCensus(present)}
    ), judged AS (
      SELECT *, CASE
          WHEN place_wrong IS NOT NULL THEN place_wrong
          WHEN detail NOT IN ('counties', 'states') THEN 'neither a county nor the state'
          WHEN NOT (${GROUPS.map(isTotal).join(' AND ')}) THEN 'owners of one sex, ethnicity, race or veteran status'
          WHEN kind IS NULL THEN 'neither birthplace nor citizenship'
          WHEN NOT regexp_full_match(sector, 'all|naics_\\d\\d(_\\d\\d)?') THEN 'a part of a sector'
          WHEN detail = 'counties' AND sector <> 'all' THEN 'a sector of a county: sectors are of the state'
        END AS why
      FROM read
    )
    SELECT line, why AS dropped, of_year AS year, NULL AS county_fips, NULL AS sector, 'states' AS detail,
      CAST(NULL AS INTEGER) AS num_owners_reporting, CAST(NULL AS INTEGER) AS num_owners_us_born,
      CAST(NULL AS INTEGER) AS num_owners_not_us_born, CAST(NULL AS DOUBLE) AS pct_not_us_born,
      CAST(NULL AS INTEGER) AS num_owners_citizen, CAST(NULL AS INTEGER) AS num_owners_not_citizen,
      CAST(NULL AS DOUBLE) AS pct_not_citizen
    FROM judged WHERE why IS NOT NULL
    UNION ALL BY NAME
    SELECT min(line) AS line, CASE WHEN reporting IS NULL THEN 'no number of owners whose birthplace is known' END AS dropped,
      of_year AS year, county_fips, sector, detail, reporting AS num_owners_reporting,
      us_born AS num_owners_us_born, abroad AS num_owners_not_us_born,
      coalesce(abroad_share, round(1 - us_born_share, 14)) AS pct_not_us_born,
      citizen AS num_owners_citizen, not_citizen AS num_owners_not_citizen, not_citizen_share AS pct_not_citizen
    FROM (
      SELECT min(line) AS line, of_year, county_fips, sector, detail,
        coalesce(${one('n', 'total')}, ${one('n', 'total_of_citizenship')}) AS reporting,
        ${one('n', 'us_born')} AS us_born, ${one('n', 'abroad')} AS abroad,
        ${one('p', 'abroad')} AS abroad_share, ${one('p', 'us_born')} AS us_born_share,
        ${one('n', 'citizen')} AS citizen, ${one('n', 'not_citizen')} AS not_citizen,
        ${one('p', 'not_citizen')} AS not_citizen_share
      FROM judged WHERE why IS NULL GROUP BY of_year, county_fips, sector, detail)
    GROUP BY ALL`,
};

const TARGET = tableOf(
  'census/nonemployer_owners_by_nativity',
  'year:i county_fips:s district_code:s tract_geoid:s sector:s num_owners_reporting:i num_owners_us_born:i num_owners_not_us_born:i pct_not_us_born:d num_owners_citizen:i num_owners_not_citizen:i pct_not_citizen:d',
  'year county_fips district_code tract_geoid sector',
);

/**
 * Owners of firms without employees by birthplace and citizenship. A withheld share of those born abroad is what the
 * share of those born here leaves.
 */
export const nonemployerOwners: Importer = {
  name: 'nonemployer_owners_by_nativity',
  reads:
    "Nonemployer Statistics by Demographics, owner characteristics: data.census.gov's CSV, or the API's JSON",
  target: TARGET,
  shapes: [answers],
  repeated: 'refuse',
  merges: true,
};
