/** Compares the logs of two copies of a tree. What it concludes follows from what is signed, not from which copy is asked. */
import { RefusedError } from '../failure.ts';
import {
  CHECKPOINT,
  continuesFrom,
  isLogOf,
  type LogEntry,
  parseCheckpoint,
  type ReleaseLog,
  sharedEntries,
} from '../log/release-log.ts';
import { cosignedAt, type PublicKey } from '../log/signed-note.ts';
import { expectSigned, findEntry, type LogTrust, readLog, refused } from './tree-log.ts';
import type { TreeSource } from './tree-source.ts';

/** Two logs of which one goes on from the other. */
export interface LogComparison {
  /** The other copy. */
  readonly name: string;
  readonly entries: number;
  /** Releases that the other copy has and this one lacks. */
  readonly more: readonly string[];
  /** Releases that this copy has and the other one lacks. */
  readonly less: readonly string[];
}

interface Copy {
  readonly source: TreeSource;
  readonly log: ReleaseLog;
}

/**
 * Throws RefusedError if the copies tell different pasts, or if the other one is not signed or was changed since. Of this
 * copy, `verifyLog` says that.
 */
export async function compareLogs(
  ours: TreeSource,
  other: TreeSource,
  trust: LogTrust,
): Promise<LogComparison> {
  const [log, against] = [await readLog(ours), await readLog(other)];
  if (log === null || against === null) {
    const [without] = log === null ? [ours.name] : [other.name];
    throw refused('log-absent', CHECKPOINT, `${without} has no log, so nothing can be compared.`);
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
    found.push(refused('log-rewritten', CHECKPOINT, explainSplit(copies, shared, trust)));
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

/** Which releases the copies tell otherwise, and what tells which copy is true. */
function explainSplit(copies: readonly Copy[], shared: number, trust: LogTrust): string {
  const [one, two] = copies;
  const differing = (one?.log.entries ?? []).flatMap((mine, i) => {
    const theirs = two?.log.entries[i];
    if (i < shared || theirs === undefined || hashOf(mine) === hashOf(theirs)) return [];
    return [
      `release ${i + 1} is ${mine.release} (${hashOf(mine)}) in ${one?.source.name} and ${theirs.release} (${hashOf(theirs)}) in ${two?.source.name}`,
    ];
  });
  const names = copies.map(({ source }) => source.name).join(' and ');
  return `${names} tell different pasts: ${differing.join('; ')}. ${judge(copies, trust)}`;
}

function hashOf({ content, manifest }: LogEntry): string {
  return content ?? manifest ?? '';
}

/** Evidence in the order of its weight: the publisher's signature, what witnesses saw, and dates that go back. */
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
    return `${unseen} was rewritten: ${witnesses.map(({ name }) => name).join(' and ')} signed what the other copy tells.`;
  const disordered = blamed(({ log }) => isInOrder(log.entries));
  if (disordered !== undefined) return `${disordered} was rewritten: the dates of its releases go back.`;
  if (key && copies.every(({ log }) => isLogOf(log, key)))
    return `Both are signed by ${key.name}: somebody with its key signed two pasts. Only a witness, or another copy that is older than the dispute, tells which is the first.`;
  return 'Nothing here tells which is true: give the key of the publisher with --key, or that of a witness with --witness.';
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
