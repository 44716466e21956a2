/** Which shard of a build a machine builds: as stated, or as its scheduler numbers it. Pure. */

export interface ShardNumber {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

interface Unknown {
  /** What is wrong, and what to do. */
  readonly problem: string;
}

/** A scheduler's variables: the index of a machine, from 0, and the number of machines. */
interface Scheduler {
  readonly index: string;
  readonly total: string;
}

/** The first whose index is set decides. */
const SCHEDULERS: readonly Scheduler[] = [
  { index: 'CIVIC_SHARD_INDEX', total: 'CIVIC_SHARD_TOTAL' },
  { index: 'AWS_BATCH_JOB_ARRAY_INDEX', total: 'AWS_BATCH_JOB_ARRAY_SIZE' },
  { index: 'JOB_COMPLETION_INDEX', total: 'CIVIC_SHARD_TOTAL' },
  { index: 'SLURM_ARRAY_TASK_ID', total: 'SLURM_ARRAY_TASK_COUNT' },
];

const NAMES = SCHEDULERS.map(({ index, total }) => `${index} and ${total}`).join(', or ');

/** `3/8` */
export function parseShard(text: string): ShardNumber | Unknown {
  const [, number = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (number >= 1 && number <= of) return { number, of };
  return { problem: 'Give the number of the shard and of all shards, such as 3/8, or auto.' };
}

/** Takes both numbers from a scheduler's variables. An empty variable counts as absent. */
export function findShard(environment: Readonly<Record<string, string | undefined>>): ShardNumber | Unknown {
  const scheduler = SCHEDULERS.find(({ index }) => environment[index]);
  if (scheduler === undefined) return { problem: `No scheduler has set its variables. Set ${NAMES}.` };
  const { index, total } = scheduler;
  if (!environment[total]) return { problem: `${index} is set and ${total} is not. Set both.` };
  const [at, of] = [index, total].map(name =>
    /^\d{1,4}$/.test(environment[name] ?? '') ? Number(environment[name]) : Number.NaN,
  );
  if (at !== undefined && of !== undefined && at < of) return { number: at + 1, of };
  const is = (name: string) => `${name} is "${environment[name]}"`;
  return { problem: `${is(index)} and ${is(total)}. The index counts from 0 and stays below the total.` };
}
