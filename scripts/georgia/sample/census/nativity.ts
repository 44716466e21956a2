/**
 * Residents by birth and citizenship: the base of the datasets by nativity, so that they agree with each other. People grow in number as the adults of `employment` do.
 */
export interface Places {
  /** Table or CTE with county_fips, population and z. */
  readonly from: string;
  /** The place's column. */
  readonly place: string;
  /** Columns to keep. */
  readonly keys: readonly string[];
}

/**
 * Five rows for each place and vintage, 2020 to 2024: `people` of each `origin` out of `residents`, with the place's
 * keys and z, its share of foreign-born residents being near its county's.
 */
export function residents({ from, place, keys }: Places): string {
  return `
    WITH counted AS (
      SELECT
        *,
        round(population * (1 + 0.011 * (year - 2020) * (1 + 0.5 * n('adult growth/' || ${place}))))::BIGINT
          AS residents
      FROM ${from}
      JOIN (SELECT county_fips, foreign_born AS share FROM counties) USING (county_fips),
      (SELECT unnest(range(2020, 2025))::INTEGER AS year)
    ), born AS (
      SELECT
        *,
        count_of(residents, logistic(logit(share) + 0.5 * n('foreign born/' || ${place}) + 0.02 * (year - 2020)
          + 0.05 * drift('foreign born/' || ${place}, year)), 'residents born abroad/' || ${place}) AS foreign_born,
        residents - foreign_born AS native
      FROM counted
    ), parted AS (
      SELECT
        *,
        count_of(foreign_born, logistic(-0.2 + 0.25 * z + 0.3 * n('naturalized/' || ${place}) + 0.02 * (year - 2020)),
          'naturalized residents/' || ${place}) AS naturalized,
        count_of(native, logistic(-4.1 + 0.3 * n('born to citizens abroad/' || ${place})),
          'residents born to citizens abroad/' || ${place}) AS native_abroad
      FROM born
    ), drawn AS (
      SELECT
        *,
        count_of(native - native_abroad, logistic(-0.5 + 0.25 * z + 0.3 * n('newcomers/' || ${place})
          + 0.05 * drift('newcomers/' || ${place}, year)), 'residents from other states/' || ${place}) AS newcomers
      FROM parted
    )
    SELECT
      year, ${[...new Set([...keys, place])].join(', ')}, z, residents,
      unnest(['born_in_state', 'born_other_state', 'native_born_abroad', 'naturalized', 'noncitizen']) AS origin,
      unnest([native - native_abroad - newcomers, newcomers, native_abroad, naturalized, foreign_born - naturalized])
        AS people
    FROM drawn`;
}

/** The origins that a citizenship status counts: all = native + foreign_born, foreign_born = naturalized + noncitizen. */
export const citizenshipStatuses = `
  SELECT * FROM (VALUES
    ('all', 'born_in_state'), ('all', 'born_other_state'), ('all', 'native_born_abroad'),
    ('all', 'naturalized'), ('all', 'noncitizen'),
    ('native', 'born_in_state'), ('native', 'born_other_state'), ('native', 'native_born_abroad'),
    ('foreign_born', 'naturalized'), ('foreign_born', 'noncitizen'),
    ('naturalized', 'naturalized'), ('noncitizen', 'noncitizen')
  ) t(citizenship_status, origin)`;
