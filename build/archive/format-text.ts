/** Reads FORMAT.md, the specification of the published format. Every archive holds a copy. */
import { readFile } from 'node:fs/promises';

/** Its path relative to this source, to its compiled module and to the bundle. */
const PLACES = ['../format/FORMAT.md', '../../../build/format/FORMAT.md', '../../build/format/FORMAT.md'];

export async function readFormatText(): Promise<string> {
  for (const place of PLACES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => null);
    if (text !== null) return text;
  }
  throw new Error('The program cannot find build/format/FORMAT.md.');
}
