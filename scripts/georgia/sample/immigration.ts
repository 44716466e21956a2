/** Immigration enforcement: arrests by month are the base of removals and detention. */
import { type Samples, split, summed } from './draws.ts';

/** Months from October 2022 to August 2026. The records end on 6 August: `coverage` is the share of the month. */
const months = `
  SELECT
    elapsed,
    year(start)::INTEGER AS year,
    strftime(start, '%m') AS month,
    CASE WHEN start = DATE '2026-08-01' THEN 6 / 31 ELSE 1 END AS coverage
  FROM range(47) t(elapsed), LATERAL (SELECT (DATE '2022-10-01' + to_months(elapsed::INTEGER))::DATE AS start)`;

/** Records of unknown gender count only in `all`: leave out the rows of `unknown` after summing. */
const genders = `
  SELECT * FROM (VALUES ('female', 0.09), ('male', 0.905), ('unknown', 0.005)) t(demographic, share)`;

/** In tables of values, `share` is the value's share of arrests before 2025 and `surge` how much likelier it becomes after. */
const criminality = `
  SELECT * FROM (VALUES
    ('convicted_criminal', 0.46, -0.4),
    ('other_immigration_violator', 0.24, 0.6),
    ('pending_criminal_charges', 0.30, 0.1)
  ) t(criminality, share, surge)`;

const arrestMethods = `
  SELECT * FROM (VALUES
    ('287g_program', 0.12, 0.3),
    ('at_large_arrest', 0.13, 1.1),
    ('custodial_arrest', 0.68, -0.3),
    ('other', 0.07, 0.0)
  ) t(apprehension_method_group, share, surge)`;

const countries = `
  SELECT * FROM (VALUES
    ('brazil', 0.012), ('china', 0.008), ('colombia', 0.025), ('cuba', 0.012), ('dominican_republic', 0.008),
    ('ecuador', 0.016), ('el_salvador', 0.06), ('guatemala', 0.15), ('haiti', 0.01), ('honduras', 0.11),
    ('india', 0.014), ('jamaica', 0.016), ('mauritania', 0.002), ('mexico', 0.42), ('nicaragua', 0.02),
    ('nigeria', 0.006), ('peru', 0.012), ('russia', 0.002), ('senegal', 0.002), ('south_korea', 0.004),
    ('venezuela', 0.04), ('vietnam', 0.006), ('other', 0.042), ('unknown', 0.003)
  ) t(citizenship_country, share)`;

/** Sums BIGINT columns of `from` and adds the `all` of every axis, in all combinations. */
function withTotals(from: string, axes: string, sums: string): string {
  return `
    SELECT
      year,
      ${axes.replace(/\w+/g, "coalesce($&, 'all') AS $&")}, ${summed(sums)}
    FROM ${from}
    GROUP BY year, CUBE (${axes})`;
}

/** Months and their numbers of arrests, which rise at the start of 2025, as `surge` goes from 0 to 1. */
const monthlyArrests = `
  SELECT
    *,
    logistic((elapsed - 28) / 2.5) AS surge,
    round(coverage * (230 + 3 * elapsed + 850 * surge) * exp(0.06 * n(concat_ws('/', 'arrests', year, month))))
      AS arrests
  FROM (${months})`;

/** Arrests by month and by every combination of the axes, `unknown` gender included. */
const arrestCells = `
  SELECT
    year, month, demographic, criminality, apprehension_method_group, citizenship_country, surge,
    ${split({ total: 'arrests', weight: 'weight', within: 'year, month', order: 'turn' })} AS num_arrests
  FROM (
    SELECT
      *,
      u(concat_ws('/', 'arrests', year, month, demographic, criminality, apprehension_method_group, citizenship_country))
        AS turn,
      round(100000000 * genders.share * criminality.share * methods.share * countries.share
        * exp(totals.surge * (criminality.surge + methods.surge)))::BIGINT AS weight
    FROM (${monthlyArrests}) totals, (${genders}) genders, (${criminality}) criminality, (${arrestMethods}) methods,
      (${countries}) countries
  )`;

/**
 * Book-ins and their ends, the base of stints and stays. Each month's are divided among all combinations of gender,
 * arresting agency, way of release and country. Those that have not ended are `still_detained`: most of the last
 * months' and hardly any of the first's. Counties divide the state's totals.
 */

interface Detention {
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
function detentions({ event, perArrest, releases, agencies, moreFacilities }: Detention): string {
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
      ${withTotals('drawn', axes.join(', '), 'begun, ended, days_held, facilities')}
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

export const immigration: Samples = {
  'immigration/ice_arrests': `
    WITH drawn AS (${arrestCells}),
    summed AS (
      ${withTotals('drawn', 'month, demographic, criminality, apprehension_method_group, citizenship_country', 'num_arrests')}
    )
    SELECT *, NULL AS county_fips, 'states' AS detail
    FROM summed
    WHERE demographic <> 'unknown'`,

  'immigration/ice_arrests_with_detention_stays': `
    WITH methods(apprehension_method_group, held) AS (
      VALUES ('287g_program', 1.5), ('at_large_arrest', 0.9), ('custodial_arrest', 1.3), ('other', 0.2)
    ), histories(criminality, effect) AS (
      VALUES ('convicted_criminal', 0.4), ('other_immigration_violator', -0.6), ('pending_criminal_charges', 0.2)
    ), drawn AS (
      SELECT
        *,
        CASE WHEN num_arrests = 0 THEN 0 ELSE
          count_of(num_arrests, logistic(held + effect + 0.5 * surge
            - CASE demographic WHEN 'female' THEN 0.7 ELSE 0 END
            + 0.15 * n(concat_ws('/', 'detained', citizenship_country))
            + 0.1 * n(concat_ws('/', 'detained', year, month))),
            concat_ws('/', 'detained', year, month, demographic, criminality, apprehension_method_group,
              citizenship_country))
        END AS num_arrests_detained
      FROM (${arrestCells}) JOIN methods USING (apprehension_method_group) JOIN histories USING (criminality)
    ), summed AS (
      ${withTotals('drawn', 'month, demographic, criminality, apprehension_method_group, citizenship_country', 'num_arrests, num_arrests_detained')}
    )
    SELECT
      *,
      round(num_arrests_detained / nullif(num_arrests, 0), 4) AS detention_rate_after_arrest,
      NULL AS county_fips,
      'states' AS detail
    FROM summed
    WHERE demographic <> 'unknown'`,

  'immigration/ice_detention_stays': `
    SELECT
      * EXCLUDE (begun, ended, days_held, facilities),
      begun AS num_stays,
      ended AS num_stays_ended,
      round(days_held / nullif(ended, 0), 1) AS avg_stay_length_days,
      round(facilities / nullif(begun, 0), 2) AS avg_facilities_per_stay
    FROM (${detentions({
      event: 'stays',
      perArrest: 0.95,
      releases: `VALUES ('other', 0.02, 14), ('paroled', 0.04, 40), ('released_on_bond', 0.14, 46),
        ('released_on_order', 0.1, 27), ('removed', 0.66, 52), ('transferred', 0.04, 33)`,
      agencies: "VALUES ('cbp', 0.2, -1.2), ('ice', 0.79, 0.0), ('unknown', 0.01, 0.3)",
      moreFacilities: 0.8,
    })})`,

  'immigration/ice_detention_stints': `
    SELECT
      * EXCLUDE (begun, ended, days_held, facilities),
      begun AS num_stints,
      ended AS num_stints_ended,
      round(days_held / nullif(ended, 0), 1) AS avg_stint_length_days
    FROM (${detentions({
      event: 'stints',
      perArrest: 1.7,
      releases: `VALUES ('other', 0.02, 9), ('paroled', 0.02, 28), ('released_on_bond', 0.07, 34),
        ('released_on_order', 0.05, 19), ('removed', 0.29, 31), ('transferred', 0.55, 12)`,
      agencies: "VALUES ('cbp', 0.22, -1.2), ('ice', 0.77, 0.0), ('unknown', 0.01, 0.3)",
      moreFacilities: 0,
    })})`,

  /** Removals follow arrests by two months. */
  'immigration/ice_removals': `
    WITH genders AS (${genders}), criminality AS (${criminality}), countries AS (${countries}),
    programs(ice_program, share, surge, first_year) AS (
      VALUES
        ('287g_program', 0.14, 0.2, 2022), ('287g_task_force', 0.03, 0.6, 2025),
        ('alternatives_to_detention', 0.02, 0.3, 2022), ('border_patrol', 0.05, -0.5, 2022),
        ('criminal_alien_program', 0.6, -0.2, 2022), ('docket_control', 0.06, 0.0, 2022),
        ('fugitive_operations', 0.07, 0.8, 2022), ('other', 0.03, 0.0, 2022)
    ), months AS (${monthlyArrests}),
    totals AS (
      SELECT
        year, month, coverage, surge,
        round(coverage * (0.45 + 0.1 * surge) * coalesce(lag(arrests, 2) OVER (ORDER BY elapsed), 230)
          * exp(0.05 * n(concat_ws('/', 'removals', year, month)))) AS removals
      FROM months
    ), cells AS (
      SELECT
        year, month, demographic, criminality, ice_program, citizenship_country, removals,
        u(concat_ws('/', 'removals', year, month, demographic, criminality, ice_program, citizenship_country)) AS turn,
        round(100000000 * genders.share * criminality.share * programs.share * countries.share
          * exp(totals.surge * (criminality.surge + programs.surge)
            + 0.2 * n('removals/' || citizenship_country)))::BIGINT AS weight
      FROM totals JOIN programs ON year >= first_year, genders, criminality, countries
    ), drawn AS (
      SELECT *, ${split({ total: 'removals', weight: 'weight', within: 'year, month', order: 'turn' })} AS num_removals
      FROM cells
    ), summed AS (
      ${withTotals('drawn', 'month, demographic, criminality, ice_program, citizenship_country', 'num_removals')}
    )
    SELECT *, NULL AS county_fips, 'states' AS detail
    FROM summed
    WHERE demographic <> 'unknown'`,

  /**
   * Filings of the jails of 91 counties, from the third quarter of 2024 to the second of 2026; some quarters weren't
   * collected. Some filings lack rows, and about one in nine has a figure that can't be true.
   */
  'immigration/quarterly_detainer_reports': `
    WITH collected AS (
      SELECT county_fips, row_number() OVER (ORDER BY u('filings collected/' || county_fips), county_fips) AS turn
      FROM state_counties
    ), filings AS (
      SELECT
        2024 + (elapsed + 2) // 4 AS year,
        'q' || ((elapsed + 2) % 4 + 1) AS quarter,
        county_fips, population, foreign_born, elapsed,
        concat_ws('/', county_fips, elapsed) AS filing
      FROM counties JOIN collected USING (county_fips), range(8) t(elapsed)
      WHERE turn <= 91 AND (elapsed = 3 OR u('filing collected/' || filing) < 0.88)
    ), booked AS (
      SELECT
        *,
        greatest(12, round(population * 0.011 * exp(0.35 * n('bookings/' || county_fips)
          + 0.05 * sin(2 * pi() * elapsed / 4) + 0.05 * n('bookings/' || filing))))::BIGINT AS bookings,
        -- Some jails inquire about all who were born abroad, some about few of them.
        least(0.6, foreign_born * exp(0.1 + 0.7 * n('inquiry policy/' || county_fips))) AS inquiry_share
      FROM filings
    ), inquired AS (
      SELECT *, count_of(bookings, inquiry_share, 'inquiries/' || filing) AS inquiries
      FROM booked
    ), answered AS (
      SELECT *, count_of(inquiries, 0.9, 'responses/' || filing) AS responses
      FROM inquired
    ), judged AS (
      SELECT
        *,
        count_of(responses, logistic(0.2 + 0.4 * n('unlawful presence/' || county_fips)), 'unlawful presence/' || filing)
          AS illegal
      FROM answered
    ), drawn AS (
      SELECT
        *,
        count_of(illegal, logistic(0.3 + 0.03 * elapsed + 0.5 * n('detainers/' || county_fips)), 'detainers/' || filing)
          AS detainers,
        u('slip/' || filing) AS slip
      FROM judged
    )
    SELECT
      year, quarter, county_fips,
      CASE WHEN u('filed bookings/' || filing) > 0.04 THEN bookings END AS num_inmates_booked,
      CASE WHEN u('filed inquiries/' || filing) > 0.05 THEN inquiries END AS num_lesc_inquiries,
      -- Slips: responses to the inquiries of another quarter, detainers that other agencies asked for.
      CASE WHEN u('filed responses/' || filing) > 0.08 THEN
        CASE WHEN slip < 0.06 THEN inquiries + 1 + round(inquiries * slip * 5)::BIGINT ELSE responses END
      END AS num_lesc_responses,
      CASE WHEN u('combined figure/' || county_fips) > 0.15 AND u('filed unlawful presence/' || filing) > 0.06
        THEN illegal END AS num_responses_illegal_alien,
      CASE WHEN u('filed detainers/' || filing) > 0.04 THEN
        CASE WHEN slip BETWEEN 0.06 AND 0.125 THEN illegal + 1 + round(illegal * slip * 3)::BIGINT ELSE detainers END
      END AS num_detainers,
      'counties' AS detail
    FROM drawn`,

  /** Figures are rounded to thousands, and birthplaces of fewer people are withheld. */
  'immigration/undocumented_population_characteristics': `
    WITH parts(characteristic, value, region, share) AS (
      VALUES
        ('demographic', 'female', NULL, 0.46), ('demographic', 'male', NULL, 0.54),
        ('years_in_us', 'under_5', NULL, 0.29), ('years_in_us', '5_9', NULL, 0.17), ('years_in_us', '10_14', NULL, 0.12),
        ('years_in_us', '15_19', NULL, 0.17), ('years_in_us', '20_plus', NULL, 0.25),
        ('age_bracket', 'under_5', NULL, 0.016), ('age_bracket', '5_17', NULL, 0.12),
        ('age_bracket', '18_20', NULL, 0.045), ('age_bracket', '21_24', NULL, 0.07),
        ('age_bracket', '25_34', NULL, 0.25), ('age_bracket', '35_44', NULL, 0.26),
        ('age_bracket', '45_64', NULL, 0.21), ('age_bracket', '65_plus', NULL, 0.03),
        ('birthplace', 'afghanistan', 'asia', 0.0012), ('birthplace', 'argentina', 'south_america', 0.004),
        ('birthplace', 'bangladesh', 'asia', 0.004), ('birthplace', 'brazil', 'south_america', 0.03),
        ('birthplace', 'canada', 'north_america', 0.006), ('birthplace', 'chile', 'south_america', 0.003),
        ('birthplace', 'china', 'asia', 0.015), ('birthplace', 'colombia', 'south_america', 0.045),
        ('birthplace', 'dominican_republic', 'caribbean', 0.01), ('birthplace', 'ecuador', 'south_america', 0.012),
        ('birthplace', 'el_salvador', 'central_america', 0.06), ('birthplace', 'ethiopia', 'africa', 0.005),
        ('birthplace', 'ghana', 'africa', 0.006), ('birthplace', 'guatemala', 'central_america', 0.13),
        ('birthplace', 'haiti', 'caribbean', 0.018), ('birthplace', 'honduras', 'central_america', 0.085),
        ('birthplace', 'india', 'asia', 0.045), ('birthplace', 'jamaica', 'caribbean', 0.02),
        ('birthplace', 'korea', 'asia', 0.02), ('birthplace', 'mexico', 'north_america', 0.335),
        ('birthplace', 'nepal', 'asia', 0.003), ('birthplace', 'nicaragua', 'central_america', 0.016),
        ('birthplace', 'nigeria', 'africa', 0.018), ('birthplace', 'pakistan', 'asia', 0.005),
        ('birthplace', 'peru', 'south_america', 0.016), ('birthplace', 'philippines', 'asia', 0.007),
        ('birthplace', 'poland', 'europe', 0.0011), ('birthplace', 'russia', 'europe', 0.003),
        ('birthplace', 'ukraine', 'europe', 0.003), ('birthplace', 'venezuela', 'south_america', 0.055),
        ('birthplace', 'vietnam', 'asia', 0.012), ('birthplace', NULL, 'africa', 0.022),
        ('birthplace', NULL, 'asia', 0.012), ('birthplace', NULL, 'caribbean', 0.008),
        ('birthplace', NULL, 'central_america', 0.004), ('birthplace', NULL, 'europe', 0.018),
        ('birthplace', NULL, 'oceania', 0.0008), ('birthplace', NULL, 'south_america', 0.004)
    ), weighed AS (
      SELECT
        *,
        round(population * 0.04)::BIGINT AS total,
        coalesce(value, 'z rest of ' || region) AS name,
        round(1000000 * share * exp(0.1 * n(concat_ws('/', 'undocumented', characteristic, name))))::BIGINT AS weight
      FROM parts, (SELECT sum(population)::BIGINT AS population FROM state_counties)
    ), shared AS (
      SELECT *, ${split({ total: 'total', weight: 'weight', within: 'characteristic', order: 'name' })} AS people
      FROM weighed
    ), summed AS (
      SELECT characteristic, value, people FROM shared WHERE value IS NOT NULL
      UNION ALL
      SELECT 'region', region, sum(people)::BIGINT FROM shared WHERE region IS NOT NULL GROUP BY region
      UNION ALL
      SELECT DISTINCT 'total', 'all', total FROM shared
    )
    SELECT
      2024 AS year,
      NULL AS county_fips,
      CASE characteristic WHEN 'demographic' THEN value ELSE 'all' END AS demographic,
      'cms' AS estimator,
      CASE characteristic WHEN 'region' THEN value ELSE 'all' END AS region_of_birth,
      CASE characteristic WHEN 'birthplace' THEN value ELSE 'all' END AS country_of_birth,
      CASE characteristic WHEN 'years_in_us' THEN value ELSE 'all' END AS years_in_us,
      CASE characteristic WHEN 'age_bracket' THEN value ELSE 'all' END AS age_bracket,
      CASE WHEN people >= 1000 OR characteristic NOT IN ('birthplace', 'region') THEN round(people / 1000)::BIGINT * 1000
        END AS estimated_population,
      'states' AS detail
    FROM summed`,
};
