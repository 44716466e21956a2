import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const PROGRAM = fileURLToPath(new URL('../../../lib/scripts/georgia/import/main.js', import.meta.url));

test('--marker takes one text, and may be repeated: what follows is a file', async () => {
  const scratch = scratchLake();
  const file = scratch.file(
    'g.csv',
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n' +
      '2018-19,601,103,Grad Rate -Foster,n.b.,x,x\n',
  );
  const name = 'graduation_rate_4_year_cohort';
  const args = [name, '--out', scratch.lake, '--marker', 'n.b.', '--marker', 'x', file];
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const [row] = await scratch.rows(`education/${name}/year=2019/schools.parquet`);
  expect(row).toMatchObject({ num_graduates: null, graduation_rate: null, num_cohort: null });
});

test('a file that was left out makes the exit code 1, with its problem on stderr and the report of the others on stdout', () => {
  const scratch = scratchLake();
  const header =
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';
  const bad = scratch.file('bad.csv', `${header}2018-19,601,103,Grad Rate -ALL Students,n.b.,50,44\n`);
  const good = scratch.file('good.csv', `${header}2017-18,601,103,Grad Rate -ALL Students,22,50,44\n`);
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [PROGRAM, bad, good, '--out', scratch.lake],
    { encoding: 'utf8' },
  );
  expect(status).toBe(1);
  expect(stderr).toContain(`${bad} source-value the column PROGRAM_TOTAL holds "n.b." on line 2`);
  expect(stdout).toContain(`left out ${bad}`);
  expect(stdout).toContain('year=2018/schools.parquet (1 rows)');
});
