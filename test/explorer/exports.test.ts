/** The files that a page saves have the values of the API. */
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { openRows, RowsBuilder } from '../../site/explorer/engine/coded-rows.ts';
import { type ExportFormat, writeExport } from '../../site/explorer/app/explore/exports.ts';

test('a timestamp in UTC has one Z in CSV, and its moment in Parquet', async () => {
  const column = { name: 'at', type: 'timestamp', parquet: 'INT64', utc: true, from: null } as const;
  const builder = new RowsBuilder([column]);
  builder.append([['2024-02-29T00:00:00', null]], 2);
  const manifest = { version: '1.0.0', license: null, attribution: null };
  const write = async (format: ExportFormat) =>
    writeExport(
      {
        table: { kind: 'dataset', name: 'a/b', columns: [column], manifest },
        rows: openRows(builder.build()),
        workbook: () => Promise.reject(new Error('no workbook')),
        signal: new AbortController().signal,
        onRows: () => undefined,
      },
      format,
    );
  expect(await (await write('csv')).text()).toBe('at\r\n2024-02-29T00:00:00Z\r\n\r\n');
  const file = await (await write('parquet')).arrayBuffer();
  expect(await parquetReadObjects({ file })).toEqual([
    { at: new Date('2024-02-29T00:00:00Z') },
    { at: null },
  ]);
});
