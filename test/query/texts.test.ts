/** Texts in requests and answers: nearest names, the order of values, values, query strings. */
import { expect, test } from 'vitest';
import { editDistance } from '../../build/format/nearest.ts';
import { encodeCsvValue, encodeJsonValue } from '../../site/query/encode.ts';
import { nearest } from '../../build/format/nearest.ts';
import { compareRows, compareText, compareValues } from '../../site/query/order.ts';
import { formatQuery, parseQuery, withPair } from '../../site/query/query-string.ts';

test('edits from one word to another', () => {
  const edits = [
    ['yaer', 'year'],
    ['', 'abc'],
    ['county', 'counties'],
    ['same', 'same'],
  ] as const;
  expect(edits.map(([a, b]) => editDistance(a, b))).toEqual([1, 3, 3, 0]);
  expect(edits.map(([a, b]) => editDistance(b, a))).toEqual([1, 3, 3, 0]);
});

test.each([
  ['YEAR', 'year'],
  ['county', 'counties'],
  ['dist', 'districts'],
  ['di', null],
  ['blocks', null],
  ['a'.repeat(5000), null],
])('%.20s was meant to be %s', (text, meant) => {
  expect(nearest(text, ['year', 'demographic', 'counties', 'districts', 'states', 'tracts'])).toBe(meant);
});

test.each([
  ['B', 'a', -1],
  ['a', 'aa', -1],
  ['\uffff', '\u{10000}', -1],
  ['\ue000', '\u{1d4b3}', -1],
  ['é', 'z', 1],
  ['x', 'x', 0],
])('the order of %j and %j is that of their bytes', (a, b, sign) => {
  expect(Math.sign(compareText(a, b))).toBe(sign);
  expect(Math.sign(compareText(b, a))).toBe(0 - sign + 0);
  expect(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))).toBe(sign);
});

test('NULL first, false before true, numbers by size, rows by one value after the other', () => {
  expect([true, null, false].sort(compareValues)).toEqual([null, false, true]);
  expect([10, null, 9, -1].sort(compareValues)).toEqual([null, -1, 9, 10]);
  const rows = [
    { 0: 1, 1: 'b' },
    { 0: 1, 1: null },
    { 0: 0, 1: 'z' },
  ].map(row => Object.values(row));
  expect(rows.sort(compareRows([0, 1])).map(String)).toEqual(['0,z', '1,', '1,b']);
});

test.each([
  [null, 'null', ''],
  ['', '""', '""'],
  ['a,b', '"a,b"', '"a,b"'],
  ['a"b', '"a\\"b"', '"a""b"'],
  ['a\nb', '"a\\nb"', '"a\nb"'],
  ['a\tb', '"a\\tb"', 'a\tb'],
  ['a\\b', '"a\\\\b"', 'a\\b'],
  [' a ', '" a "', ' a '],
  ['\u2028', '"\u2028"', '\u2028'],
  ['𝒳', '"𝒳"', '𝒳'],
  ['007', '"007"', '007'],
  [true, 'true', 'true'],
  [false, 'false', 'false'],
  [-0, '0', '0'],
  [0.00001, '0.00001', '0.00001'],
  [1e-7, '1e-7', '1e-7'],
  [1e21, '1e+21', '1e+21'],
  [0.1 + 0.2, '0.30000000000000004', '0.30000000000000004'],
  [9007199254740991, '9007199254740991', '9007199254740991'],
])('%j in JSON and CSV', (value, json, csv) => {
  expect([encodeJsonValue(value), encodeCsvValue(value)]).toEqual([json, csv]);
  expect(json).toBe(JSON.stringify(value));
});

test.each<[string, Record<string, string> | null]>([
  ['?', {}],
  ['?a=1&b=2', { a: '1', b: '2' }],
  ['?a', { a: '' }],
  ['?a=b=c', { a: 'b=c' }],
  ['?a=1&&b=', { a: '1', b: '' }],
  ['?a=x+y%2Bz', { a: 'x y+z' }],
  ['?a=%2541', { a: '%41' }],
  ['?%C3%A9=%F0%9D%92%B3%00', { é: '𝒳\0' }],
  // No UTF-8.
  ...['?a=%', '?a=%zz', '?a=%ff', '?%c3=1'].map((query): [string, null] => [query, null]),
])('the pairs of %s', (query, pairs) => {
  const found = parseQuery(query);
  expect(found && Object.fromEntries(found.map(({ name, value }) => [name, value]))).toEqual(pairs);
});

test('written again, a list stays readable', () => {
  const pairs = parseQuery('?area=1%2C2&x=a%26b')!;
  expect(formatQuery(pairs)).toBe('?area=1,2&x=a%26b');
  expect(formatQuery(withPair(pairs, 'offset', '10'))).toBe('?area=1,2&x=a%26b&offset=10');
  expect(formatQuery(withPair(pairs, 'area', '3'))).toBe('?area=3&x=a%26b');
  expect(formatQuery([{ name: 'a', value: '\ud800' }])).toBe('?a=%EF%BF%BD');
});
