/**
 * The invented state: one DuckDB in memory whose tables (`world/*.ts`) hold places and groups, their sizes and how
 * each fares. Datasets are queries over it. `z` is a place's latent advantage, standard normal
 * over all places: a school's is near its district's, a district's near its county's, so that measures agree with
 * each other and vary from place to place as real ones do.
 */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { randomnessMacros } from './randomness.ts';
import { extentOf, type Scale } from './scale.ts';
import { splitMacros } from './split.ts';
import { countiesSql } from './world/counties.ts';
import { demographicsSql } from './world/demographics.ts';
import { districtsSql } from './world/districts.ts';
import { enrollmentSql } from './world/enrollment.ts';
import { schoolsSql } from './world/schools.ts';
import { blockGroupsSql, tractsSql } from './world/tracts.ts';

export interface World {
  readonly connection: DuckDBConnection;
  close(): void;
}

export async function createWorld(scale: Scale, seed: number): Promise<World> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB', threads: '2' });
  const connection = await instance.connect();
  const extent = extentOf(scale);
  const statements = [
    ...randomnessMacros(seed),
    ...splitMacros,
    ...countiesSql(extent),
    ...districtsSql(extent),
    schoolsSql(extent),
    ...tractsSql(extent),
    blockGroupsSql(extent),
    demographicsSql,
    enrollmentSql,
  ];
  for (const statement of statements) await connection.run(statement);
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
