/** What the files of rewriting hosts are made from: the documents of a tree, and the scripts as they are compiled. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { HostFile, PublishedDocuments } from '../../build/format/host-files.ts';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { renderNginxFiles } from '../../site/edge/adapters/rewrite/render.ts';

export async function readRewriteInput(tree: string): Promise<PublishedDocuments> {
  const read = async (file: string) => JSON.parse(await readFile(path.join(tree, file), 'utf8'));
  const manifest: TreeManifest = await read('manifest.json');
  const datasets = manifest.datasets.map(async ({ key, path: file }) => ({
    manifest: await read(file),
    schema: await read(`api/v1/datasets/${key}/index.json`),
  }));
  const dimensions = manifest.dimensions.map(async ({ key, path: file }) => ({
    domain: key.split('/')[0]!,
    manifest: await read(file),
  }));
  return { manifest, datasets: await Promise.all(datasets), dimensions: await Promise.all(dimensions) };
}

const readScript = (name: string) =>
  readFile(path.join(import.meta.dirname, `../../lib/workers/${name}.js`), 'utf8');

export const readCloudFrontScript = () => readScript('cloudfront');

export async function readNginxFiles(): Promise<readonly HostFile[]> {
  return renderNginxFiles(await readScript('nginx'));
}
