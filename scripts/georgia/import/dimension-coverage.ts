import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import type { Target } from './importer.ts';
import type { Finding } from './report.ts';
import { groupFindings } from './row-checks.ts';

/** Each foreign key, the dimension's file, and the columns that together name a row of it. */
const DIMENSIONS = [
  { column: 'district_code', path: 'education/_dimensions/districts', key: ['district_code'] },
  { column: 'school_code', path: 'education/_dimensions/schools', key: ['district_code', 'school_code'] },
  { column: 'demographic', path: 'education/_dimensions/demographics', key: ['demographic'] },
  { column: 'county_fips', path: '_dimensions/counties', key: ['county_fips'] },
  { column: 'block_group_geoid', path: '_dimensions/block_groups', key: ['block_group_geoid'] },
  { column: 'tract_geoid', path: '_dimensions/tracts', key: ['tract_geoid'] },
] as const;

/**
 * Keys of `table` that the lake's dimensions lack. Their rows are written, since the figures are real; a build of the
 * lake refuses them until the dimension has the place. Problems are unreadable dimensions, or dimensions without the key.
 */
export async function findUnnamedKeys(
  database: Database,
  lake: string,
  target: Target,
  table: string,
): Promise<{ readonly odd: Finding[]; readonly notes: string[]; readonly problems: string[] }> {
  const odd: Finding[] = [];
  const notes: string[] = [];
  const problems: string[] = [];
  for (const { column, path, key } of DIMENSIONS) {
    if (!(column in target.columns) || target.path === path) continue;
    const file = join(lake, `${path}.parquet`);
    if (!existsSync(file)) {
      const [rows] = await database.rows<{ some: boolean }>(
        `SELECT count(${column}) > 0 AS some FROM ${table}`,
      );
      if (!rows!.some) continue;
      notes.push(`${column} was not looked up: the lake has no ${path}.parquet yet`);
      continue;
    }
    const joined = key.map(name => `d.${name} = t.${name}`).join(' AND ');
    const example = key.map(name => `t.${name}`).join(", ' / ', ");
    const unnamed = `
      SELECT ${literal(`${column} is not in the dimension ${path.replace(/^.*\//, '')}`)} AS what,
        concat(${example}, ': ', count(*), ' rows') AS example, 0 AS position, count(*) AS rows
      FROM ${table} t ANTI JOIN read_parquet(${literal(file)}) d ON ${joined}
      WHERE t.${column} IS NOT NULL GROUP BY ${key.map(name => `t.${name}`).join(', ')}`;
    try {
      odd.push(...(await groupFindings(database, unnamed, 'sum(rows)')));
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      problems.push(`${path}.parquet cannot be read: ${reason}; move it away and import the dimension again`);
    }
  }
  return { odd, notes, problems };
}
