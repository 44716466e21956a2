/** Reads the log of a tree's releases, and compares it with the tree and with another log. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { RefusedError } from '../failure.ts';
import { contentLines, type TreeManifest } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import { formatPublicKey, type PublicKey, cosignedAt } from '../log/signed-note.ts';
import {
  bundlePaths,
  CHECKPOINT,
  continuesFrom,
  isLogOf,
  LOG_FOLDER,
  type LogEntry,
  logRoot,
  parseBundle,
  parseCheckpoint,
  type ReleaseLog,
  tileFiles,
} from '../log/release-log.ts';
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

export function refused(code: string, file: string, message: string): RefusedError {
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
  const { key, witnesses } = trust;
  expectSigned(source, log, key);
  expectWitnessed(source, log, trust);
  const at = await findEntry(source, log);
  const { origin, entries } = log;
  const names = witnesses.map(witness => witness.name);
  return { origin, entries: entries.length, entry: at + 1, signed: key !== null, witnesses: names };
}

/** Throws RefusedError unless the key has signed the log. */
export function expectSigned(source: TreeSource, log: ReleaseLog, key: PublicKey | null): void {
  if (key === null || isLogOf(log, key)) return;
  const message = `The log of ${source.name} is not signed by ${formatPublicKey(key)}: it is another publisher's, or forged.`;
  throw refused('log-signature', CHECKPOINT, message);
}

/** Throws RefusedError unless each witness has signed the log's checkpoint, and says how far it has signed otherwise. */
function expectWitnessed(source: TreeSource, log: ReleaseLog, { witnesses, cosigned }: LogTrust): void {
  const seen = cosigned === null ? { ...log, note: log.checkpoint } : parseCheckpoint(cosigned);
  if (seen === null || seen.origin !== log.origin) {
    const what = seen === null ? 'no checkpoint' : `of the log ${seen.origin}, not of ${log.origin}`;
    throw refused(
      'log-witness',
      CHECKPOINT,
      `The cosigned checkpoint is ${what}. Ask its witness for another.`,
    );
  }
  const times = witnesses.map(witness => {
    const time = cosignedAt(seen.note, witness);
    if (time === null)
      throw refused('log-witness', CHECKPOINT, `${witness.name} has not signed the checkpoint as a witness.`);
    return `${witness.name} on ${new Date(time * 1000).toISOString().slice(0, 10)}`;
  });
  if (seen.note.text === log.checkpoint.text || !('size' in seen)) return;
  const { size } = seen;
  const [count, last] = [log.entries.length, log.entries.at(-1)?.release ?? 'none'];
  const who = times.length === 0 ? 'The cosigned checkpoint' : times.join(', ');
  if (size > count) {
    const message = `${who} signed release ${size}, and the log of ${source.name} ends with release ${count}: it was rolled back to ${last}, or is an older copy. Ask its publisher for the newest.`;
    throw refused('log-rolled-back', CHECKPOINT, message);
  }
  if (!continuesFrom(log.entries, seen)) {
    const message = `${who} has other releases than the first ${size} in the log of ${source.name}: they were rewritten since. Take the copy that the witness saw.`;
    throw refused('log-rewritten', CHECKPOINT, message);
  }
  const message = `${who} has the first ${size} of the ${count} releases of ${source.name}, and not this one. Ask the witness for the checkpoint of this release.`;
  throw refused('log-witness', CHECKPOINT, message);
}

/** The position of the tree's own entry. Throws RefusedError if the log has none. */
export async function findEntry(source: TreeSource, { entries }: ReleaseLog): Promise<number> {
  const bytes = (await source.bytes(ROOT.manifest)) ?? Buffer.alloc(0);
  const [manifest, content] = [digestText(bytes), contentOf(bytes)];
  const at = entries.findIndex(entry =>
    entry.content === undefined
      ? entry.manifest === manifest
      : entry.content === content?.sha256 && entry.release === content.release,
  );
  if (at >= 0) return at;
  const what =
    entries.at(-1)?.content === undefined
      ? `manifest of ${source.name} has sha256 ${manifest}`
      : `content of ${source.name} has sha256 ${content?.sha256 ?? 'none'}`;
  const message = `The ${what}, which its log does not list; its last release there is ${entries.at(-1)?.release ?? 'none'}. Somebody changed the tree after it was signed.`;
  throw refused('log-manifest', ROOT.manifest, message);
}

/** Null if the manifest has another form. */
function contentOf(
  manifest: Buffer,
): { readonly sha256: string; readonly release: LogEntry['release'] } | null {
  try {
    const found = JSON.parse(manifest.toString('utf8')) as TreeManifest;
    return { sha256: digestText(contentLines(found)), release: found.release };
  } catch {
    return null;
  }
}
