/** `<out>.host/`: what whoever deploys a tree needs besides it. A tree holds only what every host may hold. */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HostFile, HostSite } from '../catalog/host-site.ts';
import type { Publisher } from '../contract/dataset.ts';
import { UnableError } from '../failure.ts';
import type { DatasetManifest } from '../format/manifest.ts';
import { isUnlisted } from '../format/paths.ts';
import type { SchemaDocument } from '../format/schema.ts';
import type { HostTarget, PublishedDocuments } from './host-profile.ts';

/** What of a build the files of a host are made from. */
export interface SiteInput {
  readonly publisher: Publisher;
  readonly sample: boolean;
  readonly datasets: readonly { readonly manifest: DatasetManifest; readonly schema: SchemaDocument }[];
}

export function siteOf({ basePath }: HostTarget, out: string, input: SiteInput): HostSite {
  return {
    publisher: input.publisher,
    sample: input.sample,
    basePath,
    treeFolder: path.basename(path.resolve(out)),
    datasets: input.datasets.map(({ manifest, schema }) => ({ key: manifest.dataset, title: schema.title })),
  };
}

/**
 * The host's files in the tree: those that every list names, what its edge reads there among them, and those that the
 * host keeps to itself.
 */
export async function hostFilesOf(
  { host, out }: { readonly host?: HostTarget | null | undefined; readonly out: string },
  input: Omit<SiteInput, 'datasets'>,
  documents: PublishedDocuments,
): Promise<{ readonly listed: readonly HostFile[]; readonly unlisted: readonly HostFile[] }> {
  const { datasets } = documents;
  const files = host ? host.profile.treeFiles(siteOf(host, out, { ...input, datasets })) : [];
  const table = await host?.renderTable?.(documents);
  return {
    listed: [...files.filter(file => !isUnlisted(file.path)), ...(table ? [table] : [])],
    unlisted: files.filter(file => isUnlisted(file.path)),
  };
}

export function hostFolderOf(out: string): string {
  return `${out}.host`;
}

/**
 * Makes sure, before the tree is switched, that the folder can be written, and that nothing in it is written over that no
 * build wrote. `earlier` are the names that builds wrote; null where that is not known any more.
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
      `${folder} is a file. It must be a folder, or not be there.`,
    );
  for (const { path: name, text } of files) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    if (earlier === null || earlier.includes(name)) continue;
    const there = await readFile(file, 'utf8').catch(() => null);
    if (there !== null && there !== text)
      throw new UnableError(
        'output-foreign-file',
        `${file} is there already and no build wrote it. Move it elsewhere: a build with --host writes its own.`,
      );
  }
}

/** Writes the files, each as a whole, and removes those of `earlier` builds. Whatever else is there stays. */
export async function writeHostFolder(
  folder: string,
  files: readonly HostFile[],
  earlier: readonly string[],
): Promise<void> {
  for (const { path: name, text } of files) {
    const file = path.join(folder, name);
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }
  const names = new Set(files.map(file => file.path));
  for (const name of earlier) if (!names.has(name)) await rm(path.join(folder, name), { force: true });
}
