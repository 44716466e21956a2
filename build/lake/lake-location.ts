/** Opens a lake in a folder or a bucket. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf, refusedPath } from '../system-error.ts';
import { type Lake, LakeError } from './lake.ts';
import { type Ignored, type LakeFile, listLake } from './lake-files.ts';

const SAMPLE_MARKER = '_sample.json';

/** A lake in a bucket keeps copies of its objects in `cache`. Throws LakeError. */
export async function openLake(location: string, cache: string): Promise<Lake> {
  const store = /^s3:/i.test(location)
    ? await import('./bucket-lake.ts').then(({ openBucketLake }) => openBucketLake(location, cache))
    : folderLake(location);
  const files = await store.list();
  const marker = files.find(file => file.path === SAMPLE_MARKER);
  if (marker !== undefined) await store.fetch([marker]);
  return { location, files, sample: marker !== undefined && (await isSample(marker)), ...store };
}

function folderLake(folder: string): Pick<Lake, 'fetch' | 'list' | 'ignored'> {
  const ignored = new Map<string, Ignored>();
  return {
    ignored,
    fetch: async () => undefined,
    list: async () => {
      try {
        const listed = listLake(folder);
        for (const [name, why] of listed.ignored) ignored.set(name, why);
        return listed.files;
      } catch (error) {
        const file = refusedPath(error) ?? folder;
        throw new LakeError(
          'lake-unreadable',
          `The program cannot read ${path.resolve(folder) === file ? folder : file}: ${reasonOf(error)}. Name the lake's folder.`,
        );
      }
    },
  };
}

async function isSample(marker: LakeFile): Promise<boolean> {
  try {
    const content: unknown = JSON.parse(await readFile(marker.absolute, 'utf8'));
    return typeof content === 'object' && content !== null && 'sample' in content && content.sample === true;
  } catch {
    return false;
  }
}
