/** The example of a dataset's rows in openapi.json. */
import type { RowsExample } from '../catalog/openapi-document.ts';
import type { DatasetRecord } from '../catalog/tree-description.ts';
import type { Json } from '../format/json.ts';
import { datasetFolder, NO_YEAR } from '../format/paths.ts';
import type { SessionSource } from '../lake/database.ts';
import { parquetRows } from '../lake/sql.ts';
import { sliceEnvelope } from '../slice/page-envelope.ts';
import { jsonRow, UNKNOWN_TEXT } from '../slice/text-sql.ts';
import type { Staging } from '../tree/staging.ts';

/** A longer row is no example. */
const MOST_CHARACTERS = 1 << 18;

/** The first row of the default level's latest year, as the API answers it. */
export async function rowsExample(
  { schema, manifest }: DatasetRecord,
  staging: Staging,
  session: SessionSource,
): Promise<RowsExample> {
  const slice =
    manifest.slices.filter(one => one.detail === schema.default_detail).at(-1) ?? manifest.slices.at(-1);
  const year = slice === undefined || slice.year === NO_YEAR ? '' : `year=${slice.year}&`;
  const url = `${schema.endpoint}?${year}detail=${slice?.detail}&limit=1`;
  if (slice === undefined) return { url, body: null };
  const files = slice.files.parquet.map(({ path }) =>
    staging.locate(`${datasetFolder(schema.main_topic, schema.topic)}/${path}`),
  );
  const columns = manifest.columns.map(column => ({ column }));
  const [first] = await (await session()).rows<{ row: string }>(
    `SELECT ${jsonRow(columns, () => UNKNOWN_TEXT)} AS row FROM ${parquetRows(files)} LIMIT 1`,
  );
  if (first === undefined || first.row.length > MOST_CHARACTERS) return { url, body: null };
  const next = slice.rows > 1 ? `${url}&offset=1` : null;
  const envelope = sliceEnvelope(manifest, slice, slice.release, {
    total: slice.rows,
    offset: 0,
    count: 1,
    next,
  });
  return { url, body: { ...envelope, limit: 1, data: [JSON.parse(first.row) as Json] } };
}
