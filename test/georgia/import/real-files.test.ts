import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHED_CELLS } from './published-cells.ts';
import { PUBLISHED_FILES } from './published-files.ts';
import { type Row, scratchLake } from './scratch-lake.ts';

for (const { name: set, whole, absent, imports } of PUBLISHED_FILES)
  describe.skipIf(absent)(set, () => {
    const scratch = scratchLake(afterAll);
    const reports = new Map<number, Awaited<ReturnType<typeof scratch.report>>>();

    beforeAll(async () => {
      for (const [index, [name, files]] of imports.entries())
        reports.set(index, await scratch.report(name, files));
    }, 120_000);

    test('each import writes its rows', () => {
      for (const [index, [name, , rows]] of imports.entries()) {
        const { written, odd } = reports.get(index)!;
        const found = written.map(({ path, rows: count }) => [path.replace('.parquet', ''), count]);
        expect(Object.fromEntries(found), name).toEqual(rows);
        // With these dimensions no fact is of a place that nobody names.
        expect(odd.filter(({ what }) => what.includes('is not in the dimension'))).toEqual([]);
      }
    });

    test('rows are dropped for documented reasons alone', () => {
      const dropped = [...reports.values()].flatMap(({ importer, files }) =>
        files.flatMap(file => file.dropped.map(({ what }) => `${importer}: ${what}`)),
      );
      const reasons = ['all grades together', ...(whole ? ['no tested count'] : [])];
      expect(dropped.filter(text => !/^(districts|schools): /.test(text))).toEqual(
        reasons.map(reason => `georgia_milestones_end_of_grade: ${reason}`),
      );
    });

    test('odd figures are kept and counted', () => {
      const odd = [...reports.values()].flatMap(({ importer, odd: findings }) =>
        findings.map(({ what }) => `${importer}: ${what}`),
      );
      expect(odd).toEqual([
        'attendance: num_students is 0, yet the group has rates',
        'ccrpi_graduation_rate: a five-year rate published in 2021, served as 2020: its cohort was due then',
      ]);
    });

    test('no import changes what another has written', () => {
      expect([...reports.values()].flatMap(({ changes }) => changes)).toEqual([]);
    });

    if (whole) {
      test('unemployment over all counties is 5.12 percent', async () => {
        const counties = await scratch.rows('census/employment/year=2023/counties.parquet');
        const sum = (name: string) => counties.reduce((total, row) => total + Number(row[name]), 0);
        expect(sum('num_unemployed') / sum('num_civilian_labor_force')).toBeCloseTo(0.0512, 4);
      });
      return;
    }

    test.each([...new Set(PUBLISHED_CELLS.map(cell => cell.dataset))])(
      '%s: cells as published',
      async dataset => {
        const cells = PUBLISHED_CELLS.filter(cell => cell.dataset === dataset);
        const slices = new Map<string, Row[]>();
        for (const { year, detail, keys, column, value, raw } of cells) {
          const path = `${dataset}/year=${year}/${detail}.parquet`;
          if (!slices.has(path)) slices.set(path, await scratch.rows(path));
          const found = slices
            .get(path)!
            .filter(row => Object.entries(keys).every(([name, key]) => row[name] === key));
          expect(found, `${path} ${JSON.stringify(keys)}`).toHaveLength(1);
          expect(found[0]![column], `${column} of ${JSON.stringify(keys)}, "${raw}" in the file`).toBe(value);
        }
      },
    );
  });

test('at least fifty cells are compared', () => {
  expect(PUBLISHED_CELLS.length).toBeGreaterThanOrEqual(50);
});
