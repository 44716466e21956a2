/** A tree that is read: a folder, or the address of a host. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UnableError } from './failure.ts';

export interface TreeSource {
  /** As it was named. */
  readonly name: string;
  /** The text of a file; null where there is none. */
  text(file: string): Promise<string | null>;
  /** Where the file is on this machine; null where there is none. What a host sends is held against its hash. */
  local(file: string, sha256: string): Promise<string | null>;
}

export function folderSource(folder: string): TreeSource {
  return {
    name: folder,
    text: file => readFile(path.join(folder, file), 'utf8').catch(() => null),
    local: async file => path.join(folder, file),
  };
}

/** Files are fetched into a temporary folder. */
export function addressSource(address: string, temporaryFolder: string): TreeSource {
  const base = address.endsWith('/') ? address : `${address}/`;
  const get = async (file: string) => {
    const response = await fetch(new URL(file, base)).catch((error: unknown) => {
      const why = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
      throw new UnableError('unreachable', `${base} cannot be reached${why}. Name the address of a tree.`);
    });
    return response.ok ? response : null;
  };
  return {
    name: address,
    text: async file => (await get(file))?.text() ?? null,
    local: async (file, sha256) => {
      const bytes = new Uint8Array((await (await get(file))?.arrayBuffer()) ?? new ArrayBuffer(0));
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) return null;
      const target = path.join(temporaryFolder, sha256);
      await mkdir(temporaryFolder, { recursive: true });
      await writeFile(target, bytes);
      return target;
    },
  };
}

/** A folder, an address, or the root manifest.json of either. */
export function sourceOf(location: string, temporaryFolder: string): TreeSource {
  const root = location.replace(/(^|\/)manifest\.json([?#].*)?$/, '$1');
  return /^https?:/.test(location)
    ? addressSource(root, temporaryFolder)
    : folderSource(root === '' ? '.' : root);
}

export async function readDocument<Document>(tree: TreeSource, file: string): Promise<Document | null> {
  const text = await tree.text(file);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Document;
  } catch {
    return null;
  }
}
