/** Tables of the Census Bureau: answers of its API, and files of data.census.gov. */
import {
  figure,
  type Importer,
  type Present,
  type Shape,
  type SourceColumn,
  text,
  unsaid,
} from './importer.ts';
import { importer } from './layouts.ts';
import type { About } from './subjects.ts';

/** A column for each part of the code, as in answers of the API, or the whole code in GEO_ID (`0500000US13001`). */
const PLACE: readonly SourceColumn[] = [
  text('state', ['state', 'state_fips'], false),
  text('county', ['county', 'county_fips'], false),
  text('tract', ['tract', 'tract_code'], false),
  text('unified', ['school district (unified)'], false),
  text('geoid', ['GEO_ID', 'Geography', 'GEOID', 'fips'], false),
  text('place_name', ['NAME', 'Geographic Area Name'], false),
];

/** Headers of the bureau's other geographies, in small letters without spaces and punctuation. */
const OTHER_PLACES = new RegExp(
  `^(${[
    'us|region|division|.*orpart|countysubdivision|subminorcivildivision|block|blockgroup|place|consolidatedcity',
    'alaskanative.*|schooldistrict(elementary|secondary|administrativearea)|congressionaldistrict.*',
    'statelegislativedistrict.*|votingdistrict|publicusemicrodataarea.*|zipcodetabulationarea.*',
    '.*statisticalarea.*|metropolitandivision.*|newenglandcity.*|urban.*|subbarrio|americanindian.*|tribal.*',
  ].join('|')})$`,
);

const WHOLE = `regexp_replace(geoid, '^\\d{7}US', '', 'i')`;
const LEVEL = `regexp_extract(geoid, '^(\\d{3})\\d{4}US', 1, 'i')`;
const STATE = "lpad(state, 2, '0')";
const COUNTY = `CASE WHEN regexp_full_match(county, '\\d{1,3}|13\\d{3}') THEN lpad(right(county, 3), 3, '0') END`;

/** SQL for the code of a row's place, by the smallest place that has a column in the file. */
function codeOf(present: Present): string {
  if (present.has('unified')) return `concat(${STATE}, lpad(nullif(unified, ''), 5, '0'))`;
  if (present.has('tract')) return `${STATE} || ${COUNTY} || lpad(tract, 6, '0')`;
  if (present.has('county')) return `${STATE} || ${COUNTY}`;
  if (present.has('geoid')) return `CASE WHEN regexp_full_match(${WHOLE}, '\\d+') THEN ${WHOLE} END`;
  return present.has('state') ? STATE : 'CAST(NULL AS VARCHAR)';
}

/**
 * SQL for `source` with `county_fips`, `tract_geoid`, `district_code`, `detail` and `place_wrong`. If the code of the
 * smallest place is blank, the row's place is unknown. A school district has the code of the lake's district with its
 * census code.
 *
 * @param only the levels that the dataset has; by default all
 */
function placed(present: Present, only?: 'counties and the state'): string {
  const parts = ['unified', 'tract', 'county'].filter(name => present.has(name));
  return `(
  SELECT *, CASE
      WHEN state IS NOT NULL AND ${STATE} <> '13' THEN 'not a place of Georgia'
      ${parts.map(name => `WHEN ${name} IS NULL THEN 'no ${name === 'unified' ? 'school district' : name} code'`).join(' ')}
      WHEN code IS NULL THEN 'no code of a place'
      WHEN detail IS NULL THEN concat('the code "', code, '" is of no county, school district, tract or state')
      WHEN NOT starts_with(code, '13') THEN 'not a place of Georgia'
      WHEN detail = 'districts' AND district_code IS NULL
        THEN 'a school district that the lake''s districts do not have under its census code'
      ${only ? "WHEN detail NOT IN ('counties', 'states') THEN 'neither a county nor the state'" : ''}
    END AS place_wrong,
    CASE WHEN detail = 'counties' THEN code END AS county_fips,
    CASE WHEN detail = 'tracts' THEN code END AS tract_geoid
  FROM (
    SELECT p.*, d.district_code FROM (
      SELECT *, CASE
          WHEN level_code IN ('950', '960', '970') THEN 'districts'
          WHEN level_code NOT IN ('', '040', '050', '140') THEN NULL
          WHEN length(code) = 2 THEN 'states' WHEN length(code) = 5 THEN 'counties'
          WHEN length(code) = 7 THEN 'districts' WHEN length(code) = 11 THEN 'tracts' END AS detail
      FROM (SELECT *, coalesce(${LEVEL}, '') AS level_code, ${codeOf(present)} AS code FROM source)) p
    LEFT JOIN census_district d ON p.detail = 'districts' AND d.census_id = p.code[3:]))`;
}

/** The year of a five-year table is its vintage's last, so a span in the file's name means its end. */
function table(
  name: string,
  columns: readonly SourceColumn[],
  select: Shape['select'],
  shared = false,
): Shape {
  return {
    name,
    pooled: true,
    otherPlaces: OTHER_PLACES,
    columns: [...PLACE, ...columns],
    select,
    shared,
  };
}

const ABOUT = { survey: ['five years'] } as const;

/** Counties, districts, tracts and the state come in files of their own, so these merge. */
const survey = (table: string, ...report: NonNullable<About['report']>) => ({
  reads: `American Community Survey table ${table}: data.census.gov's CSV, or the API's JSON`,
  about: { ...ABOUT, report },
  merges: true,
});

/** SQL, if the file lacks margins, for the columns that are then unsaid. */
const withoutMargins = (present: Present, margin: string, columns: readonly string[]) =>
  unsaid(present.has(margin) ? [] : columns);

/**
 * The labor force is the civilian one (B23025_003): a county with a large army base has a labor force far below its
 * adults. The rate's margin follows by the bureau's formula for ratios.
 */
const employment = importer({
  path: 'census/employment',
  reads: "American Community Survey table B23025: data.census.gov's CSV, or JSON of the API or by county",
  about: { ...ABOUT, report: ['b23025'] },
  shapes: [
    table(
      'table B23025, employment status',
      [
        text('year', ['year', 'vintage'], false),
        figure('labor_force', 'count', ['labor_force', 'civilian_labor_force', 'B23025_003E']),
        figure('unemployed', 'count', ['unemployed', 'B23025_005E']),
        figure('labor_force_moe', 'count', ['labor_force_moe', 'B23025_003M'], false),
        figure('unemployed_moe', 'count', ['unemployed_moe', 'B23025_005M'], false),
      ],
      present => `
        SELECT * REPLACE (year_of(year, file_year) AS year), place_wrong AS dropped,
          list_concat(${withoutMargins(present, 'unemployed_moe', ['num_unemployed_moe', 'unemployment_rate_moe'])},
            ${withoutMargins(present, 'labor_force_moe', ['num_civilian_labor_force_moe', 'unemployment_rate_moe'])}) AS unsaid,
          CASE
            WHEN num_unemployed > num_civilian_labor_force THEN 'more unemployed than in the labor force'
            WHEN num_unemployed IS NULL OR num_civilian_labor_force IS NULL THEN 'no estimate is published'
          END AS remark,
          rate AS unemployment_rate, CASE WHEN moe <= 1 THEN moe END AS unemployment_rate_moe
        FROM (
          SELECT *, estimate_of(unemployed) AS num_unemployed, estimate_of(labor_force) AS num_civilian_labor_force,
            estimate_of(unemployed_moe) AS num_unemployed_moe, estimate_of(labor_force_moe) AS num_civilian_labor_force_moe,
            num_unemployed / nullif(num_civilian_labor_force, 0) AS rate,
            sqrt(num_unemployed_moe ** 2 + (rate * num_civilian_labor_force_moe) ** 2)
              / nullif(num_civilian_labor_force, 0) AS moe
          FROM ${placed(present)})`,
    ),
  ],
});

/** Cells of a detailed table by number: `e3` is an estimate and `m3` its margin. */
function cells(code: string, numbers: readonly number[], required: readonly number[]): SourceColumn[] {
  return numbers.flatMap(number => {
    const cell = `${code}_${String(number).padStart(3, '0')}`;
    return [
      figure(`e${number}`, 'count', [`${cell}E`, `Estimate ${cell}`], required.includes(number)),
      figure(`m${number}`, 'count', [`${cell}M`], false),
    ];
  });
}

/** SQL for the sum of two cells, and for the margin of the sum. */
const sum = (one: number, other: number) =>
  `estimate_of(e${one}) + estimate_of(e${other}), sqrt(estimate_of(m${one}) ** 2 + estimate_of(m${other}) ** 2)`;
const cell = (number: number) => `estimate_of(e${number}), estimate_of(m${number})`;

/** Citizenship and place of birth of the cells of B05002. */
const BIRTHPLACES = [
  [1, 'all', 'all'],
  [2, 'native', 'all'],
  [13, 'foreign_born', 'all'],
  [14, 'naturalized', 'all'],
  [21, 'noncitizen', 'all'],
  [3, 'all', 'born_in_state'],
  [4, 'all', 'born_other_state'],
  [9, 'all', 'native_born_abroad'],
  [13, 'all', 'foreign_born'],
] as const;

/** Regions of birth, with the numbers of their cells among the naturalized and the noncitizens. */
const REGIONS = [
  ['europe', 15, 22],
  ['asia', 16, 23],
  ['africa', 17, 24],
  ['oceania', 18, 25],
  ['latin_america', 19, 26],
  ['northern_america', 20, 27],
] as const;

const BIRTH_CELLS = new Set([
  ...BIRTHPLACES.map(([one]) => one),
  ...REGIONS.flatMap(([, one, other]) => [one, other]),
]);

const BIRTH_ROWS = [
  ...BIRTHPLACES.map(([number, status, place]) => `('${status}', '${place}', 'all', ${cell(number)})`),
  ...REGIONS.flatMap(([region, naturalized, noncitizen]) => [
    `('naturalized', 'all', '${region}', ${cell(naturalized)})`,
    `('noncitizen', 'all', '${region}', ${cell(noncitizen)})`,
    `('foreign_born', 'all', '${region}', ${sum(naturalized, noncitizen)})`,
  ]),
];

/**
 * The table doesn't add up the foreign born of a region. Totals of counties and the state, which the bureau controls, have
 * a code in place of a margin.
 */
const foreignBornPopulation = importer({
  path: 'census/foreign_born_population',
  ...survey('B05002', 'b05002'),
  shapes: [
    table(
      'table B05002, place of birth by citizenship',
      cells('B05002', [...BIRTH_CELLS], [1, 2, 13, 14, 21]),
      present => `
        SELECT *, file_year AS year, place_wrong AS dropped,
          ${withoutMargins(present, 'm2', ['population_count_moe'])} AS unsaid
        FROM ${placed(present)} s, (VALUES ${BIRTH_ROWS.join(', ')})
          AS g(citizenship_status, place_of_birth, region_of_birth, population_count, population_count_moe)
        WHERE place_wrong IS NOT NULL OR g.population_count IS NOT NULL`,
    ),
  ],
});

/** Citizenship and birthplace of the cells of B17025: below the poverty level, and above it. */
const POVERTY = [
  [3, 10, 'native', 'all'],
  [4, 11, 'native', 'born_in_us'],
  [5, 12, 'native', 'born_outside_us'],
  [6, 13, 'foreign_born', 'all'],
  [7, 14, 'naturalized', 'all'],
  [8, 15, 'noncitizen', 'all'],
] as const;

const POVERTY_ROWS = [
  `('all', 'all', ${cell(2)}, ${cell(1)})`,
  ...POVERTY.map(
    ([below, above, status, birthplace]) =>
      `('${status}', '${birthplace}', ${cell(below)}, ${sum(below, above)})`,
  ),
];

/**
 * A group's universe is those below the level and those above it. The rate's margin follows by the bureau's formula for
 * shares; for a rate of 0 or 1 it is the bureau's modeled one.
 */
const povertyByNativity = importer({
  path: 'census/poverty_by_nativity',
  ...survey('B17025', 'b17025'),
  shapes: [
    table(
      'table B17025, poverty by nativity',
      cells('B17025', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [1, 2, 3, 6, 10, 13]),
      present => `
        SELECT *, place_wrong AS dropped, rate AS poverty_rate, CASE WHEN rate_moe <= 1 THEN rate_moe END AS poverty_rate_moe,
          ${withoutMargins(present, 'm2', ['num_below_poverty_moe', 'num_poverty_universe_moe', 'poverty_rate_moe'])} AS unsaid
        FROM (
          SELECT s.*, g.*, file_year AS year, num_below_poverty / nullif(num_poverty_universe, 0) AS rate,
            CASE WHEN file_year = 2020 THEN 18 ELSE 19 END AS weight,
            num_below_poverty_moe ** 2 - (rate * num_poverty_universe_moe) ** 2 AS squares,
            least(2.3 * weight / nullif(num_poverty_universe, 0), 0.5) AS modeled,
            CASE
              WHEN num_below_poverty_moe IS NULL OR num_poverty_universe_moe IS NULL OR rate IS NULL THEN NULL
              WHEN rate IN (0, 1) THEN 1.645 * sqrt(modeled * (1 - modeled) * weight / num_poverty_universe)
              WHEN squares > 0 THEN sqrt(squares) / num_poverty_universe
              ELSE sqrt(num_below_poverty_moe ** 2 + (rate * num_poverty_universe_moe) ** 2) / num_poverty_universe
            END AS rate_moe
          FROM ${placed(present)} s, (VALUES ${POVERTY_ROWS.join(', ')}) AS g(citizenship_status, native_birthplace,
            num_below_poverty, num_below_poverty_moe, num_poverty_universe, num_poverty_universe_moe))
        WHERE place_wrong IS NOT NULL OR num_below_poverty IS NOT NULL OR num_poverty_universe IS NOT NULL`,
    ),
  ],
});

/** Column groups of table S0501 by their numbers, with their names in the labels of data.census.gov. */
const STATUSES = [
  ['all', 'Total'],
  ['native', 'Native'],
  ['foreign_born', 'Foreign-born'],
  ['naturalized', 'Foreign-born; Naturalized citizen'],
  ['noncitizen', 'Foreign-born; Not a U.S. citizen'],
] as const;

type By = 'labels' | 'numbers';

/** A cell of S0501: its name, its number since 2018, and the end of its label. */
type Cell = readonly [name: string, number: number, ...labels: readonly string[]];

const FORCE = 'EMPLOYMENT STATUS!!Population 16 years and over';
const CIVILIAN = `${FORCE}!!In labor force!!Civilian labor force`;

const POPULATION: Cell = ['population', 48, FORCE];
const SHARES: readonly Cell[] = [
  ['force', 49, `${FORCE}!!In labor force`],
  ['civilian', 50, CIVILIAN],
  ['employed', 51, `${CIVILIAN}!!Employed`],
  ['unemployed', 52, `${CIVILIAN}!!Unemployed`],
  ['rate', 53, `${CIVILIAN}!!Unemployed!!Percent of civilian labor force`],
  ['armed', 54, `${FORCE}!!In labor force!!Armed Forces`],
  ['out', 55, `${FORCE}!!Not in labor force`],
];

/** The label names the year to whose prices the incomes are adjusted. */
const INCOME: Cell = [
  'median',
  101,
  ...Array.from(
    { length: 23 },
    (_, index) =>
      `INCOME IN THE PAST 12 MONTHS (IN ${2018 + index} INFLATION-ADJUSTED DOLLARS)!!Households!!Median Household income (dollars)`,
  ),
];

/** For all statuses: `e_median_native` is an estimate and `m_median_native` its margin. */
function statusCells(list: readonly Cell[], by: By, required: boolean): SourceColumn[] {
  return STATUSES.flatMap(([status, group], index) =>
    list.flatMap(([name, number, ...labels]) => {
      const code = `S0501_C0${index + 1}_${String(number).padStart(3, '0')}`;
      const headers = (kind: string, letter: string) =>
        by === 'numbers' ? [`${code}${letter}`] : labels.map(label => `${kind}!!${group}!!${label}`);
      const kind = name === 'median' ? 'text' : 'number';
      return [
        figure(`e_${name}_${status}`, kind, headers('Estimate', 'E'), required),
        figure(`m_${name}_${status}`, 'number', headers('Margin of Error', 'M'), false),
      ];
    }),
  );
}

/** SQL: the shares of some status aren't those of employment, whose parts add up. */
const IS_RENUMBERED = STATUSES.map(([status]) => {
  const n = (name: string) => `100 * share_of(e_${name}_${status})`;
  return `coalesce(abs(${n('force')} + ${n('out')} - 100) > 0.25 OR abs(${n('civilian')} + ${n('armed')} - ${n('force')}) > 0.25
    OR abs(${n('employed')} + ${n('unemployed')} - ${n('civilian')}) > 0.25, false)`;
}).join(' OR ');

const RENUMBERED =
  "'the cells of employment do not add up: this vintage numbers them otherwise, so use a file with labels'";

function laborShape(by: By): Shape {
  const rows = STATUSES.map(([status]) => {
    const shares = SHARES.flatMap(([name]) => [
      `share_of(e_${name}_${status})`,
      `share_of(m_${name}_${status})`,
    ]);
    const population = `estimate_of(e_population_${status}), estimate_of(m_population_${status})`;
    return `('${status}', ${population}, ${shares.join(', ')})`;
  });
  return table(
    `table S0501, nativity, by ${by}`,
    statusCells([POPULATION, ...SHARES], by, true),
    present => `
      SELECT *, file_year AS year,
        CASE WHEN place_wrong IS NOT NULL THEN place_wrong WHEN ${IS_RENUMBERED} THEN ${RENUMBERED} END AS dropped
      FROM ${placed(present, 'counties and the state')} s, (VALUES ${rows.join(', ')}) AS g(citizenship_status,
        num_population_16_plus, num_population_16_plus_moe, labor_force_participation_rate, labor_force_participation_rate_moe,
        pct_civilian_labor_force, pct_civilian_labor_force_moe, pct_employed, pct_employed_moe, pct_unemployed,
        pct_unemployed_moe, unemployment_rate, unemployment_rate_moe, pct_armed_forces, pct_armed_forces_moe,
        pct_not_in_labor_force, pct_not_in_labor_force_moe)
      WHERE place_wrong IS NOT NULL OR num_population_16_plus IS NOT NULL`,
    true,
  );
}

/** Medians beyond the table's ends: the files write 250,000+ and 2,500-, the API 250001 and 2499. */
const median = (cell: string) => `CASE
    WHEN regexp_full_match(${cell}, '250,?000\\+') THEN 250001
    WHEN regexp_full_match(${cell}, '2,?500-') THEN 2499
    ELSE estimate_of(${cell}) END`;

/** SQL for a row whose median is a text, which must not become NULL unseen. */
const unread = (cell: string) =>
  `WHEN NOT is_marker(${cell}) AND number_of(${cell}) IS NULL AND ${median(cell)} IS NULL
    THEN concat('the median "', ${cell}, '" is neither a figure nor a known marker')`;

/** Numbers of the cells are known for vintages of 2018 to 2024. */
function incomeShape(by: By): Shape {
  const medians = STATUSES.map(([status]) => `e_median_${status}`);
  const rows = STATUSES.map(
    ([status]) => `('${status}', ${median(`e_median_${status}`)}, estimate_of(m_median_${status}))`,
  );
  return table(
    `table S0501, income by nativity, by ${by}`,
    [
      ...statusCells([INCOME], by, true),
      ...(by === 'numbers' ? statusCells([POPULATION, ...SHARES], by, false) : []),
    ],
    present => `
      SELECT *, file_year AS year,
        CASE WHEN median_household_income NOT IN (2499, 250001) THEN moe END AS median_household_income_moe,
        CASE
          WHEN place_wrong IS NOT NULL THEN place_wrong
          ${by === 'numbers' ? `WHEN ${IS_RENUMBERED} OR file_year NOT BETWEEN 2018 AND 2024 THEN ${RENUMBERED}` : ''}
          ${medians.map(unread).join('\n')}
          WHEN coalesce(${medians.map(median).join(', ')}) IS NULL THEN 'no median is published for the place'
        END AS dropped
      FROM ${placed(present, 'counties and the state')} s,
        (VALUES ${rows.join(', ')}) AS g(citizenship_status, median_household_income, moe)`,
    true,
  );
}

const laborForceByNativity = importer({
  path: 'census/labor_force_by_nativity',
  ...survey('S0501', 's0501'),
  shapes: [laborShape('labels'), laborShape('numbers')],
});

const medianHouseholdIncomeByNativity = importer({
  path: 'census/median_household_income_by_nativity',
  ...survey('S0501', 's0501', 'income'),
  shapes: [incomeShape('labels'), incomeShape('numbers')],
});

/** Axes that the table of owners crosses; only their totals are served. */
const OWNERS = ['sex', 'eth', 'race', 'vet'] as const;

/** SQL: the cell is a total, by its label or by its code. */
const isTotal = (cell: string) =>
  `(${cell} IS NULL OR regexp_matches(${cell}, '^(total|all )', 'i') OR regexp_full_match(${cell}, '0{0,2}[01]|96|98'))`;

/** SQL for the figure that a row has, by the labels of its question and answer. */
const ANSWER = `CASE
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

const only = (figure: string, kind: string) => `max(${figure}) FILTER (WHERE kind = '${kind}')`;

/** One row of the source for each answer. A withheld share of those born abroad is what the share of those born here leaves. */
const nonemployerOwners = importer({
  path: 'census/nonemployer_owners_by_nativity',
  reads:
    "Nonemployer Statistics by Demographics, owner characteristics: data.census.gov's CSV, or the API's JSON",
  about: { report: ['nonemployers'] },
  merges: true,
  shapes: [
    table(
      'owner characteristics of nonemployer firms',
      [
        text('year', ['YEAR', 'Year (YEAR)'], false),
        text('naics', ['NAICS2022', 'NAICS2017', '2022 NAICS code', '2017 NAICS code']),
        text('question', ['QDESC_LABEL', 'QDESC']),
        text('answer', ['OWNCHAR_LABEL']),
        ...OWNERS.map(name => text(name, [`OWNER_${name}_LABEL`, `OWNER_${name}`], false)),
        figure('owners', 'number', ['OWNNOPD']),
        text('owners_flag', ['OWNNOPD_F'], false),
        figure('share', 'percent', ['OWNNOPD_PCT'], false),
        text('share_flag', ['OWNNOPD_PCT_F'], false),
      ],
      present => `
        WITH judged AS (
          SELECT *, coalesce(try_cast(year AS INTEGER), file_year) AS of_year, ${ANSWER} AS kind,
            CASE WHEN naics = '00' THEN 'all' ELSE concat('naics_', replace(naics, '-', '_')) END AS sector,
            ${unflagged('owners', 'count_of')} AS n, ${unflagged('share', 'proportion_of')} AS p,
            CASE
              WHEN place_wrong IS NOT NULL THEN place_wrong
              WHEN NOT (${OWNERS.map(isTotal).join(' AND ')}) THEN 'owners of one sex, ethnicity, race or veteran status'
              WHEN kind IS NULL THEN 'neither birthplace nor citizenship'
              WHEN NOT regexp_full_match(sector, 'all|naics_\\d\\d(_\\d\\d)?') THEN 'a part of a sector'
              WHEN detail = 'counties' AND sector <> 'all' THEN 'a sector of a county: sectors are of the state'
            END AS why
          FROM ${placed(present, 'counties and the state')})
        SELECT line, why AS dropped, of_year AS year, 'states' AS detail FROM judged WHERE why IS NOT NULL
        UNION ALL BY NAME
        SELECT min(line) AS line, of_year AS year, county_fips, sector, detail,
          coalesce(${only('n', 'total')}, ${only('n', 'total_of_citizenship')}) AS num_owners_reporting,
          CASE WHEN num_owners_reporting IS NULL THEN 'no number of owners whose birthplace is known' END AS dropped,
          ${only('n', 'us_born')} AS num_owners_us_born, ${only('n', 'abroad')} AS num_owners_not_us_born,
          coalesce(${only('p', 'abroad')}, round(1 - ${only('p', 'us_born')}, 14)) AS pct_not_us_born,
          ${only('n', 'citizen')} AS num_owners_citizen, ${only('n', 'not_citizen')} AS num_owners_not_citizen,
          ${only('p', 'not_citizen')} AS pct_not_citizen
        FROM judged WHERE why IS NULL GROUP BY of_year, county_fips, sector, detail`,
    ),
  ],
});

export const census: readonly Importer[] = [
  employment,
  foreignBornPopulation,
  povertyByNativity,
  laborForceByNativity,
  medianHouseholdIncomeByNativity,
  nonemployerOwners,
];
