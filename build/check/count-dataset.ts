/** Counts what checks find in a dataset's rows, in batches that fit into memory. */
import type { Dataset } from '../contract/dataset.ts';
import type { Session } from '../lake/database.ts';
import { areNameable, factTable, filesOf, loadBatch } from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { type ParquetShape, rowsOf } from '../lake/parquet-shape.ts';
import { allEnded } from '../lake/side-by-side.ts';
import { countedInBatches, planBatches } from './batch-plan.ts';
import type { Check } from './check.ts';
import { createProfiles, extendProfiles, type ProfilePlan, planProfiles, sumProfiles } from './profile.ts';
import { type Counts, countRowsAndRules, joinCounts, type Rules } from './slice-counts.ts';

export interface CountInput {
  readonly dataset: Dataset;
  readonly slices: readonly LakeSlice[];
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  readonly checks: readonly Check[];
  readonly rules: Rules;
  /** Columns whose values to list, in addition to those that checks read. */
  readonly axes: readonly string[];
}

export interface CountPlan extends CountInput {
  readonly counted: readonly Check[];
  readonly profiles: ProfilePlan;
  /** The numbers of slices whose rows are loaded together; null if the dataset's own table has all rows. */
  readonly batches: readonly (readonly number[])[] | null;
}

export function planCounts(input: CountInput): CountPlan {
  const { dataset, slices, shapes, checks, rules, axes } = input;
  const rows = slices.map(slice => rowsOf([slice], shapes));
  const batches = planBatches(slices, rows);
  const whole = batches.length === 1 || !areNameable(filesOf(slices));
  return {
    ...input,
    counted: countedInBatches(dataset, checks, rules),
    profiles: planProfiles(checks, axes),
    batches: whole ? null : batches,
  };
}

/**
 * Creates the dataset's profiles on one session and counts on the other. Expects the dataset's table, and a database
 * that is locked except for `readableFiles`.
 */
export async function countDataset(
  [session, counting]: readonly [Session, Session],
  plan: CountPlan,
  seconds: number,
): Promise<Counts> {
  const { dataset, slices, shapes, counted, profiles } = plan;
  const subject = factTable(dataset);
  const found: Counts[] = [];
  for (const [at, batch] of (plan.batches ?? [null]).entries()) {
    const table = batch === null ? subject.table : await loadBatch(session, dataset, slices, shapes, batch);
    const fill = at === 0 ? createProfiles : extendProfiles;
    const [, counts] = await allEnded([
      fill(session, subject, profiles, table),
      countRowsAndRules(counting, table, counted, plan.rules, seconds),
    ]);
    found.push(counts);
    if (batch !== null) await session.run(`DROP TABLE ${table}`);
  }
  // A query that could not be counted in one batch is not counted at all.
  const batched = found.filter(one => one.size > 0);
  const everywhere = counted.filter(check => batched.every(one => one.has(check)));
  await sumProfiles(session, subject, profiles);
  return joinCounts(batched, everywhere);
}

/** The files that the locked database must read. */
export function readableFiles({ slices, batches }: CountPlan): string[] {
  return batches === null ? [] : filesOf(slices);
}
