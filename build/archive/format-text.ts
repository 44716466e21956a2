/** FORMAT.md, the specification of the published format, which every archive has beside the tree. */
import { readFile } from 'node:fs/promises';

/** Beside the sources; seen from them, and from what they are compiled to. */
const PLACES = ['../format/FORMAT.md', '../../../build/format/FORMAT.md', '../../build/format/FORMAT.md'];

export async function readFormatText(): Promise<string> {
  for (const place of PLACES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => null);
    if (text !== null) return text;
  }
  throw new Error('build/format/FORMAT.md is not where the program is.');
}
