/** Immigration enforcement: arrests by month are the base of removals and detention. */
import { type Samples, sample, split, summed, withColumns } from './draws.ts';

/**
 * Months from October 2022 to August 2026 and their numbers of arrests, which rise at the start of 2025, as `surge` goes
 * from 0 to 1. The records end on 6 August: `coverage` is the share of the month.
 */
const months = withColumns('range(47) t(elapsed)', {
  start: "(DATE '2022-10-01' + to_months(elapsed::INTEGER))::DATE",
  year: 'year(start)::INTEGER',
  month: "strftime(start, '%m')",
  coverage: "CASE WHEN start = DATE '2026-08-01' THEN 6 / 31 ELSE 1 END",
  surge: 'logistic((elapsed - 28) / 2.5)',
  arrests: `round(coverage * (230 + 3 * elapsed + 850 * surge) * exp(0.06 * n(concat_ws('/', 'arrests', year, month))))`,
});

/** Axes by name: VALUES of a value, its share of arrests before 2025, and how much likelier it becomes after. */
type Axes = Readonly<Record<string, string>>;

/** Records of unknown gender count only in `all`. */
const demographic = "('female', 0.09, 0), ('male', 0.905, 0), ('unknown', 0.005, 0)";
const criminality = `('convicted_criminal', 0.46, -0.4), ('other_immigration_violator', 0.24, 0.6),
  ('pending_criminal_charges', 0.30, 0.1)`;
const citizenship_country = `('brazil', 0.012, 0), ('china', 0.008, 0), ('colombia', 0.025, 0), ('cuba', 0.012, 0),
  ('dominican_republic', 0.008, 0), ('ecuador', 0.016, 0), ('el_salvador', 0.06, 0), ('guatemala', 0.15, 0),
  ('haiti', 0.01, 0), ('honduras', 0.11, 0), ('india', 0.014, 0), ('jamaica', 0.016, 0), ('mauritania', 0.002, 0),
  ('mexico', 0.42, 0), ('nicaragua', 0.02, 0), ('nigeria', 0.006, 0), ('peru', 0.012, 0), ('russia', 0.002, 0),
  ('senegal', 0.002, 0), ('south_korea', 0.004, 0), ('venezuela', 0.04, 0), ('vietnam', 0.006, 0),
  ('other', 0.042, 0), ('unknown', 0.003, 0)`;

interface Events {
  /** The name in the keys of draws, such as `stints`. */
  readonly event: string;
  /** SQL for the number in a month. */
  readonly total: string;
  readonly axes: Axes;
  /** SQL for what else the weight of a combination depends on, on the scale of logarithms. */
  readonly lean?: string;
  readonly without?: string;
  /** SQL for counts among the events of a combination. */
  readonly drawn?: Readonly<Record<string, string>>;
}

/** SQL for the months' events, divided among all combinations of the axes, `unknown` gender included. */
function events({ event, total, axes, lean = '0', without = 'false', drawn = {} }: Events): string {
  const names = Object.keys(axes);
  const tables = names.map(
    name => `(VALUES ${axes[name]}) ${name}_axis(${name}, ${name}_share, ${name}_surge)`,
  );
  return withColumns(
    `(${withColumns(`(${months})`, { total })}), ${tables.join(', ')} WHERE NOT (${without})`,
    {
      combination: `concat_ws('/', year, month, ${names.join(', ')})`,
      turn: `u('${event}/' || combination)`,
      weight: `round(100000000 * ${names.map(name => `${name}_share`).join(' * ')}
      * exp(surge * (${names.map(name => `${name}_surge`).join(' + ')}) + ${lean}))::BIGINT`,
      events: split('total', 'weight', 'year, month', 'turn'),
      ...drawn,
    },
  );
}

/** SQL for sums with the `all` of the month and every axis, in all combinations. */
function withTotals({ axes }: Events, sums: string): (rows: string) => string {
  const names = ['month', ...Object.keys(axes)];
  return rows => `
    SELECT year, ${names.map(name => `coalesce(${name}, 'all') AS ${name}`).join(', ')}, ${summed(sums)},
      'states' AS detail
    FROM (${rows}) GROUP BY year, CUBE (${names.join(', ')})`;
}

/** A dataset that counts events in the state. */
function stateEvents(all: Events, sums: string, figures: Readonly<Record<string, string>>): string {
  return sample({
    from: `(${events(all)})`,
    levels: withTotals(all, sums),
    where: "demographic <> 'unknown'",
    keys: `year, month, ${Object.keys(all.axes).join(', ')}`,
    figures,
  });
}

const arrests = {
  event: 'arrests',
  total: 'arrests',
  axes: {
    demographic,
    criminality,
    apprehension_method_group: `('287g_program', 0.12, 0.3), ('at_large_arrest', 0.13, 1.1),
      ('custodial_arrest', 0.68, -0.3), ('other', 0.07, 0)`,
    citizenship_country,
  },
};

interface Detention {
  readonly event: string;
  /** Book-ins per arrest of the month. */
  readonly perArrest: number;
  /** VALUES of ways of release, their shares of those that ended, and 0. */
  readonly releases: string;
  /** SQL: a map of ways of release to days until then. */
  readonly lengths: string;
  readonly agencies: string;
  /** Mean number of facilities beyond the first. */
  readonly moreFacilities: number;
  /** SQL over begun, ended, days (of those that ended) and facilities (of all). */
  readonly figures: Readonly<Record<string, string>>;
}

/**
 * Book-ins and their ends. Those that have not ended are `still_detained`: most of the last months' and hardly any of the
 * first's. Counties divide the state's totals.
 */
function detentions({
  event,
  perArrest,
  releases,
  lengths,
  agencies,
  moreFacilities,
  figures,
}: Detention): string {
  const isHeld = "release_reason = 'still_detained'";
  const all: Events = {
    event,
    total: `round(arrests * ${perArrest} * exp(0.04 * n(concat_ws('/', '${event}', year, month))))`,
    axes: {
      demographic,
      arresting_agency_group: agencies,
      release_reason: `${releases}, ('still_detained', 1, 0)`,
      citizenship_country,
    },
    lean: `0.15 * n(concat_ws('/', '${event}', release_reason, citizenship_country))
      + ln(CASE WHEN ${isHeld} THEN ${HELD} ELSE 1 - ${HELD} END)`,
    drawn: {
      begun: 'events',
      ended: `CASE WHEN ${isHeld} THEN 0 ELSE begun END`,
      // The later a month is, the shorter are those of its stays that have ended.
      days: `CASE WHEN ended = 0 THEN 0 ELSE least(ended * ${LONGEST},
        round(ended * least(${lengths}[release_reason], 0.45 * ${LONGEST})
          * exp(0.8 * n('${event} days/' || combination) / sqrt(ended)))) END::BIGINT`,
      facilities: `CASE WHEN begun = 0 THEN 0 ELSE begun + round(begun * ${moreFacilities}
        * exp(0.5 * n('${event} facilities/' || combination) / sqrt(begun))) END::BIGINT`,
    },
  };
  const axes = ['month', ...Object.keys(all.axes)];
  const among = (total: string, weight: string) => split(total, weight, 'year', 'county_fips');
  const counties = withColumns(
    `(FROM state WHERE ${axes.map(axis => `${axis} = 'all'`).join(' AND ')}) JOIN (${facilities}) USING (year)`,
    {
      county_begun: among('begun', 'weight'),
      county_ended: `county_begun - ${among('begun - ended', 'county_begun')}`,
      facilities_weight: `round(1000 * county_begun * exp(0.2 * n('${event} facilities/' || county_fips)))::BIGINT`,
      days_weight: `round(1000 * county_ended * exp(0.25 * n('${event} days/' || county_fips)))::BIGINT`,
      county_days: among('days', 'days_weight'),
      county_facilities: `county_begun + ${among('facilities - begun', 'facilities_weight')}`,
    },
  );
  return sample({
    from: `(${events(all)})`,
    levels: rows => `
      WITH state AS (${withTotals(all, 'begun, ended, days, facilities')(rows)})
      SELECT * FROM state WHERE demographic <> 'unknown'
      UNION ALL BY NAME
      SELECT year, county_fips, ${axes.join(', ')}, 'counties' AS detail,
        CASE WHEN county_begun >= 5 THEN county_begun END AS begun,
        CASE WHEN county_ended >= 5 THEN county_ended END AS ended,
        county_days AS days, county_facilities AS facilities
      FROM (${counties})`,
    keys: `year, county_fips, ${axes.join(', ')}`,
    figures,
  });
}

/** SQL for the days from the first of the month to the end of the records. */
const LONGEST = "date_diff('day', start, DATE '2026-08-06')";
/** SQL for the share of a month's book-ins that are still held, by the days from its middle. */
const HELD = `(0.85 * exp(-greatest(2, ${LONGEST} - 15) / 50) + 0.012 * exp(-greatest(2, ${LONGEST} - 15) / 300))`;

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

/** VALUES of shares: of a characteristic, or of birthplaces in a region; `rest` is all other countries of the region. */
const parts = (characteristic: string, region: string | null, shares: string) =>
  shares.split(', ').map(one => {
    const [value, share] = one.split(' ');
    return `('${characteristic}', ${region === null ? 'NULL' : `'${region}'`}, '${value}', ${share})`;
  });

const PARTS = [
  ...parts('demographic', null, 'female 0.46, male 0.54'),
  ...parts('years_in_us', null, 'under_5 0.29, 5_9 0.17, 10_14 0.12, 15_19 0.17, 20_plus 0.25'),
  ...parts(
    'age_bracket',
    null,
    'under_5 0.016, 5_17 0.12, 18_20 0.045, 21_24 0.07, 25_34 0.25, 35_44 0.26, 45_64 0.21, 65_plus 0.03',
  ),
  ...Object.entries({
    africa: 'ethiopia 0.005, ghana 0.006, nigeria 0.018, rest 0.022',
    asia: `afghanistan 0.0012, bangladesh 0.004, china 0.015, india 0.045, korea 0.02, nepal 0.003, pakistan 0.005, \
philippines 0.007, vietnam 0.012, rest 0.012`,
    caribbean: 'dominican_republic 0.01, haiti 0.018, jamaica 0.02, rest 0.008',
    central_america: 'el_salvador 0.06, guatemala 0.13, honduras 0.085, nicaragua 0.016, rest 0.004',
    europe: 'poland 0.0011, russia 0.003, ukraine 0.003, rest 0.018',
    north_america: 'canada 0.006, mexico 0.335',
    oceania: 'rest 0.0008',
    south_america: `argentina 0.004, brazil 0.03, chile 0.003, colombia 0.045, ecuador 0.012, peru 0.016, \
venezuela 0.055, rest 0.004`,
  }).flatMap(([region, shares]) => parts('country_of_birth', region, shares)),
];

const characteristicOf = (name: string) =>
  `CASE characteristic WHEN '${name}' THEN value ELSE 'all' END AS ${name}`;

export const immigration: Samples = {
  'immigration/ice_arrests': stateEvents(arrests, 'events', { num_arrests: 'events' }),

  'immigration/ice_arrests_with_detention_stays': stateEvents(
    {
      ...arrests,
      drawn: {
        willingness: `MAP {'287g_program': 1.5, 'at_large_arrest': 0.9, 'custodial_arrest': 1.3, 'other': 0.2}
            [apprehension_method_group]
          + MAP {'convicted_criminal': 0.4, 'other_immigration_violator': -0.6, 'pending_criminal_charges': 0.2}[criminality]
          - CASE demographic WHEN 'female' THEN 0.7 ELSE 0 END`,
        detained: `CASE WHEN events = 0 THEN 0 ELSE count_of(events, logistic(willingness + 0.5 * surge
            + 0.15 * n(concat_ws('/', 'detained', citizenship_country)) + 0.1 * n(concat_ws('/', 'detained', year, month))),
          'detained/' || combination) END`,
      },
    },
    'events, detained',
    {
      num_arrests: 'events',
      num_arrests_detained: 'detained',
      detention_rate_after_arrest: 'round(detained / nullif(events, 0), 4)',
    },
  ),

  'immigration/ice_detention_stays': detentions({
    event: 'stays',
    perArrest: 0.95,
    releases: `('other', 0.02, 0), ('paroled', 0.04, 0), ('released_on_bond', 0.14, 0), ('released_on_order', 0.1, 0),
      ('removed', 0.66, 0), ('transferred', 0.04, 0)`,
    lengths: `MAP {'other': 14, 'paroled': 40, 'released_on_bond': 46, 'released_on_order': 27, 'removed': 52,
      'transferred': 33}`,
    agencies: "('cbp', 0.2, -1.2), ('ice', 0.79, 0), ('unknown', 0.01, 0.3)",
    moreFacilities: 0.8,
    figures: {
      num_stays: 'begun',
      num_stays_ended: 'ended',
      avg_stay_length_days: 'round(days / nullif(ended, 0), 1)',
      avg_facilities_per_stay: 'round(facilities / nullif(begun, 0), 2)',
    },
  }),

  'immigration/ice_detention_stints': detentions({
    event: 'stints',
    perArrest: 1.7,
    releases: `('other', 0.02, 0), ('paroled', 0.02, 0), ('released_on_bond', 0.07, 0), ('released_on_order', 0.05, 0),
      ('removed', 0.29, 0), ('transferred', 0.55, 0)`,
    lengths: `MAP {'other': 9, 'paroled': 28, 'released_on_bond': 34, 'released_on_order': 19, 'removed': 31,
      'transferred': 12}`,
    agencies: "('cbp', 0.22, -1.2), ('ice', 0.77, 0), ('unknown', 0.01, 0.3)",
    moreFacilities: 0,
    figures: {
      num_stints: 'begun',
      num_stints_ended: 'ended',
      avg_stint_length_days: 'round(days / nullif(ended, 0), 1)',
    },
  }),

  /** Removals follow arrests by two months. */
  'immigration/ice_removals': stateEvents(
    {
      event: 'removals',
      total: `round(coverage * (0.45 + 0.1 * surge) * coalesce(lag(arrests, 2) OVER (ORDER BY elapsed), 230)
        * exp(0.05 * n(concat_ws('/', 'removals', year, month))))`,
      axes: {
        demographic,
        criminality,
        ice_program: `('287g_program', 0.14, 0.2), ('287g_task_force', 0.03, 0.6), ('alternatives_to_detention', 0.02, 0.3),
          ('border_patrol', 0.05, -0.5), ('criminal_alien_program', 0.6, -0.2), ('docket_control', 0.06, 0),
          ('fugitive_operations', 0.07, 0.8), ('other', 0.03, 0)`,
        citizenship_country,
      },
      lean: "0.2 * n('removals/' || citizenship_country)",
      without: "ice_program = '287g_task_force' AND year < 2025",
    },
    'events',
    { num_removals: 'events' },
  ),

  /**
   * Filings of the jails of 91 counties, from the third quarter of 2024 to the second of 2026; some quarters weren't
   * collected. Some filings lack rows, and about one in nine has a figure that can't be true.
   */
  'immigration/quarterly_detainer_reports': sample({
    from: `counties JOIN (
        SELECT county_fips, row_number() OVER (ORDER BY u('filings collected/' || county_fips), county_fips) AS turn
        FROM state_counties) USING (county_fips), range(8) t(elapsed), LATERAL (SELECT concat_ws('/', county_fips, elapsed) AS filing)
      WHERE turn <= 91 AND (elapsed = 3 OR u('filing collected/' || filing) < 0.88)`,
    drawn: {
      bookings: `greatest(12, round(population * 0.011 * exp(0.35 * n('bookings/' || county_fips)
        + 0.05 * sin(2 * pi() * elapsed / 4) + 0.05 * n('bookings/' || filing))))::BIGINT`,
      // Some jails inquire about all who were born abroad, some about few of them.
      inquiries: `count_of(bookings, least(0.6, foreign_born * exp(0.1 + 0.7 * n('inquiry policy/' || county_fips))),
        'inquiries/' || filing)`,
      responses: "count_of(inquiries, 0.9, 'responses/' || filing)",
      illegal: `count_of(responses, logistic(0.2 + 0.4 * n('unlawful presence/' || county_fips)),
        'unlawful presence/' || filing)`,
      detainers: `count_of(illegal, logistic(0.3 + 0.03 * elapsed + 0.5 * n('detainers/' || county_fips)),
        'detainers/' || filing)`,
      // Slips: responses to the inquiries of another quarter, detainers that other agencies asked for.
      slip: "u('slip/' || filing)",
      detail: "'counties'",
    },
    keys: `2024 + (elapsed + 2) // 4 AS year, 'q' || ((elapsed + 2) % 4 + 1) AS quarter, county_fips`,
    figures: {
      num_inmates_booked: "CASE WHEN u('filed bookings/' || filing) > 0.04 THEN bookings END",
      num_lesc_inquiries: "CASE WHEN u('filed inquiries/' || filing) > 0.05 THEN inquiries END",
      num_lesc_responses: `CASE WHEN u('filed responses/' || filing) > 0.08 THEN
        CASE WHEN slip < 0.06 THEN inquiries + 1 + round(inquiries * slip * 5)::BIGINT ELSE responses END END`,
      num_responses_illegal_alien: `CASE WHEN u('combined figure/' || county_fips) > 0.15
        AND u('filed unlawful presence/' || filing) > 0.06 THEN illegal END`,
      num_detainers: `CASE WHEN u('filed detainers/' || filing) > 0.04 THEN
        CASE WHEN slip BETWEEN 0.06 AND 0.125 THEN illegal + 1 + round(illegal * slip * 3)::BIGINT ELSE detainers END END`,
    },
  }),

  /** Figures are rounded to thousands, and birthplaces of fewer people are withheld. */
  'immigration/undocumented_population_characteristics': sample({
    from: `(SELECT round(sum(population)::BIGINT * 0.04)::BIGINT AS total FROM state_counties),
      (VALUES ${PARTS.join(', ')}) parts(characteristic, region, value, share)`,
    drawn: {
      weight: `round(1000000 * share
        * exp(0.1 * n(concat_ws('/', 'undocumented', characteristic, region, value))))::BIGINT`,
      people: split('total', 'weight', 'characteristic', 'region, value'),
    },
    levels: rows => `
      WITH shared AS (${rows})
      SELECT characteristic, value, people, 'states' AS detail FROM shared WHERE value <> 'rest'
      UNION ALL
      SELECT 'region_of_birth', region, sum(people)::BIGINT, 'states' FROM shared WHERE region IS NOT NULL GROUP BY region
      UNION ALL
      SELECT DISTINCT NULL, NULL, total, 'states' FROM shared`,
    keys: `2024 AS year, 'cms' AS estimator, ${[
      'demographic',
      'region_of_birth',
      'country_of_birth',
      'years_in_us',
      'age_bracket',
    ]
      .map(characteristicOf)
      .join(', ')}`,
    published: "people >= 1000 OR characteristic NOT IN ('country_of_birth', 'region_of_birth')",
    figures: { estimated_population: 'round(people / 1000)::BIGINT * 1000' },
  }),
};
