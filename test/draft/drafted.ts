/** Drafts of files in a folder of a test's own, as `civic init` makes them. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type DraftResult, draft } from '../../build/draft/draft.ts';
import { type PublisherFolder, publisherAt, temporaryFolder } from '../publishers/publisher-folder.ts';

export type Files = Readonly<Record<string, string | Buffer>>;

export async function writtenFiles(files: Files): Promise<string> {
  const root = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
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

/** What a build takes of a draft. */
export const publisher = (root: string): PublisherFolder => ({
  ...publisherAt(root),
  data: path.join(root, 'data'),
});
