/** Questions that every adapter must answer the same. */
import type { Question } from '../edge/tree/reference.ts';

const NO_YEAR = 'demo/things has no data for 2021 at the level areas: it has 2019 to 2020, 2022 to 2023.';

/** A name, the query (commas without a space separate values), and the notice of an answer without rows. */
const ROWS: readonly (readonly [string, string, string?])[] = [
  ['everything at the default level', ''],
  ['one whole slice', 'year=2022'],
  ['a slice of two pages, the first', 'detail=units&year=2023'],
  ['a page over the end of a page', 'detail=units&year=2023&offset=9995&limit=10'],
  ['a page over the end of a year', 'detail=units&offset=3650&limit=50'],
  ['an offset past the end, filtered', 'year=2022&group=all&offset=100000'],
  ['a year in a gap', 'year=2021', NO_YEAR],
  ['a huge offset', 'offset=9007199254730991'],
  ['years from', 'year_min=2022&group=blue'],
  ['one place, all years', 'area_code=150'],
  ['several places', 'detail=units&area_code=150,101,360&unit_code=u001,u016'],
  [
    'more places than DuckDB compares',
    'detail=units&area_code=360,150,101,122,136,111,112&offset=40&limit=300',
  ],
  ['a whole key', 'place=150'],
  ['pairs, of which no cross product is made', 'detail=units&place=101:u016,150:u003,360:u001,000:u001'],
  ['pairs in one year, with another filter', 'detail=units&year=2023&place=101:u016,150:u003&group=all,blue'],
  ['pairs above the surrogates', 'detail=units&place=\ue000:u001,𝒳:u002,150:u003&offset=5&limit=40'],
  ['a place above the surrogates', 'area_code=\ue000,𝒳'],
  [
    'a place that is not there',
    'area_code=000',
    `No row has area_code '000'. The nearest is 101, Area 1, "the great".`,
  ],
  ['one axis, later page', 'detail=units&group=green&limit=1000&offset=2000'],
  ['two axes', 'group=green,all&step=2'],
  ['rows of one row group of several', 'area_code=101,150&group=green&detail=units&limit=3&offset=400'],
  ['an integer that is not there', 'step=77', "No row has step '77'. demo/things/values lists all."],
  ['both booleans leave out NULL', 'open=true,false'],
  ['numbers to their last digit', 'rate=0.45689739436520227,0.30000000000000004'],
  ['very large and very small numbers', 'rate=1e+21,5e-324,1e-7,1'],
  ['a value with a comma', 'note=a, b'],
  ['an empty value', 'note='],
  [
    'a value with a NUL, which no row has',
    'area_code=150\0',
    "No row has area_code '150\0'. The nearest is 150, Area 8.",
  ],
  ['a value with a NUL, and one without', "area_code=\0,150'\0',150"],
  ['an attribute with a page', 'area_type=city,rural&limit=100&offset=100'],
  [
    'all filters',
    'detail=units&year=2023&area_code=122,136&group=all&step=1&open=true&area_type=city',
    'No row at the level units satisfies all conditions together.',
  ],
  ['a page that just ends the answer', 'year=2022&group=all&area_code=150&limit=1&offset=1'],
];

function readQuestion(query: string): Question {
  const numbers: Record<string, number> = {};
  const filters: Record<string, readonly string[]> = {};
  const { detail, ...pairs } = Object.fromEntries(
    query.split('&').map(pair => pair.split('=') as [string, string]),
  );
  for (const [name, value] of Object.entries(pairs).filter(([name]) => name !== '')) {
    if (/^(year|year_min|year_max|offset|limit)$/.test(name)) numbers[name] = Number(value);
    else filters[name] = value.split(/,(?! )/);
  }
  return { ...(detail && { detail }), ...numbers, ...(Object.keys(filters).length > 0 && { filters }) };
}

export const ALL_QUESTIONS = ROWS.map(
  ([name, query, notice = null]): readonly [string, Question, string | null] => [
    name,
    readQuestion(query),
    notice,
  ],
);

/** Those that don't ask for a missing year. */
export const QUESTIONS = ALL_QUESTIONS.filter(([, { year }]) => year !== 2021);

/** One question for each kind of plan, for hosts whose edge is tested with all questions elsewhere. */
export const OF_EACH_PLAN = ALL_QUESTIONS.filter(([name]) =>
  [
    'one whole slice',
    'a slice of two pages, the first',
    'a page over the end of a page',
    'a huge offset',
    'a year in a gap',
    'pairs above the surrogates',
    'one axis, later page',
    'very large and very small numbers',
    'a value with a NUL, which no row has',
  ].includes(name),
);
