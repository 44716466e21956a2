/**
 * Book-ins and their ends, the base of stints and stays. Each month's are divided among all combinations of gender,
 * arresting agency, way of release and country. Those that have not ended are `still_detained`: most of the last
 * months' and hardly any of the first's. Counties divide the state's totals.
 */
import { split } from '../split.ts';
import { monthlyArrests } from './arrests.ts';
import { countries, genders } from './axes.ts';
import { withTotals } from './totals.ts';

export interface Detention {
  /** The name in the keys of draws, such as `stints`. */
  readonly event: string;
  /** Book-ins per arrest of the month. */
  readonly perArrest: number;
  /** VALUES of release_reason, its share of those that ended, and days until then. */
  readonly releases: string;
  /** VALUES of arresting_agency_group, its share before 2025 and how much likelier it becomes after. */
  readonly agencies: string;
  /** Mean number of facilities beyond the first. */
  readonly moreFacilities: number;
}

/** year, county_fips, the axes, begun, ended, days (of those that ended), facilities (of all) and detail. */
export function detentions({ event, perArrest, releases, agencies, moreFacilities }: Detention): string {
  const axes = ['month', 'demographic', 'arresting_agency_group', 'release_reason', 'citizenship_country'];
  const key = (draw: string): string => `concat_ws('/', '${event} ${draw}', year, ${axes.join(', ')})`;
  return `
    WITH months AS (${monthlyArrests}), genders AS (${genders}), countries AS (${countries}),
    agencies(arresting_agency_group, share, surge) AS (${agencies}),
    ended_releases(release_reason, share, days) AS (${releases}),
    releases AS (FROM ended_releases UNION ALL SELECT 'still_detained', NULL, NULL),
    facilities AS (${facilities}),
    totals AS (
      SELECT
        *,
        round(arrests * ${perArrest} * exp(0.04 * n(concat_ws('/', '${event}', year, month)))) AS total,
        -- Days from the first and from the middle of the month to the end of the records.
        date_diff('day', make_date(year, month::INTEGER, 1), DATE '2026-08-06') AS longest,
        greatest(2, longest - 15) AS age,
        0.85 * exp(-age / 50) + 0.012 * exp(-age / 300) AS held
      FROM months
    ), cells AS (
      SELECT
        year, ${axes.join(', ')}, total, longest, releases.days,
        u(${key('turn')}) AS turn,
        round(100000000 * genders.share * agencies.share * countries.share * exp(totals.surge * agencies.surge
          + 0.15 * n(concat_ws('/', '${event}', release_reason, citizenship_country)))
          * coalesce(releases.share * (1 - held), held))::BIGINT AS weight
      FROM totals, genders, agencies, releases, countries
    ), begun AS (
      SELECT *, ${split({ total: 'total', weight: 'weight', within: 'year, month', order: 'turn' })} AS begun
      FROM cells
    ), drawn AS (
      SELECT
        *,
        CASE WHEN release_reason = 'still_detained' THEN 0 ELSE begun END AS ended,
        -- The later a month is, the shorter are those of its stays that have ended.
        CASE WHEN ended = 0 THEN 0 ELSE least(ended * longest, round(ended * least(days, 0.45 * longest)
          * exp(0.8 * n(${key('days')}) / sqrt(ended)))) END::BIGINT AS days_held,
        CASE WHEN begun = 0 THEN 0
          ELSE begun + round(begun * ${moreFacilities} * exp(0.5 * n(${key('facilities')}) / sqrt(begun))) END::BIGINT
          AS facilities
      FROM begun
    ), state AS (
      ${withTotals({ from: 'drawn', axes, sums: ['begun', 'ended', 'days_held', 'facilities'] })}
    ), years AS (
      SELECT * FROM state WHERE ${axes.map(axis => `${axis} = 'all'`).join(' AND ')}
    ), begun_by_county AS (
      SELECT
        ${axes.join(', ')}, year, county_fips, days_held AS days_of_all,
        begun - ended AS held_of_all, facilities - begun AS more_of_all,
        ${byCounty('begun', 'weight')} AS county_begun
      FROM years JOIN facilities USING (year)
    ), ended_by_county AS (
      SELECT
        *,
        county_begun - ${byCounty('held_of_all', 'county_begun')} AS county_ended,
        round(1000 * county_begun * exp(0.2 * n('${event} facilities/' || county_fips)))::BIGINT AS facilities_weight
      FROM begun_by_county
    ), weighed_by_county AS (
      SELECT *, round(1000 * county_ended * exp(0.25 * n('${event} days/' || county_fips)))::BIGINT AS days_weight
      FROM ended_by_county
    ), by_county AS (
      SELECT
        *,
        ${byCounty('days_of_all', 'days_weight')} AS county_days,
        county_begun + ${byCounty('more_of_all', 'facilities_weight')} AS county_facilities
      FROM weighed_by_county
    )
    SELECT
      year, NULL AS county_fips, ${axes.join(', ')}, begun, ended, days_held, facilities, 'states' AS detail
    FROM state
    WHERE demographic <> 'unknown'
    UNION ALL
    SELECT
      year, county_fips, ${axes.join(', ')},
      CASE WHEN county_begun >= 5 THEN county_begun END,
      CASE WHEN county_ended >= 5 THEN county_ended END,
      county_days,
      CASE WHEN county_begun >= 5 THEN county_facilities END,
      'counties'
    FROM by_county`;
}

function byCounty(total: string, weight: string): string {
  return split({ total, weight, within: 'year', order: 'county_fips' });
}

/** The counties with facilities and their shares of the state's book-ins: most are in a few large facilities. */
const facilities = `
  SELECT
    year, county_fips,
    round(1000000 * exp(-8 * (turn - 1) / (amount - 1) + 0.4 * drift('facility/' || county_fips, year)))::BIGINT
      AS weight
  FROM (
    SELECT county_fips, row_number() OVER (ORDER BY draw, county_fips) AS turn, count(*) OVER () AS amount
    FROM (SELECT county_fips, u('facility/' || county_fips) AS draw FROM counties)
    WHERE draw < 0.3
  ), range(2022, 2027) y(year)`;
