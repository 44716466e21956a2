/** The bundled explorer as a tree has it, for trees that were written without pages. */
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PAGES } from '../../build/format/paths.ts';
import { writeChecksums, writeTree } from '../edge/tree/write.ts';
import { TREE_SOURCES } from '../georgia/specification/sample.ts';
import { keptFolder } from '../kept-folder.ts';

const BUNDLE = path.resolve(import.meta.dirname, '../../lib/explorer');

/** As the frame of every page has it. */
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self' blob:; " +
  "img-src 'self' data: blob:; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'";

/** The small tree that is written by hand, with the bundle: kept, so a test that changes it copies it. */
export function bundledThings(): Promise<string> {
  return keptFolder(
    'bundled-things',
    [...TREE_SOURCES, 'test/edge/tree', 'test/explorer/bundle.ts'],
    async out => {
      await mkdir(out);
      await writeTree(out, { sample: true });
      await addBundle(out);
    },
  );
}

/** Puts the bundle into a tree, and two pages with the policy of all pages: one empty, one with their script. */
export async function addBundle(tree: string): Promise<void> {
  await cp(BUNDLE, path.join(tree, PAGES.assets), { recursive: true });
  await rename(path.join(tree, PAGES.assets, PAGES.worker), path.join(tree, PAGES.worker));
  const sources = ['messages/page-en.ts', 'app/explorer.ts'];
  const files = await Promise.all(sources.map(bundled));
  const script = files.map(file => `<script type="module" src="${file}"></script>`).join('');
  await writeFile(path.join(tree, 'bare.html'), renderPage(''));
  await writeFile(path.join(tree, 'page.html'), renderPage(script));
  // The digest in the root's page covers the files without these.
  const index = path.join(tree, 'index.html');
  await writeFile(index, (await readFile(index, 'utf8')).replace(/<meta name="civic-digest"[^>]*>/, ''));
  await writeChecksums(tree);
}

function renderPage(head: string): string {
  return `<!doctype html><html lang="en" data-root="./"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>Test</title><link rel="icon" href="data:,">${head}`;
}

/** Of a bundled source, relative to the tree's root. */
export async function bundled(source: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(BUNDLE, 'manifest.json'), 'utf8'));
  return `${PAGES.assets}/${manifest[source].file}`;
}
