import { describe, expect, test } from 'vitest';
import { MONTHS } from '../publishers/air.ts';
import { buildPublisher, readTreeJson, refusal } from '../publishers/built-tree.ts';
import { temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';

const CONTRACTS = { 'air/months.odcs.yaml': MONTHS.replace('2023-2024', '2024') };

async function publisher(select: string) {
  return writePublisher(await temporaryFolder(), CONTRACTS, {
    'air/months/year=2024/nation.parquet': select,
  });
}

describe('values that are no date are refused before anything is published', () => {
  test.each([
    ['a day that no month has', "SELECT '2024-02-30' AS month", '2024-02-30'],
    ['words', "SELECT 'March' AS month", 'March'],
    ['another order', "SELECT '03/01/2024' AS month", '03/01/2024'],
    ['digits left out', "SELECT '2024-3-1' AS month", '2024-3-1'],
    ['a time of day', "SELECT TIMESTAMP '2024-03-01 10:00:00' AS month", '2024-03-01 10:00:00'],
    ['an infinite date', "SELECT 'infinity'::DATE AS month", 'infinity'],
    ['a year before 1', "SELECT DATE '0044-03-15 (BC)' AS month", '0044-03-15'],
  ])('%s', async (_, select, value) => {
    const refused = await refusal(await publisher(`${select}, 1.5 AS pm25`));
    const found = refused.diagnostics.filter(one => one.code === 'lake-unfit-time');
    expect(found).toHaveLength(1);
    expect(found[0]!.message).toContain(value);
    expect(found[0]!.message).toContain('Write each as YYYY-MM-DD');
  });

  test('a month of another year than its folder, and a day within a month', async () => {
    const rows = "SELECT unnest([DATE '2023-12-01', DATE '2024-03-15']) AS month, 1.5 AS pm25";
    const refused = await refusal(await publisher(rows));
    const text = JSON.stringify([refused, refused.message]);
    expect(text).toContain('year_in_folder');
    expect(text).toContain('month_period');
  });
});

test('midnight, text and UTC are the same day, on any machine', async () => {
  const rows =
    "SELECT '2024-01-01' AS month, 1.5 AS pm25 UNION ALL SELECT '2024-02-01T00:00:00Z', 2.5 UNION ALL SELECT '2024-03-01 01:00:00+01', 3.5";
  const folder = await publisher(rows);
  const zone = process.env['TZ'];
  process.env['TZ'] = 'America/New_York';
  try {
    await buildPublisher(folder);
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
  const page = await readTreeJson<{ data: unknown[] }>(folder.out, 'api/v1/air/months/year=2024/nation.json');
  expect(page.data).toEqual([
    { year: 2024, month: '2024-01-01', pm25: 1.5 },
    { year: 2024, month: '2024-02-01', pm25: 2.5 },
    { year: 2024, month: '2024-03-01', pm25: 3.5 },
  ]);
});
