/** Writes the documents of the dimensions, and a copy of each under every domain that joins it. */
import { dimensionDocument } from '../catalog/schema-document.ts';
import type { DimensionRecord } from '../catalog/tree-description.ts';
import { dimensionFolder } from '../format/paths.ts';
import type { PlacedDimension } from '../plan/placed-dimensions.ts';
import { dimensionRowColumns } from '../slice/row-columns.ts';
import type { WrittenRows } from '../slice/rows-writer.ts';
import { type Assembly, stampOf } from './assembly.ts';
import { DIMENSION_DOCUMENTS, writeRegistered } from './register.ts';
import { describeTable, publishTable } from './released-table.ts';

export async function writeDimension(
  { dimension, home, domains }: PlacedDimension,
  assembly: Assembly,
): Promise<DimensionRecord[]> {
  const { staging, compiled } = assembly;
  const { name } = dimension;
  const written = assembly.written.dimension(dimension.key);
  const stamp = stampOf(written.release, compiled);
  const rows = written.parquet.rows;
  const schema = dimensionDocument(stamp, dimension, home, rows, written.shapes);
  const made = { schema, shapes: written.shapes?.text ?? null };
  const columns = dimensionRowColumns(dimension);
  const records: DimensionRecord[] = [];
  for (const domain of domains) {
    const folder = dimensionFolder(domain, name);
    const source = `${assembly.written.folder}/${dimensionFolder(home, name)}`;
    const dated = <File extends WrittenRows>(file: File) =>
      staging.take(`${folder}/${file.path}`, file, `${source}/${file.path}`);
    const published = await publishTable(
      {
        key: `${domain}/_dimensions/${name}`,
        homes: [home, ...domains].map(one => `${one}/_dimensions/${name}`),
        title: null,
        manifest: {
          ...stamp,
          dimension: name,
          ...describeTable(dimension, columns, rows, compiled.contracts.publisher),
          order: dimension.primaryKey,
          key_columns: dimension.primaryKey,
          files: {
            json: await Promise.all(written.json.map(dated)),
            csv: await Promise.all(written.csv.map(dated)),
            parquet: [await dated(written.parquet)],
          },
          documents: await writeRegistered(DIMENSION_DOCUMENTS, made, [domain, name], staging),
        },
        schema: null,
        columns,
        errata: [],
        forget: [],
      },
      assembly,
    );
    records.push({ domain, schema, ...published });
  }
  return records;
}
