/**
 * Values that are probably markers of missing figures: which are found, and what `check` and `build` report.
 */
import path from 'node:path';
import { expect, test } from 'vitest';
import { findFar } from '../../build/check/far-values.ts';
import { column, datasetContract } from '../publishers/contract-text.ts';
import { publisherAt, temporaryFolder, writeTexts } from '../publishers/publisher-folder.ts';

function found(values: readonly number[]): readonly number[] {
  const rows = new Map<number, number>();
  for (const value of values) rows.set(value, (rows.get(value) ?? 0) + 1);
  const least = [...rows].sort(([a], [b]) => a - b);
  const far = findFar({
    different: rows.size,
    least: least.slice(0, 9),
    most: [...least].reverse().slice(0, 9),
  });
  return far?.values.map(({ value }) => value) ?? [];
}

const times = (count: number, value: number) => Array.from({ length: count }, () => value);
const upTo = (most: number, count = 40) => Array.from({ length: count }, (_, i) => (most * (i + 1)) / count);
/** Few large figures, many small ones. */
const SKEWED = upTo(1).map(one => Math.round(10 ** (1 + one * 5)));

const FAMILY = [-999999999, -888888888, -222222222, -333333333];
const TOTALS = [5210, 5344, 5401].flatMap(one => times(3, one));

test.each<[what: string, values: readonly number[], markers: readonly number[]]>([
  ['a marker of the census, twice', [...SKEWED, ...times(2, -666666666)], [-666666666]],
  ['the same, once', [...SKEWED, -666666666], [-666666666]],
  ['its family', [...SKEWED, ...FAMILY], [...FAMILY].sort((a, b) => a - b)],
  ['in half of the rows', [...upTo(500), ...times(40, -666666666)], [-666666666]],
  ['a marker beside negative figures', [...upTo(500), ...upTo(-90), -666666666], [-666666666]],
  ['9999 and 99999 above', [...upTo(500), ...times(3, 9999), 99999], [99999, 9999]],
  ['999 not far above', [...upTo(700), ...times(3, 999)], [999]],
  ['-1 below counts', [...upTo(500), ...times(2, -1)], [-1]],
  ['-9 below shares', [...upTo(1), -9], [-9]],
  ['-99.9 and 999.9 at both ends', [...upTo(80), -99.9, ...times(2, 999.9)], [-99.9, 999.9]],
  ['the least 32-bit integer', [...upTo(80), -2147483648], [-2147483648]],
  ['another number, repeated and far', [...upTo(80), ...times(2, 123456)], [123456]],
  ['in a table of five rows', [12, 15, 9999, 14, 9999], [9999]],
  ['zeros below', [...upTo(50).map(one => one + 500), ...times(9, 0)], []],
  ['100 per cent above', [...upTo(12), ...times(5, 100)], []],
  ['skewed figures, the largest twice', [...SKEWED, ...SKEWED], []],
  ['one large figure', [...upTo(80), 123456], []],
  ['999 within the others', [...upTo(3000), ...times(9, 999)], []],
  ['changes around zero', [...upTo(30), ...upTo(-30), ...times(3, -9)], []],
  ['marks from -1 to 1', [...times(9, -1), ...times(9, 0), ...times(9, 1), 0.5], []],
  ['99 cases in the largest place', [...upTo(60), 99], []],
  ['totals far above their parts', [...upTo(80), ...TOTALS], []],
  ['two values in all', [...times(5, 3), ...times(5, 9999)], []],
])('%s', (_, values, markers) => {
  expect(found(values)).toEqual(markers);
});

const KEYS = [column('year', 'integer', 'year', true), column('code', 'string', 'categorical', true)];
const TABLE = { grain: '[year, code]', detail_levels: '[counties, states]' };

test('a build repeats a warning, names the lines that settle it, and is quiet after they are added', async () => {
  const folder = publisherAt(await temporaryFolder());
  const state = (settled: Readonly<Record<string, string>>) =>
    folder.writeContracts({
      'publisher.yaml': 'service: Air\nlicense: CC0-1.0\nattribution: Air office\n',
      'readings.yaml': datasetContract(
        'air.readings',
        [...KEYS, column('income', 'integer', 'metric', false, settled)],
        TABLE,
      ),
    });
  // A state's figure isn't far from those of other states, whatever its counties have.
  const rows = upTo(900).map((value, i) => `2024,${i},${i % 8 === 0 ? -666666666 : value * 100}`);
  await writeTexts(folder.data, {
    'air/readings/year=2024/counties.csv': `year,code,income\n${rows.join('\n')}\n`,
    'air/readings/year=2024/states.csv':
      'year,code,income\n2024,a,54000000\n2024,b,54000000\n2024,c,9000000\n2024,d,9500000\n2024,e,80000000\n',
  });
  const message =
    'lake-far-values air/readings: income is -666666666 in 5 rows of counties, and 4500 to 90000 in all others. If it says that there is no figure, give the column { property: missing_values, value: [-666666666] }; if it is a figure, { property: value_min, value: -666666666 }.';
  const warnings = async () => (await folder.build()).warnings.filter(one => one.startsWith('lake-'));
  await state({});
  expect(await warnings()).toEqual([message]);
  await folder.writeContracts({
    'publisher.yaml': 'service: Clean\nlicense: CC0-1.0\nattribution: Air\n',
  });
  expect(await warnings()).toEqual([message]);
  const { diagnostics } = await folder.refusal({ strict: true, out: path.join(folder.root, 'strict') });
  const errors = diagnostics.filter(one => one.severity !== 'note');
  expect(errors.map(one => `${one.code} ${one.message}`)).toEqual([message]);
  for (const settled of [{ missing_values: '[-666666666]' }, { value_min: '-666666666' }]) {
    await state(settled);
    expect(await warnings()).toEqual([]);
  }
});
