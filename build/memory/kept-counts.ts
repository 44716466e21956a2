/**
 * Counts of each slice's rows, kept next to the tree: when one year of a dataset changes, the checks count only that
 * year. Counts depend on rows and contract alone, so they stay valid even if the build fails later.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type LakeSlice, sliceName } from '../lake/inventory.ts';

/** A check, as far as it tells one from another. */
interface NamedCheck {
  readonly source: string;
  readonly column: string | null;
  readonly name: string;
}

/** Rows that break a check, by the number of their slice. */
type Counts<Check> = ReadonlyMap<Check, ReadonlyMap<number, number>>;

/** Where the counts of one dataset are kept, and what they depend on. */
export interface CheckMemory {
  /** Folder of the last counts, which may not exist. */
  readonly from: string;
  /** Folder for the new counts, which does not exist yet. */
  readonly to: string;
  /** Digest of everything that counts depend on, except the slices' own rows. */
  readonly recipe: string;
  /** Fingerprints of the slices' rows, by slice name. */
  readonly fingerprints: Readonly<Record<string, string>>;
}

/** `counts.json` of the folder. Profiles are Parquet files next to it, named by number. */
interface KeptCounts {
  readonly recipe: string;
  readonly fingerprints: Readonly<Record<string, string>>;
  /** By check, then slice; slices with a count of 0 are absent. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly profiles: readonly KeptProfile[];
}

interface KeptProfile {
  readonly columns: readonly string[];
  /** Hash of its file. */
  readonly sha256: string;
}

export interface Recalled<Check> {
  /** Numbers of the slices with known counts. */
  readonly slices: ReadonlySet<number>;
  readonly counts: Counts<Check>;
}

const COUNTS = 'counts.json';

export function profileFile(folder: string, number: number): string {
  return path.join(folder, `${number}.parquet`);
}

/** The counts of the years in which no slice has changed; nothing if the kept counts are unreadable. */
export async function recallCounts<Check extends NamedCheck>(
  memory: CheckMemory | null,
  slices: readonly LakeSlice[],
  checks: readonly Check[],
  profiles: readonly (readonly string[])[],
): Promise<Recalled<Check>> {
  const nothing: Recalled<Check> = { slices: new Set(), counts: new Map() };
  if (memory === null) return nothing;
  const { from, recipe, fingerprints } = memory;
  const kept = await readKept(path.join(from, COUNTS));
  const keys = keysOf(checks);
  if (kept === null || kept.recipe !== recipe || keys === null) return nothing;
  if (String(Object.keys(kept.counts)) !== String([...keys.keys()])) return nothing;
  const found = await digestProfiles(from, profiles);
  if (JSON.stringify(found) !== JSON.stringify(kept.profiles)) return nothing;
  const changed = changedYears(kept.fingerprints, fingerprints);
  const names = new Map(slices.map((slice, index) => [sliceName(slice), index]));
  const known = slices.flatMap(({ year }, index) => (changed.has(String(year)) ? [] : [index]));
  const counts = [...keys].map(([key, check]) => {
    const bySlice = Object.entries(kept.counts[key] ?? {}).flatMap(([name, count]) => {
      const index = names.get(name);
      return index !== undefined && known.includes(index) ? [[index, count] as const] : [];
    });
    return [check, new Map(bySlice)] as const;
  });
  return { slices: new Set(known), counts: new Map(counts) };
}

/** Hashes of the profiles on the disk; null if one is missing. */
async function digestProfiles(
  folder: string,
  profiles: readonly (readonly string[])[],
): Promise<KeptProfile[] | null> {
  const found = profiles.map(async (columns, number): Promise<KeptProfile> => {
    const bytes = await readFile(profileFile(folder, number));
    return { columns, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  return Promise.all(found).catch(() => null);
}

/** Writes the counts of all slices. Expects their profiles to be written. */
export async function keepCounts<Check extends NamedCheck>(
  { to, recipe, fingerprints }: CheckMemory,
  slices: readonly LakeSlice[],
  checks: readonly Check[],
  counts: Counts<Check>,
  profiles: readonly (readonly string[])[],
): Promise<void> {
  // A check that was not counted slice by slice has no counts to keep.
  const keys = keysOf(checks.filter(check => counts.has(check)));
  const found = await digestProfiles(to, profiles);
  if (keys === null || found === null) return;
  const kept: KeptCounts = {
    recipe,
    fingerprints,
    counts: Object.fromEntries(
      [...keys].map(([key, check]) => [
        key,
        Object.fromEntries(
          [...(counts.get(check) ?? [])].flatMap(([index, count]) => {
            const slice = slices[index];
            return slice === undefined ? [] : [[sliceName(slice), count]];
          }),
        ),
      ]),
    ),
    profiles: found,
  };
  await writeFile(path.join(to, COUNTS), JSON.stringify(kept));
}

/** Checks by a key; null if two checks share one. */
function keysOf<Check extends NamedCheck>(checks: readonly Check[]): Map<string, Check> | null {
  const keys = new Map(checks.map(check => [`${check.source} ${check.column ?? ''} ${check.name}`, check]));
  return keys.size === checks.length ? keys : null;
}

/** Years in which a slice is new, gone or different. */
function changedYears(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): Set<string> {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const changed = [...names].filter(name => before[name] !== now[name]);
  return new Set(changed.map(name => name.slice(0, name.indexOf('/'))));
}

async function readKept(file: string): Promise<KeptCounts | null> {
  try {
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isKept(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isKept(value: unknown): value is KeptCounts {
  if (!isObject(value)) return false;
  const { recipe, fingerprints, counts, profiles } = value;
  return (
    typeof recipe === 'string' &&
    isObject(fingerprints) &&
    isObject(counts) &&
    Object.values(counts).every(
      slices => isObject(slices) && Object.values(slices).every(count => typeof count === 'number'),
    ) &&
    Array.isArray(profiles)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
