/** The example of a dataset's rows in openapi.json. */
import { open } from 'node:fs/promises';
import type { RowsExample } from '../catalog/openapi-document.ts';
import type { DatasetRecord } from '../catalog/tree-description.ts';
import type { Json } from '../format/json.ts';
import type { RowColumn } from '../format/manifest.ts';
import { datasetFolder, NO_YEAR } from '../format/paths.ts';
import type { Session, SessionSource } from '../lake/database.ts';
import { parquetRows } from '../lake/sql.ts';
import { sliceEnvelope } from '../slice/page-envelope.ts';
import { jsonRow, UNKNOWN_TEXT } from '../slice/text-sql.ts';
import type { Staging } from '../tree/staging.ts';

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
  const files = datasetFolder(schema.main_topic, schema.topic);
  const [page] = slice.files.json;
  const [parquet] = slice.files.parquet;
  const row =
    page !== undefined
      ? await storedRow(staging.locate(`${files}/${page.path}`))
      : parquet !== undefined
        ? await firstRow(await session(), staging.locate(`${files}/${parquet.path}`), manifest.columns)
        : null;
  if (row === null) return { url, body: null };
  const next = slice.rows > 1 ? `${url}&offset=1` : null;
  const envelope = sliceEnvelope(manifest, slice, slice.release, {
    total: slice.rows,
    offset: 0,
    count: 1,
    next,
  });
  return { url, body: { ...envelope, limit: 1, data: [JSON.parse(row) as Json] } };
}

/** Room for the head of a page and its first row. */
const HEAD_BYTES = 1 << 18;

/** Reads the first row of a stored page, the line after its head; null if the row is too long for an example. */
async function storedRow(file: string): Promise<string | null> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [, row = null, ...rest] = buffer.toString('utf8', 0, bytesRead).split('\n');
    return row === null || rest.length === 0 ? null : row.replace(/,$/, '');
  } finally {
    await handle.close();
  }
}

/** The first row as the text of a JSON object; null if the file has no rows. */
async function firstRow(
  session: Session,
  file: string,
  columns: readonly RowColumn[],
): Promise<string | null> {
  const row = jsonRow(
    columns.map(column => ({ column })),
    () => UNKNOWN_TEXT,
  );
  const [first] = await session.rows<{ row: string }>(
    `SELECT ${row} AS row FROM ${parquetRows([file])} LIMIT 1`,
  );
  return first?.row ?? null;
}
