/** The files in `<out>.host/`, which a publisher needs to deploy a tree. */
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { UnableError } from '../failure.ts';
import type { HostFile } from '../format/host-files.ts';
import { replaceFile } from '../tree/durability.ts';

export function hostFolderOf(out: string): string {
  return `${out}.host`;
}

/**
 * Checks, before the trees are switched, that the build can write the folder and overwrites no foreign file.
 * `earlier`: the names that builds wrote; null if unknown.
 */
export async function prepareHostFolder(
  folder: string,
  files: readonly HostFile[],
  earlier: readonly string[] | null,
): Promise<void> {
  if (files.length === 0) return;
  const info = await stat(folder).catch(() => null);
  if (info !== null && !info.isDirectory())
    throw new UnableError(
      'output-not-a-folder',
      `${folder} is a file, but the build needs a folder there. Move the file elsewhere.`,
    );
  for (const { path: name, text } of files) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    if (earlier === null || earlier.includes(name)) continue;
    const there = await readFile(file, 'utf8').catch(() => null);
    if (there !== null && there !== text)
      throw new UnableError(
        'output-foreign-file',
        `${file} exists, and no build wrote it. Move it elsewhere: a build with --host writes its own.`,
      );
  }
}

/** Replaces each file in one step, and removes other files of `earlier` builds. Foreign files stay. */
export async function writeHostFolder(
  folder: string,
  files: readonly HostFile[],
  earlier: readonly string[],
): Promise<void> {
  for (const { path: name, text } of files) await replaceFile(path.join(folder, name), text);
  const names = new Set(files.map(file => file.path));
  for (const name of earlier) if (!names.has(name)) await rm(path.join(folder, name), { force: true });
}
