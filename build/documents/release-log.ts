/** Writes the log of releases, with the staged tree as its last entry. */
import { ROOT } from '../format/paths.ts';
import { type LogEntry, logFiles, logRoot } from '../log/release-log.ts';
import type { KnownLog } from '../memory/build-state.ts';
import type { EarlierLog } from '../plan/earlier-log.ts';
import type { Staging } from '../tree/staging.ts';

/** A release whose manifest the log has already is not added again. Call it after the manifest is staged. */
export async function writeLog(
  staging: Staging,
  earlier: EarlierLog | null,
  { release, date }: Pick<LogEntry, 'release' | 'date'>,
): Promise<KnownLog | null> {
  if (earlier === null) return null;
  const manifest = staging.files.get(ROOT.manifest)?.sha256;
  if (manifest === undefined) throw new Error('The manifest is not staged.');
  const { key } = earlier;
  const isLast = earlier.entries.at(-1)?.manifest === manifest;
  const entries = isLast ? earlier.entries : [...earlier.entries, { release, date, manifest }];
  for (const [file, bytes] of logFiles(entries, key)) await staging.write(file, bytes);
  return { origin: key.name, size: entries.length, root: logRoot(entries).toString('hex') };
}
