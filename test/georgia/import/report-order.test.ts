import { expect, test } from 'vitest';
import { openDatabase } from '../../../scripts/georgia/import/database.ts';
import { groupFindings } from '../../../scripts/georgia/import/row-checks.ts';
import { scratchLake } from './scratch-lake.ts';

/** More rows than one thread of DuckDB reads at a time. */
const ROWS = 300_000;

test('examples are the first by position, whatever order rows come in', async () => {
  const database = await openDatabase();
  const rows = `SELECT i % 2 = 0 AS even, i FROM range(${ROWS}) r(i) ORDER BY hash(i)`;
  const found = await groupFindings(
    database,
    `SELECT CASE WHEN even THEN 'even' ELSE 'odd' END AS what, concat('line ', i) AS example, i AS position FROM (${rows})`,
  );
  database.close();
  expect(found).toEqual([
    { what: 'even', count: ROWS / 2, examples: [0, 2, 4, 6, 8].map(i => `line ${i}`) },
    { what: 'odd', count: ROWS / 2, examples: [1, 3, 5, 7, 9].map(i => `line ${i}`) },
  ]);
});

test('what is said of a large file is said of its first rows', async () => {
  const scratch = scratchLake();
  const lines: string[] = [];
  // The last place comes first, so that neither lines nor keys are in the order of the other.
  for (let district = 799; district > 650; district--)
    for (let school = 899; school > 0; school--)
      lines.push(`2018-19,${district},${school},Grad Rate -ALL Students,22,101,24\n`);
  const header =
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';
  const file = scratch.file('g.csv', header + lines.join(''));
  const { odd } = await scratch.report('graduation_rate_4_year_cohort', [file]);
  expect(odd).toEqual([
    {
      what: 'the rate is more than half a point from graduates over cohort',
      count: lines.length,
      examples: [0, 1, 2, 3, 4].map(row => `line ${2 + row}: 2019 / 799 / 0${899 - row} / all`),
    },
    {
      what: 'graduation_rate is outside 0 to 1',
      count: lines.length,
      examples: [1, 2, 3, 4, 5].map(school => `2019 / 651 / 000${school} / all`),
    },
  ]);
});
