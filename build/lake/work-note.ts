/**
 * A note of what DuckDB works on, in a file that outlives the process: a damaged file or a rule can end the process at
 * once, and the next one tells what the last one ended on.
 */
import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** In the folder of temporary files of each command. */
const NOTE = 'at-work';

let folder: string | null = null;
const underWay: string[] = [];

/** Notes the work that follows in a folder, once there is such a folder; null: nowhere. */
export function noteWorkIn(temporary: string | null): void {
  folder = temporary;
}

/** Notes the work of `act` while it goes on. */
export async function noteWork<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  underWay.push(what);
  writeNote();
  try {
    return await act();
  } finally {
    underWay.splice(underWay.indexOf(what), 1);
    writeNote();
  }
}

function writeNote(): void {
  if (folder === null) return;
  try {
    writeFileSync(path.join(folder, NOTE), underWay.join('\n'));
  } catch {
    // The folder is not there yet, or the disk is full: the work itself tells.
  }
}

/** What commands that have ended were at work on: the notes in the folders of `temporary`. */
export async function readWorkNotes(temporary: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(temporary).catch(() => [])) {
    const text = await readFile(path.join(temporary, name, NOTE), 'utf8').catch(() => '');
    found.push(...text.split('\n').filter(Boolean));
  }
  return [...new Set(found)].sort();
}
