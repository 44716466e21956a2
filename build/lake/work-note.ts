/**
 * A note of what DuckDB works on, in a file that outlives the process: a damaged file or a rule can end the process at
 * once, and the next one tells what the last one ended on.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** In the folder of temporary files of each command. */
const NOTE = 'at-work';

let folder: string | null = null;
/** Stays open: a disk brings what a file is replaced with to rest before it is closed, which takes longer than the note. */
let file: number | null = null;
/** The most bytes that were written to it. */
let longest = 0;
const underWay: string[] = [];

/** Notes the work that follows in a folder, once there is such a folder; null: nowhere. */
export function noteWorkIn(temporary: string | null): void {
  folder = temporary;
  if (file !== null) closeSync(file);
  [file, longest] = [null, 0];
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
  const text = Buffer.from(underWay.join('\n'));
  longest = Math.max(longest, text.length);
  // Empty lines say nothing, and cover what a longer note has left.
  const lines = Buffer.alloc(longest, '\n');
  text.copy(lines);
  try {
    file ??= openSync(path.join(folder, NOTE), 'w');
    writeSync(file, lines, 0, longest, 0);
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
