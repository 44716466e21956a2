import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSource, type Source } from './source.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Folders that are made on a machine and never committed. A build works in `.name.civic`. */
const MADE = /^(node_modules|lib|dist|coverage|\.git|\..+\.civic)$/;
/** A publisher's own rows. */
const LAKE = 'data/lake';
/** A text file has no NUL in its first bytes. */
const BEGINNING = 4096;

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Relative paths of all files that are or could be committed, sorted. */
export function listFiles(folder = ''): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .flatMap(entry => {
      const relative = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return MADE.test(entry.name) || relative === LAKE ? [] : listFiles(relative);
      return entry.isFile() && !entry.name.endsWith('.log') ? [relative] : [];
    })
    .sort();
}

export function readTexts(): TextFile[] {
  return listFiles().flatMap(file => {
    const bytes = readFileSync(path.join(ROOT, file));
    return bytes.subarray(0, BEGINNING).includes(0) ? [] : [{ path: file, text: bytes.toString('utf8') }];
  });
}

/** Every TypeScript file of build, site, scripts, test and the root. */
export function sourcesOf(texts: readonly TextFile[]): Source[] {
  return texts
    .filter(file => /^([^/]+|(build|site|scripts|test)\/.+)\.tsx?$/.test(file.path))
    .map(file => parseSource(file.path, file.text));
}
