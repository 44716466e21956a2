import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveParameters } from '../../site/query/parameters.ts';
import { formatQuery, parseQuery } from '../../site/query/query-string.ts';
import { parseRequest } from '../../site/query/request.ts';
import { randomRuns } from '../random-runs.ts';
import { makeTable } from './tables.ts';

const { table } = makeTable();

function parse(query: string) {
  return parseRequest(table, parseQuery(query)!);
}

test('a filter of a kind that this version lacks is no parameter', () => {
  const filter = { ...table.schema.filters[0]!, param: 'newer', kind: 'newer' as 'range' };
  expect(deriveParameters([filter], table.columns).has('newer')).toBe(false);
});

describe('what is asked for', () => {
  const everything = {
    ...{ format: 'json', detail: 'areas', years: { exact: null, min: null, max: null } },
    ...{ conditions: [], offset: 0, limit: 10_000 },
  };

  test.each([
    ['', {}],
    ['?detail=units&format=csv', { detail: 'units', format: 'csv', limit: null }],
    ['?format=parquet&limit=20000', { format: 'parquet', limit: 20_000 }],
    ['?year=2020&year_min=%2B2019&year_max=2021', { years: { exact: 2020, min: 2019, max: 2021 } }],
    ['?year=-0', { years: { exact: 0, min: null, max: null } }],
    ['?offset=9007199254740991', { offset: 9007199254740991 }],
  ])('%s', (query, asked) => {
    expect(parse(query)).toEqual({ request: { ...everything, ...asked } });
  });

  test.each([
    ['?group=blue', { group: ['blue'] }],
    ['?group=green,blue,green', { group: ['blue', 'green'] }],
    ['?step=2,%2B1,02,1', { step: [1, 2] }],
    ['?open=true,false', { open: [false, true] }],
    ['?rate=1e3,.5,-0', { rate: [0, 0.5, 1000] }],
    ['?note=a,%20b', { note: ['a, b'] }],
    ['?note=plain,a%252C%20b', { note: ['a, b', 'plain'] }],
    ['?area_code=a%252Cb', { area_code: ['a,b'] }],
    ['?note=', { note: [''] }],
    ['?step=1&area_code=%F0%9D%92%B3,%EE%80%80', { area_code: ['\ue000', '𝒳'], step: [1] }],
    ['?place=150,101,150', { place: ['101', '150'] }],
    ['?detail=units&place=150:,:u003', { place: ['NULL|u003', '150|NULL'] }],
    ['?detail=units&place=a%253Ab%252Cc%2525:%25C3%25A9', { place: ['a:b,c%|é'] }],
    ['?detail=units&place=150%3Au003%2C101%3Au016', { place: ['101|u016', '150|u003'] }],
  ])('%s', (query, expected) => {
    const parsed = parse(query);
    if (!('request' in parsed)) throw new Error('problems');
    const conditions = parsed.request.conditions.map(one => [
      one.param,
      one.bound === 'key' &&
        one.keys.map(key =>
          one.param === 'place' ? key.map(code => code ?? 'NULL').join('|') : key.length === 1 && key[0],
        ),
    ]);
    expect(conditions).toEqual(Object.entries(expected));
  });
});

describe('what is wrong', () => {
  test.each([
    ['?yaer=2019', ['extra_forbidden yaer'], '?year=2019'],
    ['?yaer=2019&year=2020', ['extra_forbidden yaer'], '?year=2020'],
    ['?year=2019&year=2020', ['repeated_parameter year'], '?year=2019'],
    ['?group=all&group=blue', ['repeated_parameter group'], '?group=all,blue'],
    ['?year=', ['int_parsing year'], ''],
    ['?year=2019,2020', ['int_parsing year'], '?year_min=2019&year_max=2020'],
    ['?year=2019-2021', ['int_parsing year'], '?year_min=2019&year_max=2021'],
    ['?year=2021-2019', ['int_parsing year'], '?year_min=2019&year_max=2021'],
    ['?year=2019,2020&year_min=2018', ['int_parsing year'], '?year_min=2018'],
    ['?year=%202019', ['int_parsing year'], ''],
    ['?year=1e3', ['int_parsing year'], ''],
    ['?year=9007199254740993', ['int_parsing_size year'], ''],
    ['?year_min=x&year_max=y', ['int_parsing year_min', 'int_parsing year_max'], ''],
    ['?limit=0', ['greater_than_equal limit'], '?limit=1'],
    ['?limit=10001', ['less_than_equal limit'], '?limit=10000'],
    ['?offset=-1', ['greater_than_equal offset'], '?offset=0'],
    ['?format=html', ['enum format'], ''],
    ['?format=josn&limit=99999', ['enum format', 'less_than_equal limit'], '?format=json&limit=10000'],
    ['?format=cvs&limit=99999', ['enum format'], '?format=csv&limit=99999'],
    ['?detail=area', ['enum detail'], '?detail=areas'],
    ['?group=all,gren', ['enum group'], '?group=all,green'],
    ['?group=all,', ['empty_list_item group'], '?group=all'],
    ['?group=,', ['empty_list_item group', 'empty_list_item group'], ''],
    ['?area_code=1,,2', ['empty_list_item area_code'], '?area_code=1,2'],
    ['?step=1,x', ['int_parsing step'], '?step=1'],
    ['?open=True', ['enum open'], '?open=true'],
    ['?open=1', ['enum open'], ''],
    ['?rate=1e400,0.5,x', ['float_parsing rate', 'float_parsing rate'], '?rate=0.5'],
    ['?note=a,%20b,plain', ['enum note', 'enum note'], '?note=a%252C%20b,plain'],
    ['?note=,plain', ['empty_list_item note'], '?note=plain'],
    ['?note=a%20b', ['enum note'], '?note=a%252C%20b'],
    ['?__proto__=1', ['extra_forbidden __proto__'], ''],
    ['?place=150,,101', ['empty_list_item place'], '?place=150,101'],
    ['?place=150&place=101', ['repeated_parameter place'], '?place=150,101'],
    ['?plce=150', ['extra_forbidden plce'], '?place=150'],
    ['?place=150:u003', ['place_parts place'], '?place=150:u003&detail=units'],
    ['?place=150&detail=units', ['place_parts place'], '?place=150&detail=areas'],
    ['?place=150:u003,101&detail=units', ['place_parts place'], '?place=150:u003&detail=units'],
    ['?place=150&detail=whole', ['place_parts place'], '?place=150&detail=areas'],
    ['?place=150&detail=unit', ['place_parts place', 'enum detail'], '?place=150&detail=areas'],
    ['?place=100%25', ['string_unicode place'], '?place=100%2525'],
    ['?detail=units&place=:', ['empty_list_item place'], '?detail=units'],
    ['?history=true&as_of=2024-01-01', ['extra_forbidden as_of'], '?history=true'],
    ['?history=nonsense&as_of=2024-01-01', ['enum history'], '?as_of=2024-01-01'],
    [
      '?yaer=2019&limit=0&group=x&offset=z',
      ['extra_forbidden yaer', 'greater_than_equal limit', 'enum group', 'int_parsing offset'],
      '?year=2019&limit=1',
    ],
  ])('%s', (query, problems, corrected) => {
    const parsed = parse(query);
    if ('request' in parsed) throw new Error('no problems');
    expect(parsed.problems.map(({ type, param }) => `${type} ${param}`)).toEqual(problems);
    expect(formatQuery(parsed.corrected)).toBe(corrected);
  });

  test.each(['?year=2019,2021', '?year=2019-2021', '?year=2019&year=2020'])(
    '%s: the message names the parameters that take several years',
    query => {
      const parsed = parse(query);
      expect('problems' in parsed && parsed.problems[0]?.msg).toMatch(
        / For several years give year_min and year_max$/,
      );
    },
  );

  test('the number of named problems is limited', () => {
    const parsed = parse(`?group=${'x,'.repeat(4000)}`);
    expect('problems' in parsed && parsed.problems.length).toBe(50);
  });

  test.each([
    [`?${Array.from({ length: 60 }, (_, i) => `x${i}=1&`).join('')}year=2019&detail=units&limit=0`],
    [`?group=${'x,'.repeat(60)}all&open=1&year=2019&detail=units&limit=0`],
  ])('what is right after so many stays in the corrected query: %s', query => {
    const parsed = parse(query);
    if ('request' in parsed) throw new Error('no problems');
    expect(parsed.problems.length).toBe(50);
    const group = query.includes('group') ? 'group=all&' : '';
    expect(formatQuery(parsed.corrected)).toBe(`?${group}year=2019&detail=units&limit=1`);
  });

  test('the corrected query is right, and correcting it again changes nothing', () => {
    const names = [...table.parameters.keys(), 'yaer', 'grup', 'ofset', 'form', 'note'];
    const name = fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 }));
    const values = '2019|all|gren|a| b|a, b|plain|1e400|ture|csv|areas|-3|1e9|'.split('|');
    const item = fc.oneof(fc.constantFrom(...values), fc.string({ unit: 'binary', maxLength: 6 }));
    const value = fc.array(item, { maxLength: 3 }).map(items => items.join(','));
    const pairs = fc.array(fc.record({ name, value }), { maxLength: 6 });
    fc.assert(
      fc.property(pairs, given => {
        const parsed = parseRequest(table, given);
        if ('request' in parsed) return;
        const again = parseRequest(table, parseQuery(formatQuery(parsed.corrected))!);
        expect(again).toHaveProperty('request');
      }),
      { numRuns: randomRuns(100) },
    );
  });
});
