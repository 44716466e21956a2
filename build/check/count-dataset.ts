/** Counts what checks find in a dataset's rows: in batches that fit into memory, and only where it is not known yet. */
import { mkdir } from 'node:fs/promises';
import type { Dataset } from '../contract/dataset.ts';
import type { Session } from '../lake/database.ts';
import { areNameable, factTable, filesOf, loadBatch } from '../lake/fact-table.ts';
import { type LakeSlice, sliceName } from '../lake/inventory.ts';
import { type ParquetShape, rowsOf } from '../lake/parquet-shape.ts';
import { allEnded } from '../lake/side-by-side.ts';
import {
  type CheckMemory,
  keepCounts,
  profileFile,
  type Recalled,
  recallCounts,
} from '../memory/kept-counts.ts';
import { countedInBatches, planBatches } from './batch-plan.ts';
import type { Check } from './check.ts';
import {
  createProfiles,
  extendProfiles,
  type ProfilePlan,
  planProfiles,
  storeProfile,
  sumProfiles,
} from './profile.ts';
import { type Counts, countRowsAndRules, joinCounts, type Rules } from './slice-counts.ts';

export interface CountInput {
  readonly dataset: Dataset;
  readonly slices: readonly LakeSlice[];
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  readonly checks: readonly Check[];
  readonly rules: Rules;
  /** Columns whose values are wanted, besides those that checks read. */
  readonly axes: readonly string[];
  /** Null where nothing is kept from one build to the next. */
  readonly memory: CheckMemory | null;
}

export interface CountPlan extends CountInput {
  readonly counted: readonly Check[];
  readonly profiles: ProfilePlan;
  /** Numbers of slices whose rows are loaded together; null where the dataset's own table has them all. */
  readonly batches: readonly (readonly number[])[] | null;
  readonly recalled: Recalled<Check>;
}

export async function prepareCounts(input: CountInput): Promise<CountPlan> {
  const { dataset, slices, shapes, checks, rules, axes } = input;
  const counted = countedInBatches(dataset, checks, rules);
  const profiles = planProfiles(checks, axes);
  const nameable = areNameable(filesOf(slices));
  const { from = '', to = '' } = input.memory ?? {};
  const memory = nameable && areNameable([from, to]) ? input.memory : null;
  const recalled = await recallCounts(memory, slices, counted, profiles.fromRows);
  const rows = slices.map(slice => rowsOf([slice], shapes));
  const batches = planBatches(slices, rows, recalled.slices);
  const whole = !nameable || (batches.length === 1 && recalled.slices.size === 0);
  return { ...input, memory, counted, profiles, recalled, batches: whole ? null : batches };
}

/**
 * Makes the dataset's profiles, on one session, and counts, on the other. Expects its table, and the database to be
 * locked but for `readableFiles`.
 */
export async function countDataset(
  [session, counting]: readonly [Session, Session],
  plan: CountPlan,
  seconds: number,
): Promise<Counts> {
  const { dataset, slices, shapes, counted, profiles, recalled, memory } = plan;
  const subject = factTable(dataset);
  const names = slices.map(sliceName);
  const found: Counts[] = [recalled.counts];
  let stored = memory && recalled.slices.size > 0 ? storedProfiles(memory, names, recalled) : null;
  const batches = plan.batches ?? [null];
  for (const [at, batch] of batches.entries()) {
    const table = batch === null ? subject.table : await loadBatch(session, dataset, slices, shapes, batch);
    const [, counts] = await allEnded([
      at === 0
        ? createProfiles(session, subject, profiles, table, stored)
        : extendProfiles(session, subject, profiles, table),
      countRowsAndRules(counting, table, counted, plan.rules, seconds),
    ]);
    stored = null;
    found.push(counts);
    if (batch !== null) await session.run(`DROP TABLE ${table}`);
  }
  if (batches.length === 0) await createProfiles(session, subject, profiles, null, stored);
  // A query that one batch could not count is counted in none.
  const batched = found.filter(one => one.size > 0);
  const everywhere = counted.filter(check => batched.every(one => one.has(check)));
  await sumProfiles(session, subject, profiles);
  return joinCounts(batched, everywhere);
}

/** Writes what was counted, for the next time. */
export async function rememberCounts(session: Session, plan: CountPlan, counts: Counts): Promise<void> {
  const { dataset, slices, counted, profiles, memory } = plan;
  if (memory === null) return;
  const names = slices.map(sliceName);
  await mkdir(memory.to, { recursive: true });
  for (const [number, columns] of profiles.fromRows.entries())
    await storeProfile(session, factTable(dataset), columns, names, profileFile(memory.to, number));
  await keepCounts(memory, slices, counted, counts, profiles.fromRows);
}

function storedProfiles({ from }: CheckMemory, names: readonly string[], { slices }: Recalled<Check>) {
  return {
    fileOf: (number: number) => profileFile(from, number),
    slices: [...slices].map(index => [names[index] ?? '', index] as const),
  };
}

/** What a locked database has to reach: the rows of the plan, and what is kept of earlier ones. */
export function readableFiles({ slices, batches, memory, profiles }: CountPlan): string[] {
  const rows = batches === null ? [] : filesOf(slices);
  const kept = memory === null ? [] : [memory.from, memory.to];
  return [...rows, ...kept.flatMap(folder => profiles.fromRows.map((_, i) => profileFile(folder, i)))];
}
