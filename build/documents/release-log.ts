/** Writes the log of releases, with the staged tree as its last entry. */
import type { TreeManifest } from '../format/manifest.ts';
import { contentLines } from '../format/release-content.ts';
import { logFiles, logRoot } from '../log/release-log.ts';
import type { KnownLog } from '../cache/build-note.ts';
import type { EarlierLog } from '../plan/earlier-log.ts';
import { digestText } from '../slice/file-digest.ts';
import type { Staging } from '../tree/staging.ts';

/** A release whose content the log states last is not added again. */
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
  return { origin: key.name, size: entries.length, root: logRoot(entries).toString('hex') };
}
