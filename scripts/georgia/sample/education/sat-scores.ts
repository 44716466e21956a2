import { fromSchools } from '../levels.ts';
import { splitAmongGroups } from '../split.ts';
import { type Component, componentRows, essays, sections } from './sat-components.ts';

export interface SatScores {
  /** The composites of three sections. */
  readonly composites: readonly Component[];
  /** Points by which a section score exceeds that of the most recent test. */
  readonly lift: number;
  /** SQL condition over year and demographic: only the number tested is published. */
  readonly scoreWithheld: string;
}

const school = 'year, district_code, school_code';
const points = [
  'verbal',
  'math',
  'writing',
  'reading_test',
  'essay_reading',
  'essay_analysis',
  'essay_writing',
];

/**
 * Mean SAT scores, in two versions for the same test takers. Each school draws how many of its oldest students take the
 * test and how many points above the lowest score they reach in each section; groups share both by size and effect.
 * Means are quotients of summed points. Groups are those of the test's registration form, until 2010: more than one
 * race counts as `other`.
 */
export function satScores({ composites, lift, scoreWithheld }: SatScores): string {
  return `
    WITH statewide(year, taking, verbal, math, writing) AS (
      VALUES
        (2004, 0.52, 489, 484, 470), (2005, 0.54, 492, 488, 470), (2006, 0.55, 489, 489, 481), (2007, 0.55, 488, 488, 479),
        (2008, 0.55, 487, 487, 477), (2009, 0.56, 486, 486, 475), (2010, 0.57, 485, 486, 473), (2011, 0.58, 483, 484, 470),
        (2012, 0.58, 485, 485, 472), (2013, 0.57, 487, 484, 472), (2014, 0.57, 486, 483, 470), (2015, 0.56, 488, 484, 471),
        (2016, 0.55, 490, 485, 472), (2017, 0.54, 530, 512, 500), (2018, 0.56, 537, 520, 500), (2019, 0.58, 534, 516, 500),
        (2020, 0.55, 529, 510, 500), (2021, 0.38, 545, 520, 500), (2022, 0.48, 532, 512, 500), (2023, 0.50, 530, 505, 500),
        (2024, 0.50, 524, 498, 500)
    ), groups AS (
      SELECT
        ${school}, total, z, demographic_category, exhaustive, students, effect,
        CASE demographic WHEN 'multiracial' THEN 'other' ELSE demographic END AS demographic
      FROM enrollment
      WHERE demographic = 'all' OR (year <= 2010 AND demographic_category IN ('race_ethnicity', 'sex'))
      UNION ALL BY NAME
      SELECT
        ${school}, total, z, 'race_ethnicity' AS demographic_category, true AS exhaustive,
        round(0.05 * total)::BIGINT AS students, 0 AS effect, 'race_unknown' AS demographic
      FROM enrollment
      WHERE demographic = 'all' AND year <= 2010
    ), expected AS (
      SELECT
        ${school}, demographic, demographic_category, exhaustive, students, effect, place,
        round(total * high / 4)::BIGINT AS oldest,
        logistic(logit(taking) + 0.35 * g.z + 0.2 * drift('SAT taking/' || place, year)) AS taking_share,
        40 * g.z + 10 * n('SAT/' || place) + 6 * drift('SAT/' || place, year) AS above,
        verbal - 200 AS verbal_mean, math - 200 AS math_mean, writing - 200 AS writing_mean
      FROM groups g
      JOIN statewide USING (year)
      JOIN schools USING (district_code, school_code),
      LATERAL (SELECT concat_ws('/', district_code, school_code) AS place)
      WHERE high > 0
    ), taken AS (
      SELECT
        *,
        count_of(oldest, taking_share, concat_ws('/', 'SAT tested', place, year)) AS tested_of_all,
        CASE demographic WHEN 'all' THEN students ELSE round(students * 100 * exp(-0.5 * effect
          + 0.1 * n(concat_ws('/', 'SAT taking of group', place, demographic)))) END::BIGINT AS weight
      FROM expected
    ), tested AS (
      SELECT
        *, ${splitAmongGroups({ total: 'tested_of_all', weight: 'weight', within: school })} AS tested,
        ${sectionOfAll('verbal', 'verbal_mean + above')},
        ${sectionOfAll('math', 'math_mean + 1.05 * above')},
        ${sectionOfAll('writing', 'writing_mean + above')}
      FROM taken
    ), weighed AS (
      SELECT
        *,
        ${sectionWeight('verbal')}, ${sectionWeight('math')}, ${sectionWeight('writing')}
      FROM tested
    ), divided AS (
      SELECT
        ${school}, demographic, place, tested, above,
        ${['verbal', 'math', 'writing']
          .map(section => {
            const part = splitAmongGroups({
              total: `${section}_of_all`,
              weight: `${section}_weight`,
              within: school,
            });
            return `${part} + ${lift} * tested AS ${section}`;
          })
          .join(',\n        ')}
      FROM weighed
    ), drawn AS (
      SELECT
        *,
        tested - count_of(tested, 0.004, concat_ws('/', 'SAT without math', place, year)) AS tested_in_math,
        round(verbal * (0.505 + 0.003 * n(concat_ws('/', 'SAT reading test', place, year))))::BIGINT AS reading_test,
        count_of(tested, 0.6, concat_ws('/', 'SAT essays', place, year)) AS essays,
        ${essayPoints('reading', 3.15)},
        ${essayPoints('analysis', 1.9)},
        ${essayPoints('writing', 3.4)}
      FROM divided
      WHERE tested > 0
    ), summed AS (
      ${fromSchools({
        from: 'drawn',
        axes: ['year', 'demographic'],
        sums: ['tested', 'tested_in_math', 'essays', ...points],
      })}
    ), scored AS (
      ${[...sections, ...composites, ...essays].map(componentRows).join('\n      UNION ALL\n      ')}
    )
    SELECT
      year, district_code, school_code, demographic, test_component,
      CASE WHEN num_tested >= 10 THEN num_tested END AS num_tested,
      CASE WHEN num_tested >= 10 AND NOT (${scoreWithheld}) AND possible THEN avg_score END AS avg_score,
      detail
    FROM (
      SELECT
        *,
        -- A few scores of the source are impossible.
        avg_score BETWEEN least_score AND most_score AND (detail <> 'schools'
          OR u(concat_ws('/', 'SAT possible', district_code, school_code, test_component, demographic, year)) > 0.002)
          AS possible
      FROM scored
    )
    WHERE num_tested > 0`;
}

/**
 * A school's points in a section: about those expected of all who took it. A school's mean is from 350 to 670, the
 * observed range.
 */
function sectionOfAll(section: string, mean: string): string {
  const error = `n(concat_ws('/', 'SAT ${section}', place, year))`;
  const drawn = `round(tested_of_all * (${mean}) + 90 * sqrt(tested_of_all) * ${error})`;
  return `least(470 * tested_of_all, greatest(150 * tested_of_all, ${drawn}))::BIGINT AS ${section}_of_all`;
}

/** A group's weight in the points of a section. */
function sectionWeight(section: string): string {
  return `CASE demographic WHEN 'all' THEN 1000 * tested ELSE round(1000 * tested * exp(-0.22 * effect
          + 0.03 * n(concat_ws('/', 'SAT ${section} of group', place, demographic))
          + 0.3 * n(concat_ws('/', 'SAT ${section} of group', place, demographic, year)) / sqrt(1 + tested)))
        END::BIGINT AS ${section}_weight`;
}

/** Points of an essay dimension, in hundredths above 2, of those who wrote one. */
function essayPoints(dimension: string, mean: number): string {
  const error = `n(concat_ws('/', 'SAT essay ${dimension}', place, year))`;
  return `greatest(0, round(100 * (essays * (${mean} + 0.006 * above) + sqrt(essays) * ${error})))::BIGINT
          AS essay_${dimension}`;
}
