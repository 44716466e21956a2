/** Writes the documents of the dimensions, and a copy of each under every domain that joins it. */
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { dimensionDocument } from '../catalog/dimension-document.ts';
import { documentText } from '../catalog/document-text.ts';
import type { Contracts } from '../contract/dataset.ts';
import { FORMAT } from '../format/documents.ts';
import type { DimensionManifest, PublishedFile } from '../format/manifest.ts';
import {
  dimensionFolder,
  dimensionManifestPath,
  dimensionSchemaPath,
  dimensionShapesPath,
} from '../format/paths.ts';
import { dimensionFiles, type PlacedDimension } from '../plan/dimension-plan.ts';
import { dimensionRowColumns } from '../slice/row-columns.ts';
import type { WrittenRows } from '../slice/rows-writer.ts';
import type { WrittenDimension } from '../slice/slice-stage.ts';
import type { PreviousTree } from '../tree/previous-tree.ts';
import type { DimensionRecord } from '../tree/published-records.ts';
import type { Staging } from '../tree/staging.ts';
import type { EarlierReleases } from './earlier-releases.ts';
import { writeReleaseChanges } from './release-changes.ts';

export async function writeDimension(
  {
    staging,
    contracts,
    sample,
    earlier,
  }: {
    readonly staging: Staging;
    readonly contracts: Contracts;
    readonly sample: boolean;
    readonly earlier: EarlierReleases;
  },
  { dimension, home, domains }: PlacedDimension,
  written: WrittenDimension,
): Promise<DimensionRecord[]> {
  const { release } = written;
  const stamp = { format: FORMAT, release, ...(sample ? { sample: true as const } : {}) };
  const rows = written.parquet.rows;
  const schema = documentText(dimensionDocument(stamp, dimension, home, rows, written.shapes));
  const records: DimensionRecord[] = [];
  for (const domain of domains) {
    const folder = dimensionFolder(domain, dimension.name);
    const dated = async <File extends WrittenRows>(file: File) => {
      if (domain !== home) await copyWithin(staging, dimension.name, [home, domain], file.path);
      return staging.add(`${folder}/${file.path}`, file);
    };
    const schemaFile: PublishedFile = {
      path: 'schema.json',
      ...(await staging.write(dimensionSchemaPath(domain, dimension.name), schema)),
    };
    const { shapes } = written;
    const shapesFile: PublishedFile[] =
      shapes === null
        ? []
        : [
            {
              path: 'shapes.json',
              ...(await staging.write(dimensionShapesPath(domain, dimension.name), shapes.text)),
            },
          ];
    const parquet = await dated(written.parquet);
    const key = `${domain}/_dimensions/${dimension.name}`;
    const { publisher } = contracts;
    const columns = dimensionRowColumns(dimension);
    const described: DimensionManifest = {
      ...stamp,
      dimension: dimension.name,
      version: dimension.version,
      schema_hash: dimension.schemaHash,
      license: publisher.license,
      attribution: publisher.attribution,
      rows,
      columns: columns.map(column => column.row),
      order: dimension.primaryKey,
      key_columns: dimension.primaryKey,
      files: {
        json: await Promise.all(written.json.map(dated)),
        csv: await Promise.all(written.csv.map(dated)),
        parquet: [parquet],
      },
      documents: [],
    };
    const changes = await writeReleaseChanges(
      staging,
      {
        key,
        homes: [home, ...domains].map(one => `${one}/_dimensions/${dimension.name}`),
        title: null,
        manifest: described,
        schema: null,
        columns,
        errata: [],
        metadata: { subject: { dimension: dimension.name }, version: dimension.version, publisher, sample },
        forget: [],
      },
      earlier,
    );
    const manifest: DimensionManifest = {
      ...described,
      documents: [schemaFile, ...shapesFile, ...changes],
    };
    const manifestPath = dimensionManifestPath(domain, dimension.name);
    const file = await staging.write(manifestPath, documentText(manifest));
    records.push({ domain, entry: { key, release, rows, path: manifestPath, ...file }, manifest });
  }
  return records;
}

/** Carries over an unchanged dimension under all its domains. */
export async function carryDimension(
  staging: Staging,
  previous: PreviousTree,
  { dimension, domains }: PlacedDimension,
): Promise<DimensionRecord[]> {
  const records: DimensionRecord[] = [];
  for (const domain of domains) {
    const key = `${domain}/_dimensions/${dimension.name}`;
    const manifest = previous.dimensions.get(key);
    const path = dimensionManifestPath(domain, dimension.name);
    if (manifest === undefined) throw new Error(`${path} is not in the previous tree.`);
    const folder = dimensionFolder(domain, dimension.name);
    await staging.carryAll(
      dimensionFiles(manifest).map(file => `${folder}/${file.path}`),
      previous,
    );
    const file = await staging.carry(path, previous);
    records.push({
      domain,
      entry: { key, release: manifest.release, rows: manifest.rows, path, ...file },
      manifest,
    });
  }
  return records;
}

/** Copies a file to another domain. It does not link: each file keeps its own time. */
async function copyWithin(
  staging: Staging,
  dimension: string,
  [from, to]: readonly [string, string],
  name: string,
): Promise<void> {
  const source = path.join(staging.folder, dimensionFolder(from, dimension), name);
  const target = path.join(staging.folder, dimensionFolder(to, dimension), name);
  await mkdir(path.dirname(target), { recursive: true });
  await copyFile(source, target);
}
