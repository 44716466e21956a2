/** Writes the documents of the dimensions, and a copy of each under every domain that joins it. */
import { documentText } from '../catalog/document-text.ts';
import { dimensionDocument } from '../catalog/schema-document.ts';
import type { DimensionManifest } from '../format/manifest.ts';
import { dimensionFolder, dimensionManifestPath } from '../format/paths.ts';
import type { PlacedDimension } from '../plan/placed-dimensions.ts';
import { dimensionRowColumns } from '../slice/row-columns.ts';
import type { WrittenRows } from '../slice/rows-writer.ts';
import type { DimensionRecord } from '../tree/published-records.ts';
import { type Assembly, stampOf } from './assembly.ts';
import { writeReleaseChanges } from './release-changes.ts';
import { DIMENSION_DOCUMENTS, writeRegistered } from './table-register.ts';

export async function writeDimension(
  { dimension, home, domains }: PlacedDimension,
  assembly: Assembly,
): Promise<DimensionRecord[]> {
  const { staging, compiled } = assembly;
  const { publisher } = compiled.contracts;
  const written = assembly.written.dimension(dimension.key);
  const { release } = written;
  const stamp = stampOf(release, compiled);
  const rows = written.parquet.rows;
  const made = {
    schema: dimensionDocument(stamp, dimension, home, rows, written.shapes),
    shapes: written.shapes?.text ?? null,
    levels: [],
  };
  const records: DimensionRecord[] = [];
  for (const domain of domains) {
    const folder = dimensionFolder(domain, dimension.name);
    const source = `${assembly.written.folder}/${dimensionFolder(home, dimension.name)}`;
    const dated = <File extends WrittenRows>(file: File) =>
      staging.take(`${folder}/${file.path}`, file, `${source}/${file.path}`);
    const name = [domain, dimension.name] as const;
    const manifestPath = dimensionManifestPath(...name);
    const documents = await writeRegistered(DIMENSION_DOCUMENTS, made, name, manifestPath, staging);
    const key = `${domain}/_dimensions/${dimension.name}`;
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
        parquet: [await dated(written.parquet)],
      },
      documents: [],
    };
    const changes = await writeReleaseChanges(
      {
        key,
        homes: [home, ...domains].map(one => `${one}/_dimensions/${dimension.name}`),
        title: null,
        manifest: described,
        schema: null,
        columns,
        errata: [],
        metadata: {
          subject: { dimension: dimension.name },
          version: dimension.version,
          publisher,
          sample: compiled.inventory.sample,
        },
        forget: [],
      },
      assembly,
    );
    const manifest: DimensionManifest = { ...described, documents: [...documents, ...changes] };
    const file = await staging.write(manifestPath, documentText(manifest));
    records.push({
      domain,
      schema: made.schema,
      entry: { key, release, rows, path: manifestPath, ...file },
      manifest,
    });
  }
  return records;
}
