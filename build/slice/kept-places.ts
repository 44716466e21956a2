/**
 * The places of a long history with their rows, kept from one build to the next: all that a change of some rows asks of
 * the others. Known by what the history holds; it says nothing that the history does not.
 */
import { readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Session } from '../lake/database.ts';
import { literal } from '../lake/sql.ts';
import { digestFile, digestText } from './file-digest.ts';

/** What tells places of a history from those of another: its SHA-256, and the columns that are its places. */
export function placesKey(sha256: string, placeColumns: readonly string[]): string {
  return digestText(JSON.stringify([sha256, placeColumns]));
}

/** A Parquet file; null where none is kept, or it is not as it was written. Its name has the key and its own SHA-256. */
export function recallPlaces(folder: string | null, key: string): string | null {
  if (folder === null) return null;
  try {
    const name = readdirSync(folder).find(one => one.startsWith(key));
    if (name === undefined) return null;
    const file = path.join(folder, name);
    return name === nameOf(key, file) ? file : null;
  } catch {
    return null;
  }
}

/** Keeps the rows of `select`, and what is kept under another key: which of both is published is not known yet. */
export async function keepPlaces(
  session: Session,
  folder: string,
  select: string,
  key: string,
  other: string | null,
  scratch: string,
): Promise<void> {
  try {
    const written = path.join(scratch, 'places.parquet');
    await session.run(`COPY (${select}) TO ${literal(written)} (FORMAT parquet)`);
    await mkdir(folder, { recursive: true });
    for (const name of readdirSync(folder)) {
      if (other === null || !name.startsWith(other)) await rm(path.join(folder, name), { force: true });
    }
    await rename(written, path.join(folder, nameOf(key, written)));
  } catch {
    // Without it the next build only reads more.
  }
}

function nameOf(key: string, file: string): string {
  return `${key}-${digestFile(file).sha256}.parquet`;
}
