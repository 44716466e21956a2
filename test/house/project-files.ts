/** Files of the project, as the rules read them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSource, type Source } from './source.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Folders that are made on a machine and never committed; `.name.civic` is where a build works. */
const MADE = /^(node_modules|lib|dist|coverage|\.git|\..+\.civic)$/;
/** Rows of a publisher's own. */
const LAKE = 'data/lake';
/** A text has no NUL byte in its beginning. */
const BEGINNING = 4096;

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Paths of all files that are, or could be, committed; relative, sorted. */
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

/** Every TypeScript file of the five halls of the house, and of its root. */
export function sourcesOf(texts: readonly TextFile[]): Source[] {
  return texts
    .filter(file => /^([^/]+|(build|site|scripts|test)\/.+)\.tsx?$/.test(file.path))
    .map(file => parseSource(file.path, file.text));
}
