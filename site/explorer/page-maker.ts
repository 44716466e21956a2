/** The explorer as the build takes it: bundled assets, and pages rendered from published documents. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PAGES } from '../../build/format/paths.ts';
import type { DocumentSource } from './pages/documents.ts';

/** Where bundling leaves its files: beside the compiled program. */
const BUNDLE = 'explorer';
const MANIFEST = 'manifest.json';
const ICON = 'style/icon.svg';

/** What was bundled, listed when it was compiled: to hash it takes longer than to find that nothing has to be done. */
export const LISTING = 'explorer.json';

/** An entry of the bundler's manifest: what a page that starts there has to load. */
interface BundleEntry {
  readonly file: string;
  readonly css?: readonly string[];
}

interface Listing {
  /** Of assets, and of the code that makes pages: where it changes, pages may, though what they load stays as it is. */
  readonly version: string;
  readonly assets: readonly Asset[];
}

interface Asset {
  /** In the tree. */
  readonly path: string;
  /** Name in the bundle's folder. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** `lib`: the folder of the compiled program. Throws where the explorer has not been bundled. */
export function openExplorer(lib: string) {
  const folder = path.join(lib, BUNDLE);
  const { version, assets }: Listing = readJson(path.join(lib, LISTING));
  const manifest: Readonly<Record<string, BundleEntry>> = readJson(path.join(folder, MANIFEST));
  const bundled = (source: string): BundleEntry => {
    const found = manifest[source];
    if (found === undefined) throw new Error(`${source} is not bundled.`);
    return found;
  };
  const bundle = (entry: string) => {
    const { file, css = [] } = bundled(entry);
    return {
      script: `${PAGES.assets}/${file}`,
      styles: css.map(name => `${PAGES.assets}/${name}`),
      icon: `${PAGES.assets}/${bundled(ICON).file}`,
    };
  };
  return {
    version,
    assets: assets.map(({ name, ...asset }) => ({ ...asset, file: path.join(folder, name) })),
    async *renderPages(tree: DocumentSource) {
      // Loaded only here: a build that publishes nothing makes no pages.
      const { readDocuments } = await import('./pages/documents.ts');
      const { renderPages } = await import('./pages/page-list.tsx');
      yield* renderPages(await readDocuments(tree), bundle);
    },
  };
}

/** Reads and hashes what was bundled, and the code that makes pages, in the folder of the compiled program. */
export function listExplorer(lib: string): Listing {
  const assets = listAssets(path.join(lib, BUNDLE));
  const hash = createHash('sha256');
  for (const { path: name, sha256 } of assets) hash.update(`${sha256}  ${name}\n`);
  for (const file of listCode(lib)) hash.update(readFileSync(file));
  return { version: hash.digest('hex'), assets };
}

function listCode(lib: string): string[] {
  return ['pages', 'view'].flatMap(room => {
    const folder = path.join(lib, 'site/explorer', room);
    return readdirSync(folder)
      .filter(name => /\.(js|tsx?)$/.test(name))
      .sort()
      .map(name => path.join(folder, name));
  });
}

function listAssets(folder: string): Asset[] {
  return readdirSync(folder)
    .filter(name => name !== MANIFEST)
    .sort()
    .map(name => {
      const content = readFileSync(path.join(folder, name));
      const sha256 = createHash('sha256').update(content).digest('hex');
      const place = name === PAGES.worker ? name : `${PAGES.assets}/${name}`;
      return { path: place, name, bytes: content.length, sha256 };
    });
}

function readJson<Document>(file: string): Document {
  return JSON.parse(readFileSync(file, 'utf8')) as Document;
}
