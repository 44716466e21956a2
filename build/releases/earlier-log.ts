/** The signed log of the release before, and the log that a build writes. */
import path from 'node:path';
import type { KnownLog } from '../cache/build-note.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { contentLines, type TreeManifest } from '../format/manifest.ts';
import { CHECKPOINT, type LogEntry } from '../format/signed-log.ts';
import {
  continuesFrom,
  logFiles,
  logRoot,
  isLogOf,
  type ReleaseLog,
  sharedEntries,
} from '../log/release-log.ts';
import { publicKeyOf, type SigningKey } from '../log/signed-note.ts';
import type { ReleaseOptions } from '../plan/build-input.ts';
import { digestText } from '../slice/file-digest.ts';
import type { Staging } from '../tree/staging.ts';
import { readLog } from '../tree/tree-log.ts';
import { sourceOf } from '../tree/tree-source.ts';
import type { Workspace } from '../tree/workspace.ts';

export interface EarlierLog {
  readonly key: SigningKey;
  /** Oldest first. */
  readonly entries: readonly LogEntry[];
}

/**
 * Reads the logs at the output folder and at --previous, and takes the longer one; null if the build writes no log.
 * `known`: the log in the note of the last build to the folder. Throws RefusedError if none of the logs continues the
 * other, so some release was rewritten, and UnableError if there is a log and no key.
 */
export async function readEarlierLog(
  options: ReleaseOptions,
  workspace: Workspace,
  known: KnownLog | null,
): Promise<EarlierLog | null> {
  const key = options.signingKey ?? null;
  // An extract isn't a release: the whole tree's log doesn't list its manifest.
  if (options.extract === true) return null;
  const places = [workspace.out, ...(options.previous === null ? [] : [options.previous])];
  const logs: { readonly place: string; readonly log: ReleaseLog }[] = [];
  for (const place of places) {
    const log = await readLog(sourceOf(place, path.join(workspace.temporary, 'log')));
    if (log !== null) logs.push({ place, log });
  }
  if (key === null) {
    const [first] = logs;
    if (first === undefined && known === null) return null;
    throw new UnableError(
      'log-without-key',
      `${first?.place ?? workspace.out} has a log of releases signed by ${first?.log.origin ?? known?.origin}, and a build without its key would end it. Set CIVIC_SIGNING_KEY or --signing-key, or build to another folder.`,
    );
  }
  for (const { place, log } of logs) {
    if (!isLogOf(log, publicKeyOf(key, 'signer')))
      throw fork(
        `The log of ${place} is signed by ${log.origin} with another key than this build's ${key.name}. Build with its key, or to another folder.`,
      );
  }
  const [longest, shorter] = [...logs].sort((a, b) => b.log.entries.length - a.log.entries.length);
  const entries = longest?.log.entries ?? [];
  if (shorter && sharedEntries(entries, shorter.log.entries) < shorter.log.entries.length)
    throw fork(
      `${shorter.place} and ${longest?.place} have different releases: one of them was rewritten. Restore the right one, for example from a mirror.`,
    );
  if (known !== null && !continuesFrom(entries, known))
    throw fork(
      `The last build to ${workspace.out} left a log of ${known.size} releases, and the one in place doesn't continue it: releases were removed or rewritten. Restore the tree, for example with civic verify --against a mirror, or name an older tree with --previous.`,
    );
  return { key, entries };
}

function fork(message: string): RefusedError {
  return new RefusedError([{ severity: 'error', code: 'log-fork', file: CHECKPOINT, message }]);
}

/** Adds the release, unless the log's last entry has the same content. */
export async function writeLog(
  staging: Staging,
  earlier: EarlierLog | null,
  manifest: TreeManifest,
): Promise<KnownLog | null> {
  if (earlier === null) return null;
  const { release, date } = manifest;
  const content = digestText(contentLines(manifest));
  const { key } = earlier;
  const isLast = earlier.entries.at(-1)?.content === content;
  const entries = isLast ? earlier.entries : [...earlier.entries, { release, date, content }];
  for (const [file, bytes] of logFiles(entries, key)) await staging.write(file, bytes);
  return { origin: key.name, size: entries.length, root: logRoot(entries) };
}
