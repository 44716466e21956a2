/** The explorer's part of a build: the bundled assets, and pages rendered from published documents. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PAGES } from '../../build/format/paths.ts';
import type { ReadRange, StagedRows } from './engine/staged-rows.ts';
import type { DocumentSource } from './pages/documents.ts';
import type { Bundle, Part } from './pages/layout.tsx';
import type { Atlas } from './pages/map-shapes.ts';
import type { Previewer } from './pages/page-list.tsx';

/** The folder of the bundled files, next to the compiled program. */
const BUNDLE = 'explorer';
const MANIFEST = 'manifest.json';
const ICON = 'style/icon.svg';
const SCRIPT = 'app/explorer.ts';

/** All shapes that the map can draw; each tree gets those that it needs. */
const ATLAS = 'bundled/atlas.json';

const DATABASE = 'duckdb-';

/**
 * The list of bundled files, written at compile time: hashing takes longer than a build with nothing to do.
 */
export const LISTING = 'explorer.json';

/** The compressed fonts of pictures, next to the program. */
const FONTS = ['bin/preview-regular.ttf.gz', 'bin/preview-bold.ttf.gz'] as const;

/** Raise it if the same SVG gives another picture. */
const PICTURE = 1;

/** What the bundler calls the script of each part: a source, or a chunk of several. */
const PARTS: Readonly<Record<Part, string>> = {
  search: 'app/search.tsx',
  place: 'app/place-page.tsx',
  dataset: 'dataset',
  embed: 'app/explore/embedded.tsx',
  lines: 'panel/lines.tsx',
  bars: 'panel/bars.tsx',
  map: 'panel/map.tsx',
};

/** An entry of the bundler's manifest: the files of a script. */
interface BundleEntry {
  readonly file: string;
  readonly name?: string;
  readonly css?: readonly string[];
  /** Keys of other entries. */
  readonly imports?: readonly string[];
}

interface Listing {
  /** The hash of the assets and of the code that renders pages: it may change without the assets. */
  readonly version: string;
  readonly assets: readonly Asset[];
}

interface Asset {
  /** Path in the tree. */
  readonly path: string;
  /** Name in the bundle's folder. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface TreeSource extends Omit<DocumentSource, keyof StagedRows> {
  readonly readRange: ReadRange;
}

/** `lib` is the folder of the compiled program. Throws if the explorer isn't bundled. */
export function openExplorer(lib: string) {
  const folder = path.join(lib, BUNDLE);
  const { version, assets }: Listing = readJson(path.join(lib, LISTING));
  const manifest: Readonly<Record<string, BundleEntry>> = readJson(path.join(folder, MANIFEST));
  const bundled = (source: string): BundleEntry => {
    const found = manifest[source] ?? Object.values(manifest).find(({ name }) => name === source);
    if (found === undefined) throw new Error(`${source} is not bundled.`);
    return found;
  };
  const { file: script, css = [] } = bundled(SCRIPT);
  const asset = (name: string) => `${PAGES.assets}/${name}`;
  const collect = (source: string, files: Set<string>) => {
    const { file, imports = [] } = bundled(source);
    if (files.has(asset(file))) return;
    files.add(asset(file));
    for (const one of imports) collect(one, files);
  };
  const bundle: Bundle = {
    script: asset(script),
    messages: language => asset(bundled(`messages/page-${language}.ts`).file),
    filesOf: parts => {
      const files = new Set<string>();
      for (const source of [SCRIPT, ...parts.map(part => PARTS[part])]) collect(source, files);
      return [...files];
    },
    styles: css.map(asset),
    icon: asset(bundled(ICON).file),
    databaseBytes: assets.find(({ name }) => name.startsWith(DATABASE))?.bytes ?? 0,
  };
  return {
    version,
    assets: assets.map(({ name, ...asset }) => ({ ...asset, file: path.join(folder, name) })),
    async *renderPages({ readRange, ...tree }: TreeSource) {
      // Loaded only here, since a build that publishes nothing renders no pages.
      const { readDocuments } = await import('./pages/documents.ts');
      const { renderPages } = await import('./pages/page-list.tsx');
      const readAtlas = () => readJson<Atlas>(path.join(lib, ATLAS));
      const { openStagedRows } = await import('./engine/staged-rows.ts');
      const { readRows, readChanged } = openStagedRows(readRange);
      const source: DocumentSource = {
        ...tree,
        readRows,
        // Kept, since comparing the rows of a large slice takes a second and most datasets don't change.
        readChanged: (key, changes) =>
          tree.keep(['changed rows', version, key, changes], () => readChanged(key, changes)),
      };
      yield* renderPages(await readDocuments(source), bundle, readAtlas, () => openPreviewer(lib));
    },
  };
}

async function openPreviewer(lib: string): Promise<Previewer> {
  const { drawPreview, openRasterizer } = await import('./pages/preview.tsx');
  const fonts = FONTS.map(name => new Uint8Array(gunzipSync(readFileSync(path.join(lib, name)))));
  const module = readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm'));
  const rasterize = await openRasterizer({ module: new Uint8Array(module), fonts });
  return input => {
    const svg = drawPreview(input);
    const source = createHash('sha256').update(`${PICTURE}\n${svg}`).digest('hex');
    return { source, draw: () => rasterize(svg) };
  };
}

export function listExplorer(lib: string): Listing {
  const assets = listAssets(path.join(lib, BUNDLE));
  const hash = createHash('sha256');
  for (const { path: name, sha256 } of assets) hash.update(`${sha256}  ${name}\n`);
  for (const file of [...listCode(lib), path.join(lib, ATLAS)]) hash.update(readFileSync(file));
  return { version: hash.digest('hex'), assets };
}

function listCode(lib: string): string[] {
  return ['messages', 'pages', 'panel', 'view'].flatMap(room => {
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
