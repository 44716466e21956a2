/** The explorer as the build takes it: bundled assets, and pages rendered from published documents. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PAGES } from '../../build/format/paths.ts';
import { type DocumentSource, readDocuments } from './pages/documents.ts';
import { renderPages } from './pages/page-list.tsx';

/** Where bundling leaves its files: beside the compiled program. */
const BUNDLE = 'explorer';
const MANIFEST = 'manifest.json';
const ICON = 'style/icon.svg';

/** An entry of the bundler's manifest: what a page that starts there has to load. */
interface BundleEntry {
  readonly file: string;
  readonly css?: readonly string[];
}

interface Asset {
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** `lib`: the folder of the compiled program. Throws where the explorer has not been bundled. */
export function openExplorer(lib: string) {
  const folder = path.join(lib, BUNDLE);
  const manifest: Readonly<Record<string, BundleEntry>> = JSON.parse(
    readFileSync(path.join(folder, MANIFEST), 'utf8'),
  );
  const assets = listAssets(folder);
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
  const hash = createHash('sha256');
  for (const { path: name, sha256 } of assets) hash.update(`${sha256}  ${name}\n`);
  for (const file of listCode(lib)) hash.update(readFileSync(file));
  return {
    version: hash.digest('hex'),
    assets,
    async *renderPages(tree: DocumentSource) {
      yield* renderPages(await readDocuments(tree), bundle);
    },
  };
}

/** The code that makes pages: where it changes, pages may, though what they load stays as it is. */
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
      const file = path.join(folder, name);
      const content = readFileSync(file);
      const sha256 = createHash('sha256').update(content).digest('hex');
      const place = name === PAGES.worker ? name : `${PAGES.assets}/${name}`;
      return { path: place, file, bytes: content.length, sha256 };
    });
}
