/** Finds the folder or address of one release, so that all files that a reader reads are of that release. Node only. */
import { resolve } from 'node:path';
import type { TreeManifest } from '../../../build/format/manifest.ts';
import { isRelease, ROOT, releaseFolder } from '../../../build/format/paths.ts';
import type { Files } from '../files/files.ts';
import { resolveTree } from './release-folder.ts';

/** The folder of the current release, given a folder of releases or a link to one of them. */
export function pinFolder(folder: string): Promise<string> {
  return resolveTree(resolve(folder));
}

/**
 * The address of the current release where the host keeps several, else the address as it is. Addresses end in a slash.
 */
export async function pinAddress(address: string, files: Files): Promise<string> {
  const found = await files.read(ROOT.manifest, null);
  const release = found && readRelease(found.bytes);
  if (!release) return address;
  const kept = await files.stat(`${releaseFolder(release)}/${ROOT.checksums}`).catch(() => null);
  return kept ? `${address}${releaseFolder(release)}/` : address;
}

function readRelease(bytes: Uint8Array): string | null {
  try {
    const { release } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<TreeManifest>;
    return typeof release === 'string' && isRelease(release) ? release : null;
  } catch {
    return null;
  }
}
