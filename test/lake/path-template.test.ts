import { expect, test } from 'vitest';
import { sliceReader } from '../../build/lake/lake-layout.ts';

const LEVELS = ['city', 'city_district', 'old_city', 'state'];

/** Each line: a template, a name, and its slice. */
const names: readonly (readonly [template: string, name: string, slice: unknown])[] = [
  ['{year}/{detail}.parquet', '2021/city.parquet', { year: 2021, detail: 'city' }],
  ['{year}/{detail}_*.parquet', '2021/city_0.parquet', { year: 2021, detail: 'city' }],
  ['{year}/{detail}_*.parquet', '2021/city_district_0.parquet', { year: 2021, detail: 'city_district' }],
  ['{year}/*_{detail}.parquet', '2021/export_city.parquet', { year: 2021, detail: 'city' }],
  ['{year}/*_{detail}.parquet', '2021/export_old_city.parquet', { year: 2021, detail: 'old_city' }],
  ['{year}/*{detail}*.parquet', '2021/state-city.parquet', { either: ['state', 'city'] }],
  ['{year}/{detail}.parquet', '2021/village.parquet', { year: 2021, detail: 'village' }],
  ['{year}/{detail}.parquet', '2021/city.csv', null],
  ['{year}/*.parquet', '2021/part-0.parquet', { year: 2021, detail: undefined }],
  ['{year}/*.parquet', '2021/_part-0.parquet', null],
  ['rows*{year}.parquet', 'rows2021.parquet', { year: 2021, detail: undefined }],
  ['rows*{year}.parquet', 'rows-v2-2021.parquet', { year: 2021, detail: undefined }],
  ['{year}*.parquet', '2021.parquet', { year: 2021, detail: undefined }],
  ['{year}*.parquet', '2021_0.parquet', { year: 2021, detail: undefined }],
  ['{year}*.parquet', '20211.parquet', null],
  ['v2{year}.parquet', 'v22021.parquet', { year: 2021, detail: undefined }],
  ['{detail}-{year}/{year}.parquet', 'city-2021/2021.parquet', { year: 2021, detail: 'city' }],
  ['{detail}-{year}/{year}.parquet', 'city-2021/2022.parquet', null],
];

test.each(names)('%s: %s', (pathTemplate, name, slice) => {
  expect(sliceReader({ pathTemplate, levels: LEVELS })(name)).toEqual(slice);
});
