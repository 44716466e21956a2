/** What the files of rewriting hosts are made from: the documents of a tree, and the scripts as they are compiled. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TreeManifest } from '../../build/format/manifest.ts';
import {
  type CloudFrontScripts,
  type HostFile,
  type RewriteInput,
  renderNginxFiles,
} from '../../site/edge/adapters/rewrite/render.ts';

export async function readRewriteInput(tree: string): Promise<RewriteInput> {
  const read = async (file: string) => JSON.parse(await readFile(path.join(tree, file), 'utf8'));
  const manifest: TreeManifest = await read('manifest.json');
  const datasets = new Map();
  const dimensions = new Map();
  for (const { key, path: file } of manifest.datasets) {
    const schema = await read(`api/v1/datasets/${key}/index.json`);
    datasets.set(key, { manifest: await read(file), schema });
  }
  for (const { key, path: file } of manifest.dimensions) dimensions.set(key, await read(file));
  return { manifest, datasets, dimensions };
}

const readScript = (name: string) =>
  readFile(path.join(import.meta.dirname, `../../lib/workers/${name}.js`), 'utf8');

export async function readCloudFrontScripts(): Promise<CloudFrontScripts> {
  return { table: await readScript('cloudfront-table'), store: await readScript('cloudfront-store') };
}

export async function readNginxFiles(): Promise<readonly HostFile[]> {
  return renderNginxFiles(await readScript('nginx'));
}
