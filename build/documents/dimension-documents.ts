/** Writes the documents of the dimensions, and a copy of each under every domain that joins it. */
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
import type { PlacedDimension } from '../plan/placed-dimensions.ts';
import type { WrittenDimension } from '../slice/dimension-rows.ts';
import { dimensionRowColumns } from '../slice/row-columns.ts';
import type { WrittenRows } from '../slice/rows-writer.ts';
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
    folder: made,
  }: {
    readonly staging: Staging;
    readonly contracts: Contracts;
    readonly sample: boolean;
    readonly earlier: EarlierReleases;
    /** Where its rows are, in the folder that it has at home. */
    readonly folder: string;
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
    const source = `${made}/${dimensionFolder(home, dimension.name)}`;
    const dated = <File extends WrittenRows>(file: File) =>
      staging.take(`${folder}/${file.path}`, file, `${source}/${file.path}`);
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
