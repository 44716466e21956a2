/**
 * A command's claim on the folder that it writes: a file in the workspace that the command rewrites every few
 * seconds, so that commands in other containers or on other machines see whether it is still running.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UnableError } from '../failure.ts';

/** The owner of a claim. Null: the system doesn't say. */
export interface Claimant {
  readonly host: string;
  /** Changes with every start of the machine; the same in all of its containers. */
  readonly boot: string | null;
  /** Process numbers are valid only within one namespace. */
  readonly namespace: string | null;
  readonly process: number;
  /** When the process started, in the system's ticks, because process numbers are reused. */
  readonly started: string | null;
}

interface ClaimedPlace {
  readonly out: string;
  readonly folder: string;
  /** Prefix of the claims' files. */
  readonly lock: string;
}

export interface Claim {
  /** Random; names the command's folders in the workspace. */
  readonly token: string;
  /**
   * Throws UnableError if another command removed the claim because it seemed to have ended. Call it right
   * before a switch.
   */
  expectHeld(): Promise<void>;
  release(): Promise<void>;
}

/** Milliseconds between two updates of a claim. */
const BEAT = 5000;

/** Milliseconds without an update after which a claimant on another system counts as ended. */
export const SILENCE = 60_000;

/** A command that finds another claim waits and tries again, because two that start at once both give way. */
const ATTEMPTS = 10;

/** The longest wait between two attempts, in milliseconds. Each wait is random. */
const PAUSE = 40;

/** Real paths of the workspaces that this process claims. */
const held = new Set<string>();

/**
 * Claims a folder, and removes the claims of commands that have ended. `real` is the workspace's real path.
 * Throws UnableError if another command has the folder, or may have it.
 */
export async function claimFolder(place: ClaimedPlace, real: string): Promise<Claim> {
  // Detects claims within one process. There must be no await between has() and add().
  if (held.has(real)) throw lockedHere(process.pid, place, null);
  held.add(real);
  try {
    const file = await putFirst(place);
    const beat = setInterval(() => {
      // `r+` doesn't create a claim that was removed.
      writeFile(file, claimText(), { flag: 'r+' }).catch(() => undefined);
    }, BEAT).unref();
    return {
      token: path.extname(file).slice(1),
      async expectHeld() {
        if (await readFile(file).catch(() => null)) return;
        throw new UnableError(
          'output-locked',
          `Another command assumed that this one had ended, and claimed ${place.out}. Nothing was published. Build again once the other has ended.`,
        );
      },
      async release() {
        clearInterval(beat);
        await rm(file, { force: true });
        // Only the workspace of a command that published nothing is empty; rmdir fails on any other.
        await rmdir(place.folder).catch(() => undefined);
        held.delete(real);
      },
    };
  } catch (error) {
    held.delete(real);
    throw error;
  }
}

/** Writes a claim, then looks for others. Of two commands that start at once, at least one sees the other. */
async function putFirst(place: ClaimedPlace): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const file = `${place.lock}.${randomBytes(8).toString('hex')}`;
    const refusal = (await putClaim(place, file))
      ? await findOther(place, file)
      : lockedHere(null, place, null);
    if (refusal === null) return file;
    await rm(file, { force: true });
    if (attempt === ATTEMPTS) {
      await rmdir(place.folder).catch(() => undefined);
      throw refusal;
    }
    await wait(Math.random() * PAUSE);
  }
}

/** False if another command ended in the meantime and removed the empty workspace. */
async function putClaim({ folder }: ClaimedPlace, file: string): Promise<boolean> {
  await makeFolder(folder);
  try {
    // Synchronous, because a command that is killed between two steps of a write leaves a claim that can't be
    // read.
    writeFileSync(file, claimText());
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** The error for another claim. Null if there is none; then claims of ended commands are removed. */
async function findOther(place: ClaimedPlace, own: string): Promise<UnableError | null> {
  const { folder, lock } = place;
  const prefix = `${path.basename(lock)}.`;
  const others = (await readdir(folder))
    .filter(name => name.startsWith(prefix))
    .map(name => path.join(folder, name))
    .filter(file => file !== own);
  const now = await timeOf(own);
  const ended: string[] = [];
  for (const file of others) {
    const beat = await timeOf(file);
    const claimant = readClaimant(await readFile(file, 'utf8').catch(() => ''));
    // It was released in the meantime.
    if (beat === null) continue;
    // Both times come from the disk's clock.
    const silent = (now ?? Date.now()) - beat;
    const judged = judgeClaimant(claimant, silent);
    if (judged === 'ended') ended.push(file);
    else if (judged === 'runs') return lockedHere(claimant?.process ?? null, place, file);
    else return lockedElsewhere(claimant, silent, place, file);
  }
  for (const file of ended) await rm(file, { force: true });
  return null;
}

/** `silent`: milliseconds since the claim's last update. A claimant is null if its claim can't be read. */
function judgeClaimant(claimant: Claimant | null, silent: number): 'runs' | 'ended' | 'may-run' {
  const own = describeSelf();
  const visible =
    claimant !== null &&
    claimant.host === own.host &&
    claimant.boot === own.boot &&
    claimant.namespace === own.namespace;
  if (!visible) return silent > SILENCE ? 'ended' : 'may-run';
  if (!isRunning(claimant.process)) return 'ended';
  const started = startOf(claimant.process);
  return started === null || claimant.started === null || started === claimant.started ? 'runs' : 'ended';
}

function lockedHere(holder: number | null, { out }: ClaimedPlace, file: string | null): UnableError {
  const who = holder === null ? '' : ` (process ${holder})`;
  const unless = file === null ? '' : ` If process ${holder} is not a build: rm '${file}'`;
  return new UnableError(
    'output-locked',
    `Another build${who} is writing ${out}. Wait for it, or build to another folder.${unless}`,
  );
}

function lockedElsewhere(
  claimant: Claimant | null,
  silent: number,
  { out }: ClaimedPlace,
  file: string,
): UnableError {
  const who =
    claimant === null ? 'whose claim cannot be read' : `process ${claimant.process} on ${claimant.host}`;
  const seconds = Math.max(0, Math.round(silent / 1000));
  return new UnableError(
    'output-locked',
    `Another build (${who}) may be writing ${out}: it is in another container or on another machine, and gave its last sign of life ${seconds} s ago. Wait for it; it counts as ended after ${SILENCE / 1000} s of silence. If it has ended: rm '${file}'`,
  );
}

async function timeOf(file: string): Promise<number | null> {
  return (await stat(file).catch(() => null))?.mtimeMs ?? null;
}

function claimText(): string {
  return `${JSON.stringify(describeSelf())}\n`;
}

function readClaimant(text: string): Claimant | null {
  try {
    const found = JSON.parse(text) as Partial<Claimant> | null;
    if (typeof found?.host !== 'string' || typeof found.process !== 'number') return null;
    const { host, process, boot = null, namespace = null, started = null } = found;
    return { host, process, boot, namespace, started };
  } catch {
    return null;
  }
}

let self: Claimant | undefined;

export function describeSelf(): Claimant {
  self ??= {
    host: os.hostname(),
    boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
    process: process.pid,
    started: startOf(process.pid),
  };
  return self;
}

/** Field 22 of the process's line. The name before it may contain anything. */
function startOf(process_: number): string | null {
  return orNull(() => {
    const line = readFileSync(`/proc/${process_}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  });
}

function orNull<Found>(find: () => Found): Found | null {
  try {
    return find();
  } catch {
    return null;
  }
}

function isRunning(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Creates the parents only if they are missing, because a recursive mkdir would hide that one of them is
 * read-only.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST') return;
    // If the parent exists, the disk allows no new folders, and a recursive mkdir would retry forever.
    if (code !== 'ENOENT' || (await stat(path.dirname(folder)).catch(() => null)) !== null) throw error;
    await mkdir(folder, { recursive: true });
  }
}
