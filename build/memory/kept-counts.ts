/**
 * What was counted of each slice, kept beside the tree: of a dataset one year of which changed, the rows of no other
 * year are counted again. It says nothing that rows and contract do not, whatever becomes of the build afterwards.
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

/** Where one dataset's counts are kept, and what they are of. */
export interface CheckMemory {
  /** Folder of what was kept last; there may be none. */
  readonly from: string;
  /** Folder for what is found now, which is not there yet. */
  readonly to: string;
  /** Of all that counts depend on besides the slices' own rows. */
  readonly recipe: string;
  /** Of each slice's rows, by its name. */
  readonly fingerprints: Readonly<Record<string, string>>;
}

/** `counts.json` of the folder; profiles stand beside it, as Parquet, by their number. */
interface KeptCounts {
  readonly recipe: string;
  readonly fingerprints: Readonly<Record<string, string>>;
  /** By check, then slice; slices without any are absent. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly profiles: readonly KeptProfile[];
}

interface KeptProfile {
  readonly columns: readonly string[];
  /** Of its file. */
  readonly sha256: string;
}

export interface Recalled<Check> {
  /** Numbers of the slices whose counts are known. */
  readonly slices: ReadonlySet<number>;
  readonly counts: Counts<Check>;
}

const COUNTS = 'counts.json';

export function profileFile(folder: string, number: number): string {
  return path.join(folder, `${number}.parquet`);
}

/** What is known of years all of whose slices are as they were. What cannot be read is not known. */
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

/** Profiles as they are on the disk; null where one is not there. */
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

/** Writes what was counted of all slices, after their profiles. */
export async function keepCounts<Check extends NamedCheck>(
  { to, recipe, fingerprints }: CheckMemory,
  slices: readonly LakeSlice[],
  checks: readonly Check[],
  counts: Counts<Check>,
  profiles: readonly (readonly string[])[],
): Promise<void> {
  // What was not counted slice by slice this time is not known of any slice.
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

/** Checks by what tells one from the others; null where nothing does. */
function keysOf<Check extends NamedCheck>(checks: readonly Check[]): Map<string, Check> | null {
  const keys = new Map(checks.map(check => [`${check.source} ${check.column ?? ''} ${check.name}`, check]));
  return keys.size === checks.length ? keys : null;
}

/** Years with a slice that is new, gone or different. */
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
