/** Questions that every executor and every adapter must answer alike. */
import type { Question } from '../edge/tree/reference.ts';

const NONE = 'No row at the level areas satisfies all conditions together.';

const ROWS: readonly (readonly [string, Question, string?])[] = [
  ['everything at the default level', {}],
  ['one whole slice', { year: 2022 }],
  ['a limit that the slice does not reach', { year: 2022, limit: 9000 }],
  ['a limit that the slice just reaches', { detail: 'whole', year: 2022, limit: 6 }],
  ['the only slice of a level, with no year', { detail: 'whole' }],
  ['a slice of two pages, the first', { detail: 'units', year: 2023 }],
  ['a slice of two pages, the second', { detail: 'units', year: 2023, offset: 10_000 }],
  ['a page over the end of a page', { detail: 'units', year: 2023, offset: 9_995, limit: 10 }],
  ['a page over the end of a year', { detail: 'units', offset: 3_650, limit: 50 }],
  ['the last page', { detail: 'units', offset: 20_000, limit: 10_000 }],
  ['an offset past the end', { year: 2022, offset: 100_000 }],
  ['an offset past the end, filtered', { year: 2022, filters: { group: ['all'] }, offset: 100_000 }],
  ['a huge offset', { offset: 9_007_199_254_740_991 - 10_000 }],
  ['the first row', { limit: 1 }],
  ['a range of years', { year_min: 2020, year_max: 2022 }],
  ['years from', { year_min: 2022, filters: { group: ['blue'] } }],
  ['years up to', { year_max: 2019, detail: 'units', limit: 20 }],
  ['year and range together', { year: 2020, year_min: 2019, year_max: 2021 }],
  ['a range over a gap', { year_min: 2020, year_max: 2023, limit: 700 }],
  ['one place, all years', { filters: { area_code: ['150'] } }],
  ['one place, all years, units', { detail: 'units', filters: { area_code: ['150'] } }],
  [
    'one place and unit, all years',
    { detail: 'units', filters: { area_code: ['150'], unit_code: ['u003'] } },
  ],
  [
    'one place and unit, some years',
    { detail: 'units', year_min: 2020, year_max: 2022, filters: { area_code: ['150'], unit_code: ['u003'] } },
  ],
  ['one place, one year', { detail: 'units', year: 2020, filters: { area_code: ['150'] } }],
  [
    'several places',
    { detail: 'units', filters: { area_code: ['150', '101', '360'], unit_code: ['u001', 'u016'] } },
  ],
  [
    'more places than DuckDB compares one by one, a later page',
    {
      detail: 'units',
      filters: { area_code: ['360', '150', '101', '122', '136', '111', '112'] },
      offset: 40,
      limit: 300,
    },
  ],
  ['a whole key', { filters: { place: ['150'] } }],
  ['a whole key of two parts', { detail: 'units', filters: { place: ['150:u003'] } }],
  [
    'pairs, of which no cross product is made',
    { detail: 'units', filters: { place: ['101:u016', '150:u003', '360:u001', '000:u001'] } },
  ],
  [
    'pairs in one year, with another filter',
    { detail: 'units', year: 2023, filters: { place: ['101:u016', '150:u003'], group: ['all', 'blue'] } },
  ],
  [
    'pairs and a column that contradicts one of them',
    { detail: 'units', filters: { place: ['101:u016', '150:u003'], area_code: ['150'] } },
  ],
  [
    'pairs above the surrogates, a later page',
    { detail: 'units', filters: { place: ['\ue000:u001', '𝒳:u002', '150:u003'] }, offset: 5, limit: 40 },
  ],
  ['a place above the surrogates', { filters: { area_code: ['\ue000', '𝒳'] } }],
  ['a place that is not there', { filters: { area_code: ['000'] } }, NONE],
  ['a place and none', { filters: { area_code: ['150', '000'] } }],
  ['one axis', { detail: 'units', filters: { group: ['green'] }, limit: 1000 }],
  ['one axis, later page', { detail: 'units', filters: { group: ['green'] }, limit: 1000, offset: 2000 }],
  ['one axis, last page', { detail: 'units', filters: { group: ['green'] }, limit: 1000, offset: 7000 }],
  ['two axes', { filters: { group: ['green', 'all'], step: ['2'] } }],
  ['an integer list', { filters: { step: ['1', '2'], group: ['all'] } }],
  ['an integer that is not there', { filters: { step: ['77'] } }, NONE],
  ['a boolean', { filters: { open: ['true'] } }],
  ['both booleans leave out NULL', { filters: { open: ['true', 'false'] } }],
  ['numbers to their last digit', { filters: { rate: ['0.45689739436520227', '0.30000000000000004'] } }],
  ['a number', { detail: 'units', filters: { rate: ['0.45689739436520227'] }, limit: 1000 }],
  ['very large and very small numbers', { filters: { rate: ['1e+21', '5e-324', '1e-7', '1'] } }],
  ['a value with a comma', { filters: { note: ['a, b'] } }],
  ['an empty value', { filters: { note: [''] } }],
  ['values without commas', { filters: { note: ['plain', '007'] } }],
  ['a value with a NUL, which no row has', { filters: { area_code: ['150\0'] } }, NONE],
  ['a value with a NUL, and one without', { filters: { area_code: ['\0', "150'\0'", '150'] } }],
  ['an attribute', { filters: { area_type: ['city'] } }],
  ['an attribute with a page', { filters: { area_type: ['city', 'rural'] }, limit: 100, offset: 100 }],
  [
    'all filters',
    {
      detail: 'units',
      year: 2023,
      filters: {
        area_code: ['122', '136'],
        group: ['all'],
        step: ['1'],
        open: ['true'],
        area_type: ['city'],
      },
    },
    'No row at the level units satisfies all conditions together.',
  ],
  ['a page that ends the answer', { year: 2022, filters: { group: ['all'], area_code: ['150'] }, limit: 2 }],
  [
    'a page that just ends the answer',
    { year: 2022, filters: { group: ['all'], area_code: ['150'] }, limit: 1, offset: 1 },
  ],
];

/** The last part is the notice of an answer without rows. */
export const QUESTIONS = ROWS.map(
  ([name, question, notice = null]): readonly [string, Question, string | null] => [name, question, notice],
);

/** Questions with no rows: what the notice must say. */
export const EMPTY_QUESTIONS: readonly (readonly [string, Question, string])[] = [
  [
    'a year in a gap',
    { year: 2021 },
    'demo/things has no data for 2021 at the level areas: it has 2019 to 2020, 2022 to 2023.',
  ],
  [
    'a year before all',
    { year: 1999, filters: { group: ['all'] } },
    'demo/things has no data for 1999 at the level areas: it has 2019 to 2020, 2022 to 2023.',
  ],
  [
    'a range that holds no year',
    { year_min: 2024 },
    'demo/things has no data for years from 2024 at the level areas: it has 2019 to 2020, 2022 to 2023.',
  ],
  [
    'a range the wrong way round',
    { year_min: 2023, year_max: 2020 },
    'No year is in the range: year_min 2023 is after year_max 2020.',
  ],
  [
    'a year outside the range',
    { year: 2019, year_min: 2020 },
    'No year is in the range: year 2019 is outside years from 2020.',
  ],
];
