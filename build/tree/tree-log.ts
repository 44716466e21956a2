/** Reads the log of a tree's releases, and compares it with the tree and with another log. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { RefusedError } from '../failure.ts';
import { ROOT } from '../format/paths.ts';
import { formatPublicKey, type PublicKey } from '../log/log-key.ts';
import {
  bundlePaths,
  CHECKPOINT,
  isLogOf,
  LOG_FOLDER,
  logRoot,
  parseBundle,
  parseCheckpoint,
  type ReleaseLog,
  sharedEntries,
  tileFiles,
} from '../log/release-log.ts';
import { isSignedBy, parseNote } from '../log/signed-note.ts';
import { digestText } from '../slice/file-digest.ts';
import type { TreeSource } from './tree-source.ts';

/** Whom a reader trusts, and how far. */
export interface LogTrust {
  /** The publisher's key; null checks the log without asking whose it is. */
  readonly key: PublicKey | null;
  /** Each must have signed the checkpoint. */
  readonly witnesses: readonly PublicKey[];
  /** A checkpoint that witnesses signed, which is kept outside the tree; null takes the tree's own. */
  readonly cosigned: string | null;
}

export const NO_TRUST: LogTrust = { key: null, witnesses: [], cosigned: null };

/** What a log says of the tree that holds it. */
export interface LogSummary {
  /** Name of the log: that of its key. */
  readonly origin: string;
  readonly entries: number;
  /** Number of the entry, from 1, that names this tree. */
  readonly entry: number;
  /** Whether the publisher's key was given and has signed. */
  readonly signed: boolean;
  readonly witnesses: readonly string[];
}

function refused(code: string, file: string, message: string): RefusedError {
  const diagnostic: Diagnostic = { severity: 'error', code, file, message };
  return new RefusedError([diagnostic]);
}

/** Null for a tree without a log. Throws RefusedError if its files do not agree with its checkpoint. */
export async function readLog(source: TreeSource): Promise<ReleaseLog | null> {
  const text = await source.text(CHECKPOINT);
  if (text === null) return null;
  const damaged = (file: string, what: string) =>
    refused(
      'log-damaged',
      file,
      `The log of ${source.name} ${what}. Copy it again from a host that you trust.`,
    );
  const checkpoint = parseCheckpoint(text);
  if (checkpoint === null) throw damaged(CHECKPOINT, 'has a checkpoint that is cut off or has another form');
  const { size, root, origin } = checkpoint;
  const entries: ReleaseLog['entries'][number][] = [];
  for (const file of bundlePaths(size)) {
    const found = parseBundle((await source.bytes(file)) ?? Buffer.alloc(1));
    if (found === null) throw damaged(file, 'lacks entries that its checkpoint counts');
    entries.push(...found);
  }
  if (entries.length !== size || !logRoot(entries).equals(root))
    throw damaged(LOG_FOLDER, 'has other entries than its checkpoint was signed for');
  return { checkpoint: checkpoint.note, origin, entries };
}

/** Throws RefusedError unless the log is whole, names the tree's release, and is signed by those that are trusted. */
export async function verifyLog(source: TreeSource, trust: LogTrust): Promise<LogSummary | null> {
  const log = await readLog(source);
  if (log === null) {
    if (trust.key === null && trust.witnesses.length === 0) return null;
    const message = `${source.name} has no log, so no key can have signed it. Ask its publisher for the signed tree.`;
    throw refused('log-absent', CHECKPOINT, message);
  }
  for (const [file, bytes] of tileFiles(log.entries)) {
    if ((await source.bytes(file))?.equals(bytes) !== true)
      throw refused('log-damaged', file, 'The tile differs from the log’s entries. Copy it again.');
  }
  const { key, witnesses, cosigned } = trust;
  if (key !== null && !isLogOf(log, key)) {
    const message = `The log of ${source.name} is not signed by ${formatPublicKey(key)}: it is another publisher's, or forged.`;
    throw refused('log-signature', CHECKPOINT, message);
  }
  const seen = cosigned === null ? log.checkpoint : parseNote(cosigned);
  if (seen === null || seen.text !== log.checkpoint.text) {
    const message =
      'The cosigned checkpoint is not that of this release. Ask its witness for the one of this release.';
    throw refused('log-witness', CHECKPOINT, message);
  }
  for (const witness of witnesses) {
    if (!isSignedBy(seen, witness))
      throw refused('log-witness', CHECKPOINT, `${witness.name} has not signed the checkpoint as a witness.`);
  }
  const manifest = digestText((await source.bytes(ROOT.manifest)) ?? '');
  const at = log.entries.findIndex(entry => entry.manifest === manifest);
  if (at < 0) {
    const last = log.entries.at(-1)?.release ?? 'none';
    const message = `The manifest of ${source.name} has sha256 ${manifest}, which its log does not list; its last release there is ${last}. Somebody changed the tree after it was signed.`;
    throw refused('log-manifest', ROOT.manifest, message);
  }
  const { origin, entries } = log;
  const names = witnesses.map(witness => witness.name);
  return { origin, entries: entries.length, entry: at + 1, signed: key !== null, witnesses: names };
}

/** Throws RefusedError that names each release which the other tree tells otherwise. */
export async function compareLogs(ours: TreeSource, other: TreeSource, key: PublicKey | null): Promise<void> {
  const [log, against] = [await readLog(ours), await readLog(other)];
  if (log === null || against === null) {
    const [without] = log === null ? [ours.name] : [other.name];
    throw refused('log-absent', CHECKPOINT, `${without} has no log, so nothing can be compared.`);
  }
  const found: Diagnostic[] = [];
  const wrong = (message: string) =>
    found.push({ severity: 'error', code: 'log-rewritten', file: CHECKPOINT, message });
  if (key !== null && !isLogOf(against, key)) wrong(`The log of ${other.name} is not signed by ${key.name}.`);
  const shared = sharedEntries(log.entries, against.entries);
  for (let i = shared; i < Math.min(log.entries.length, against.entries.length); i++) {
    const [mine, theirs] = [log.entries[i], against.entries[i]];
    if (mine === undefined || theirs === undefined) continue;
    if (mine.manifest === theirs.manifest && mine.release === theirs.release) continue;
    wrong(
      `${other.name} rewrote release ${mine.release}: entry ${i + 1} of its log is ${theirs.release} with manifest ${theirs.manifest}, and ${ours.name} has ${mine.release} with manifest ${mine.manifest}.`,
    );
  }
  const held = digestText((await other.bytes(ROOT.manifest)) ?? '');
  if (!against.entries.some(entry => entry.manifest === held))
    wrong(`${other.name} changed its release after it was signed: its log does not list manifest ${held}.`);
  if (found.length > 0) throw new RefusedError(found);
}
