/**
 * The log of a tree's releases: reads it, compares it with the tree and with another copy's log, and adds a
 * witness's signature.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { RefusedError, refused, UnableError } from '../failure.ts';
import { contentLines, type TreeManifest } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import {
  bundlePaths,
  CHECKPOINT,
  LOG_FOLDER,
  type LogEntry,
  type PublicKey,
  parseBundle,
  parseCheckpoint,
} from '../format/signed-log.ts';
import {
  continuesFrom,
  isLogOf,
  logRoot,
  type ReleaseLog,
  sharedEntries,
  tileFiles,
} from '../log/release-log.ts';
import {
  cosignedAt,
  cosignNote,
  formatNote,
  formatPublicKey,
  isSignedBy,
  publicKeyOf,
  type SigningKey,
} from '../log/signed-note.ts';
import { digestText } from '../slice/file-digest.ts';
import { readDocument, sourceOf, type TreeSource } from './tree-source.ts';

export interface LogTrust {
  /** The publisher's key; null checks the log without its signer. */
  readonly key: PublicKey | null;
  /** Each must have signed the checkpoint. */
  readonly witnesses: readonly PublicKey[];
  /** A checkpoint that witnesses signed, kept outside the tree; null takes the tree's own. */
  readonly cosigned: string | null;
}

export const NO_TRUST: LogTrust = { key: null, witnesses: [], cosigned: null };

export interface LogSummary {
  /** Name of the log, which is its key's name. */
  readonly origin: string;
  readonly entries: number;
  /** Number of this tree's entry, from 1. */
  readonly entry: number;
  /** Whether the publisher's key was given and has signed. */
  readonly signed: boolean;
  readonly witnesses: readonly string[];
}

function refuseLog(code: string, message: string): RefusedError {
  return refused(code, CHECKPOINT, message);
}

/** Null for a tree without a log. Throws RefusedError if its files don't agree with its checkpoint. */
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
  if (entries.length !== size || logRoot(entries) !== root)
    throw damaged(LOG_FOLDER, 'has other entries than its checkpoint was signed for');
  return { checkpoint: checkpoint.note, origin, entries };
}

/**
 * Throws RefusedError unless the log is whole, has the tree's release, and is signed by everyone in `trust`.
 */
export async function verifyLog(source: TreeSource, trust: LogTrust): Promise<LogSummary | null> {
  const log = await readLog(source);
  if (log === null) {
    if (trust.key === null && trust.witnesses.length === 0) return null;
    const message = `${source.name} has no log, so no key can have signed it. Ask its publisher for the signed tree.`;
    throw refuseLog('log-absent', message);
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
function expectSigned(source: TreeSource, log: ReleaseLog, key: PublicKey | null): void {
  if (key === null || isLogOf(log, key)) return;
  const message = `The log of ${source.name} is not signed by ${formatPublicKey(key)}: it is another publisher's, or forged.`;
  throw refuseLog('log-signature', message);
}

/**
 * Throws RefusedError unless each witness has signed the log's checkpoint. The message says how far they have
 * signed.
 */
function expectWitnessed(source: TreeSource, log: ReleaseLog, { witnesses, cosigned }: LogTrust): void {
  const seen = cosigned === null ? { ...log, note: log.checkpoint } : parseCheckpoint(cosigned);
  if (seen === null || seen.origin !== log.origin) {
    const what = seen === null ? 'no checkpoint' : `of the log ${seen.origin}, not of ${log.origin}`;
    throw refuseLog('log-witness', `The cosigned checkpoint is ${what}. Ask its witness for another.`);
  }
  const times = witnesses.map(witness => {
    const time = cosignedAt(seen.note, witness);
    if (time === null)
      throw refuseLog('log-witness', `${witness.name} has not signed the checkpoint as a witness.`);
    return `${witness.name} on ${new Date(time * 1000).toISOString().slice(0, 10)}`;
  });
  if (seen.note.text === log.checkpoint.text || !('size' in seen)) return;
  const { size } = seen;
  const [count, last] = [log.entries.length, log.entries.at(-1)?.release ?? 'none'];
  const who = times.length === 0 ? 'The cosigned checkpoint' : times.join(', ');
  if (size > count) {
    const message = `${who} signed release ${size}, and the log of ${source.name} ends with release ${count}: it was rolled back to ${last}, or is an older copy. Ask its publisher for the newest.`;
    throw refuseLog('log-rolled-back', message);
  }
  if (!continuesFrom(log.entries, seen)) {
    const message = `${who} has other releases than the first ${size} in the log of ${source.name}: they were rewritten since. Take the copy that the witness saw.`;
    throw refuseLog('log-rewritten', message);
  }
  const message = `${who} has the first ${size} of the ${count} releases of ${source.name}, and not this one. Ask the witness for the checkpoint of this release.`;
  throw refuseLog('log-witness', message);
}

/** The position of the tree's own entry. Throws RefusedError if the log has none. */
export async function findEntry(source: TreeSource, { entries }: ReleaseLog): Promise<number> {
  const own = await readContent(source);
  const at = entries.findIndex(entry => entry.content === own?.content && entry.release === own.release);
  if (at >= 0) return at;
  const message = `The content of ${source.name} has sha256 ${own?.content ?? 'none'}, which its log does not list; its last release there is ${entries.at(-1)?.release ?? 'none'}. Somebody changed the tree after it was signed.`;
  throw refused('log-manifest', ROOT.manifest, message);
}

/** Null if the tree's manifest is missing or has another form. */
async function readContent(source: TreeSource): Promise<Pick<LogEntry, 'content' | 'release'> | null> {
  const manifest = await readDocument<TreeManifest>(source, ROOT.manifest);
  try {
    return manifest && { content: digestText(contentLines(manifest)), release: manifest.release };
  } catch {
    return null;
  }
}

/** Two logs, one of which continues the other. */
export interface LogComparison {
  /** The other copy. */
  readonly name: string;
  readonly entries: number;
  /** Releases that only the other copy has. */
  readonly more: readonly string[];
  /** Releases that only this copy has. */
  readonly less: readonly string[];
}

interface Copy {
  readonly source: TreeSource;
  readonly log: ReleaseLog;
}

/**
 * Throws RefusedError if the logs contradict each other, or if the other copy isn't signed or was changed
 * afterwards. `verifyLog` checks this copy.
 */
export async function compareLogs(
  ours: TreeSource,
  other: TreeSource,
  trust: LogTrust,
): Promise<LogComparison> {
  const [log, against] = [await readLog(ours), await readLog(other)];
  if (log === null || against === null) {
    const [without] = log === null ? [ours.name] : [other.name];
    throw refuseLog('log-absent', `${without} has no log, so nothing can be compared.`);
  }
  const shared = sharedEntries(log.entries, against.entries);
  const isSplit = shared < Math.min(log.entries.length, against.entries.length);
  const found: RefusedError[] = [];
  const collect = (error: unknown) => {
    if (!(error instanceof RefusedError)) throw error;
    found.push(error);
  };
  try {
    expectSigned(other, against, trust.key);
  } catch (error) {
    collect(error);
  }
  await findEntry(other, against).catch(collect);
  if (isSplit) {
    const copies = [
      { source: ours, log },
      { source: other, log: against },
    ].sort((a, b) => (a.source.name < b.source.name ? -1 : 1));
    found.push(refuseLog('log-rewritten', explainSplit(copies, shared, trust)));
  }
  if (found.length > 0) throw new RefusedError(found.flatMap(({ diagnostics }) => diagnostics));
  const names = (entries: readonly LogEntry[]) => entries.slice(shared).map(({ release }) => release);
  return {
    name: other.name,
    entries: against.entries.length,
    more: names(against.entries),
    less: names(log.entries),
  };
}

/** Names the releases that differ, and the evidence for which copy is true. */
function explainSplit(copies: readonly Copy[], shared: number, trust: LogTrust): string {
  const [one, two] = copies;
  const differing = (one?.log.entries ?? []).flatMap((mine, i) => {
    const theirs = two?.log.entries[i];
    if (i < shared || theirs === undefined || mine.content === theirs.content) return [];
    return [
      `release ${i + 1} is ${mine.release} (${mine.content}) in ${one?.source.name} and ${theirs.release} (${theirs.content}) in ${two?.source.name}`,
    ];
  });
  const names = copies.map(({ source }) => source.name).join(' and ');
  return `${names} have different histories: ${differing.join('; ')}. ${judge(copies, trust)}`;
}

/** The strongest evidence first: the publisher's signature, what witnesses signed, and dates out of order. */
function judge(copies: readonly Copy[], { key, witnesses, cosigned }: LogTrust): string {
  const blamed = (isTrue: (copy: Copy) => boolean) => {
    const wrong = copies.filter(copy => !isTrue(copy));
    return wrong.length === 1 ? wrong[0]?.source.name : undefined;
  };
  const unsigned = key && blamed(({ log }) => isLogOf(log, key));
  if (key && unsigned !== undefined && unsigned !== null)
    return `${unsigned} is forged: ${key.name} has not signed it.`;
  const unseen = witnesses.length === 0 ? undefined : blamed(({ log }) => isSeen(log, witnesses, cosigned));
  if (unseen !== undefined)
    return `${unseen} was rewritten: ${witnesses.map(({ name }) => name).join(' and ')} signed the other copy.`;
  const disordered = blamed(({ log }) => isInOrder(log.entries));
  if (disordered !== undefined)
    return `${disordered} was rewritten: the dates of its releases are out of order.`;
  if (key && copies.every(({ log }) => isLogOf(log, key)))
    return `Both are signed by ${key.name}: somebody with its key signed two histories. Only a witness, or another copy from before the change, shows which came first.`;
  return "Nothing here shows which is true: give the publisher's key with --key, or a witness's with --witness.";
}

/** Whether witnesses signed the log, or an earlier state of it. */
function isSeen(log: ReleaseLog, witnesses: readonly PublicKey[], cosigned: string | null): boolean {
  const seen = cosigned === null ? null : parseCheckpoint(cosigned);
  if (cosigned === null) return witnesses.every(one => cosignedAt(log.checkpoint, one) !== null);
  return (
    seen !== null &&
    seen.origin === log.origin &&
    witnesses.every(one => cosignedAt(seen.note, one) !== null) &&
    continuesFrom(log.entries, seen)
  );
}

function isInOrder(entries: readonly LogEntry[]): boolean {
  return entries.every(({ date }, i) => i === 0 || date >= (entries[i - 1]?.date ?? ''));
}

interface CosignOptions {
  /** The publisher's. */
  readonly key: PublicKey;
  readonly signer: SigningKey;
  /** File of the cosigned checkpoint. If it exists, it has the checkpoint that the witness signed before. */
  readonly out: string;
}

/**
 * Signs the log's checkpoint as a witness. Throws RefusedError unless the log is the publisher's and
 * continues the checkpoint in `out`.
 */
export async function cosign(
  tree: string,
  { key, signer, out }: CosignOptions,
): Promise<{ readonly origin: string; readonly size: number }> {
  const log = await readLog(sourceOf(tree));
  if (log === null) throw refuseLog('log-absent', `${tree} has no log of releases to sign.`);
  if (!isLogOf(log, key))
    throw refuseLog('log-signature', `The log of ${tree} is not signed by ${key.name}.`);
  const before = await readFile(out, 'utf8').catch(() => null);
  if (before !== null) {
    const seen = parseCheckpoint(before);
    if (seen === null || !isSignedBy(seen.note, publicKeyOf(signer, 'witness')))
      throw new UnableError(
        'output-not-ours',
        `${out} exists and is not a checkpoint that ${signer.name} signed. Name another file.`,
      );
    const { size, origin } = seen;
    const count = log.entries.length;
    if (origin === log.origin && count < size)
      throw refuseLog(
        'log-rewritten',
        `The log of ${tree} ends with release ${count}, and ${signer.name} signed release ${size} in ${out}: it was rolled back or rewritten, or ${tree} is an older copy.`,
      );
    if (origin !== log.origin || !continuesFrom(log.entries, seen))
      throw refuseLog(
        'log-rewritten',
        `The log of ${tree} is not a continuation of the ${size} releases that ${signer.name} signed in ${out}: it was rewritten.`,
      );
  }
  const { text, signatures } = log.checkpoint;
  const own = cosignNote(text, signer, Math.floor(Date.now() / 1000));
  // Replace the file in one step, because a witness that loses its checkpoint could sign a rewritten log.
  await writeFile(`${out}.new`, formatNote({ text, signatures: [...signatures, own] }));
  await rename(`${out}.new`, out);
  return { origin: log.origin, size: log.entries.length };
}
