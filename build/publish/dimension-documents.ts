/** Writes the documents of the dimensions, and a copy of each under every domain that joins it. */
import { copyFile, link, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { dimensionDocument } from '../catalog/dimension-document.ts';
import { documentText } from '../catalog/document-text.ts';
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import {
  type DimensionManifest,
  FORMAT,
  type ManifestEntry,
  type PublishedFile,
} from '../format/documents.ts';
import { dimensionFolder, dimensionManifestPath, dimensionSchemaPath } from '../format/paths.ts';
import { dimensionRowColumns } from '../slice/row-columns.ts';
import type { WrittenRows, WrittenSlice } from '../slice/rows-writer.ts';
import type { Staging } from './staging.ts';

/** The domains under which a dimension stands: its own, and those of the datasets that join it. */
export function dimensionDomains(dimension: Dimension, datasets: readonly Dataset[]): string[] {
  const joining = datasets.filter(dataset =>
    dataset.foreignKeys.some(key => key.dimension === dimension.key),
  );
  return [...new Set([dimension.domain, ...joining.map(dataset => dataset.domain)])].sort();
}

export async function writeDimension(
  staging: Staging,
  contracts: Contracts,
  dimension: Dimension,
  written: WrittenSlice,
  domains: readonly string[],
  sample: boolean,
): Promise<ManifestEntry[]> {
  const { release } = written;
  const stamp = { format: FORMAT, release, ...(sample ? { sample: true as const } : {}) };
  const rows = written.parquet.rows;
  const schema = documentText(dimensionDocument(stamp, dimension, rows));
  const entries: ManifestEntry[] = [];
  for (const domain of domains) {
    const folder = dimensionFolder(domain, dimension.name);
    const dated = async <File extends WrittenRows>(file: File) => {
      if (domain !== dimension.domain) await copyWithin(staging, dimension, domain, file.path);
      return staging.add(`${folder}/${file.path}`, file);
    };
    const schemaFile: PublishedFile = {
      path: 'schema.json',
      ...(await staging.write(dimensionSchemaPath(domain, dimension.name), schema)),
    };
    const manifest: DimensionManifest = {
      ...stamp,
      dimension: dimension.name,
      version: dimension.version,
      schema_hash: dimension.schemaHash,
      license: contracts.publisher.license,
      attribution: contracts.publisher.attribution,
      rows,
      columns: dimensionRowColumns(dimension).map(column => column.row),
      order: dimension.primaryKey,
      key_columns: dimension.primaryKey,
      files: {
        json: await Promise.all(written.json.map(dated)),
        csv: [await dated(written.csv)],
        parquet: [await dated(written.parquet)],
      },
      documents: [schemaFile],
    };
    const manifestPath = dimensionManifestPath(domain, dimension.name);
    const file = await staging.write(manifestPath, documentText(manifest));
    entries.push({
      key: `${domain}/_dimensions/${dimension.name}`,
      release,
      rows,
      path: manifestPath,
      ...file,
    });
  }
  return entries;
}

/** The same bytes under another domain: a link where the disk knows links. */
async function copyWithin(
  staging: Staging,
  dimension: Dimension,
  domain: string,
  name: string,
): Promise<void> {
  const source = path.join(staging.folder, dimensionFolder(dimension.domain, dimension.name), name);
  const target = path.join(staging.folder, dimensionFolder(domain, dimension.name), name);
  await mkdir(path.dirname(target), { recursive: true });
  await link(source, target).catch(() => copyFile(source, target));
}
