import { expect, onTestFinished, test, vi } from 'vitest';
import { MONTHS } from '../publishers/air.ts';
import { buildPublisher, readTreeJson, refusal } from '../publishers/built-tree.ts';
import { temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';

const CONTRACTS = { 'air/months.odcs.yaml': MONTHS.replace('2023-2024', '2024') };

async function publisher(select: string) {
  return writePublisher(await temporaryFolder(), CONTRACTS, {
    'air/months/year=2024/nation.parquet': select,
  });
}

test.each([
  ["'2024-02-30'", '2024-02-30'],
  ["'March'", 'March'],
  ["'03/01/2024'", '03/01/2024'],
  ["'2024-3-1'", '2024-3-1'],
  ["TIMESTAMP '2024-03-01 10:00:00'", '2024-03-01 10:00:00'],
  ["'infinity'::DATE", 'infinity'],
  ["DATE '0044-03-15 (BC)'", '0044-03-15'],
])('%s is no date, and is refused before anything is published', async (month, value) => {
  const { diagnostics } = await refusal(await publisher(`SELECT ${month} AS month, 1.5 AS pm25`));
  const found = diagnostics.filter(one => one.code === 'lake-unfit-time').map(one => one.message);
  expect(found).toEqual([expect.stringContaining('Write each as YYYY-MM-DD')]);
  expect(found[0]).toContain(value);
});

test('a month of another year than its folder, and a day within a month, are refused', async () => {
  const rows = "SELECT unnest([DATE '2023-12-01', DATE '2024-03-15']) AS month, 1.5 AS pm25";
  const refused = await refusal(await publisher(rows));
  const text = JSON.stringify([refused, refused.message]);
  expect(text).toContain('year_in_folder');
  expect(text).toContain('month_period');
});

test('midnight, text and UTC are the same day, on any machine', async () => {
  const rows =
    "SELECT '2024-01-01' AS month, 1.5 AS pm25 UNION ALL SELECT '2024-02-01T00:00:00Z', 2.5 UNION ALL SELECT '2024-03-01 01:00:00+01', 3.5";
  const folder = await publisher(rows);
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => void vi.unstubAllEnvs());
  await buildPublisher(folder);
  const page = await readTreeJson<{ data: unknown[] }>(folder.out, 'api/v1/air/months/year=2024/nation.json');
  expect(page.data).toEqual([
    { year: 2024, month: '2024-01-01', pm25: 1.5 },
    { year: 2024, month: '2024-02-01', pm25: 2.5 },
    { year: 2024, month: '2024-03-01', pm25: 3.5 },
  ]);
});
