import { describe, expect, test } from 'vitest';
import { IMPORT_CASES, scratchLake, testStep } from './import-case.ts';

describe.each([...new Set(IMPORT_CASES.map(({ dataset }) => dataset))])('%s', dataset => {
  const cases = IMPORT_CASES.filter(one => one.dataset === dataset);
  test.each(cases.map(one => [one.name, one] as const))('%s', async (_, { steps }) => {
    const scratch = scratchLake();
    for (const step of steps) await testStep(scratch, dataset, step);
  });
});

test('a cell that differs from the table fails', async () => {
  const scratch = scratchLake();
  const step = { file: 'c.csv', text: 'county_fips,county_name\n13001,Appling\n' };
  const rows = (cell: string) => ({
    rows: { '_dimensions/counties': `county_fips | county_name\n${cell} | *\n` },
  });
  await testStep(scratch, 'counties', { ...step, ...rows('13001') });
  await expect(testStep(scratch, 'counties', { ...step, ...rows('13003') })).rejects.toThrow('13003');
});
