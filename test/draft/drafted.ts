/** Drafts of files as `civic init` makes them, and the builds from them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type DraftedTable, type DraftResult, draft } from '../../build/draft/draft.ts';
import type { Built, Overrides } from '../publishers/built-tree.ts';
import { publisherAt, temporaryFolder, writeTexts } from '../publishers/publisher-folder.ts';

export type Files = Readonly<Record<string, string | Buffer>>;

export async function writtenFiles(files: Files): Promise<string> {
  const root = await temporaryFolder();
  await writeTexts(root, files);
  return root;
}

export function draftIn(root: string, names: readonly string[]): Promise<DraftResult> {
  const inputs = names.map(name => path.join(root, name));
  return draft({ inputs, folder: root, domain: 'data', memory: '400MB', jobs: 1 });
}

export async function drafted(files: Files): Promise<DraftResult & { readonly root: string }> {
  const root = await writtenFiles(files);
  return { ...(await draftIn(root, Object.keys(files))), root };
}

/** What a build takes from a draft. */
export const publisher = (root: string) => publisherAt(root).with({ data: path.join(root, 'data') });

export const built = (root: string, overrides?: Overrides): Promise<Built> =>
  publisher(root).build(overrides);

/** Rows of a published slice, such as `air/year=2023`. */
export const csvOf = (root: string, slice: string) =>
  readFile(path.join(root, `dist/api/v1/data/${slice}/all.csv`), 'utf8');

/** `name type role` of each column. */
export const columnsOf = (table: DraftedTable | undefined) =>
  table?.columns.map(({ name, type, role }) => `${name} ${type} ${role}`).join(', ');
