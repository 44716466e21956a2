/** Questions that every executor and every adapter must answer alike. */
import type { Question } from '../edge/tree/reference.ts';

const NONE = 'No row at the level areas satisfies all conditions together.';

/** A name, the query (commas with no space after them part values), and the notice of an answer without rows. */
const ROWS: readonly (readonly [string, string, string?])[] = [
  ['everything at the default level', ''],
  ['one whole slice', 'year=2022'],
  ['a limit that the slice just reaches', 'detail=whole&year=2022&limit=6'],
  ['the only slice of a level, with no year', 'detail=whole'],
  ['a slice of two pages, the first', 'detail=units&year=2023'],
  ['a slice of two pages, the second', 'detail=units&year=2023&offset=10000'],
  ['a page over the end of a page', 'detail=units&year=2023&offset=9995&limit=10'],
  ['a page over the end of a year', 'detail=units&offset=3650&limit=50'],
  ['the last page', 'detail=units&offset=20000&limit=10000'],
  ['an offset past the end', 'year=2022&offset=100000'],
  ['an offset past the end, filtered', 'year=2022&group=all&offset=100000'],
  ['a huge offset', 'offset=9007199254730991'],
  ['years from', 'year_min=2022&group=blue'],
  ['year and range together', 'year=2020&year_min=2019&year_max=2021'],
  ['a range over a gap', 'year_min=2020&year_max=2023&limit=700'],
  ['one place, all years', 'area_code=150'],
  ['one place and unit, some years', 'detail=units&year_min=2020&year_max=2022&area_code=150&unit_code=u003'],
  ['several places', 'detail=units&area_code=150,101,360&unit_code=u001,u016'],
  [
    'more places than DuckDB compares one by one, a later page',
    'detail=units&area_code=360,150,101,122,136,111,112&offset=40&limit=300',
  ],
  ['a whole key', 'place=150'],
  ['pairs, of which no cross product is made', 'detail=units&place=101:u016,150:u003,360:u001,000:u001'],
  ['pairs in one year, with another filter', 'detail=units&year=2023&place=101:u016,150:u003&group=all,blue'],
  ['pairs and a column that contradicts one', 'detail=units&place=101:u016,150:u003&area_code=150'],
  [
    'pairs above the surrogates, a later page',
    'detail=units&place=\ue000:u001,𝒳:u002,150:u003&offset=5&limit=40',
  ],
  ['a place above the surrogates', 'area_code=\ue000,𝒳'],
  ['a place that is not there', 'area_code=000', NONE],
  ['one axis', 'detail=units&group=green&limit=1000'],
  ['one axis, later page', 'detail=units&group=green&limit=1000&offset=2000'],
  ['one axis, last page', 'detail=units&group=green&limit=1000&offset=7000'],
  ['two axes', 'group=green,all&step=2'],
  ['an integer that is not there', 'step=77', NONE],
  ['both booleans leave out NULL', 'open=true,false'],
  ['numbers to their last digit', 'rate=0.45689739436520227,0.30000000000000004'],
  ['very large and very small numbers', 'rate=1e+21,5e-324,1e-7,1'],
  ['a value with a comma', 'note=a, b'],
  ['an empty value', 'note='],
  ['a value with a NUL, which no row has', 'area_code=150\0', NONE],
  ['a value with a NUL, and one without', "area_code=\0,150'\0',150"],
  ['an attribute with a page', 'area_type=city,rural&limit=100&offset=100'],
  [
    'all filters',
    'detail=units&year=2023&area_code=122,136&group=all&step=1&open=true&area_type=city',
    'No row at the level units satisfies all conditions together.',
  ],
  ['a page that ends the answer', 'year=2022&group=all&area_code=150&limit=2'],
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

/** The last part is the notice of an answer without rows. */
export const QUESTIONS = ROWS.map(
  ([name, query, notice = null]): readonly [string, Question, string | null] => [
    name,
    readQuestion(query),
    notice,
  ],
);

/** And a year of which there are no files. */
export const ALL_QUESTIONS: typeof QUESTIONS = [
  ...QUESTIONS,
  [
    'a year in a gap',
    { year: 2021 },
    'demo/things has no data for 2021 at the level areas: it has 2019 to 2020, 2022 to 2023.',
  ],
];

/** One of each kind of plan, for hosts that run an executor of which all is asked elsewhere. */
export const OF_EACH_PLAN = ALL_QUESTIONS.filter(([name]) =>
  [
    'one whole slice',
    'a slice of two pages, the first',
    'a page over the end of a page',
    'a huge offset',
    'a year in a gap',
    'pairs above the surrogates, a later page',
    'one axis, later page',
    'very large and very small numbers',
    'a value with a NUL, which no row has',
  ].includes(name),
);
