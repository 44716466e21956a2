/** Writes `<out>.host/`: the files that a publisher needs to deploy a tree and that do not belong in it. */
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { HostFile, HostSite } from '../catalog/host-site.ts';
import type { Publisher } from '../contract/dataset.ts';
import { UnableError } from '../failure.ts';
import type { DatasetManifest } from '../format/manifest.ts';
import { isUnlisted } from '../format/paths.ts';
import type { SchemaDocument } from '../format/schema.ts';
import { replaceFile } from '../tree/durability.ts';
import type { HostTarget, PublishedDocuments } from './host-profile.ts';

/** The facts of a build that the files of a host show. */
export interface SiteInput {
  readonly publisher: Publisher;
  readonly sample: boolean;
  readonly hasPages: boolean;
  readonly datasets: readonly { readonly manifest: DatasetManifest; readonly schema: SchemaDocument }[];
}

export function siteOf({ basePath }: HostTarget, out: string, input: SiteInput): HostSite {
  return {
    publisher: input.publisher,
    sample: input.sample,
    hasPages: input.hasPages,
    basePath,
    treeFolder: path.basename(path.resolve(out)),
    datasets: input.datasets.map(({ manifest, schema }) => ({ key: manifest.dataset, title: schema.title })),
  };
}

/**
 * The host's files in the tree: `listed` ones, which include the table of its edge, and `unlisted` ones, which the
 * host reads but does not serve.
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
 * Checks, before the trees are switched, that the build can write the folder and overwrites no foreign file. `earlier`
 * are the names that builds wrote; null if unknown.
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

/** Replaces each file in one step, and removes the other files of `earlier` builds. Foreign files stay. */
export async function writeHostFolder(
  folder: string,
  files: readonly HostFile[],
  earlier: readonly string[],
): Promise<void> {
  for (const { path: name, text } of files) {
    const file = path.join(folder, name);
    await replaceFile(file, text);
  }
  const names = new Set(files.map(file => file.path));
  for (const name of earlier) if (!names.has(name)) await rm(path.join(folder, name), { force: true });
}
