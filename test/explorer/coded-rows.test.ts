/** Rows of codes in the browser, and the files that a page saves of them. */
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import type { ColumnType } from '../../build/format/documents.ts';
import { type ExportFormat, writeExport } from '../../site/explorer/app/explore/exports.ts';
import { decodeArrow, encodeArrow } from '../../site/explorer/engine/duckdb.ts';
import {
  buffersOf,
  type CodedRows,
  openRows,
  RowsBuilder,
  sortRows,
} from '../../site/explorer/engine/coded-rows.ts';
import { compareValues, type Value } from '../../site/query/order.ts';

interface Columns {
  readonly types: readonly ColumnType[];
  readonly rows: readonly (readonly Value[])[];
}

const VALUES = {
  string: fc.oneof(fc.constantFrom('', 'a', 'b', '\ue000', '𝒳', 'é'), fc.string({ unit: 'grapheme' })),
  integer: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.maxSafeInteger()),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0),
  boolean: fc.boolean(),
  date: fc.constantFrom('1999-12-31', '2024-02-29', '2024-03-01'),
  timestamp: fc.constantFrom('2024-02-29T00:00:00', '2024-02-29T00:00:00.5', '2024-03-01T12:00:00'),
} satisfies Record<ColumnType, fc.Arbitrary<Value>>;

const TYPES = Object.keys(VALUES) as ColumnType[];
const tables: fc.Arbitrary<Columns> = fc
  .array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 4 })
  .chain(types => {
    const row = fc.tuple(...types.map(type => fc.option<Value>(VALUES[type], { freq: 4 })));
    return fc.array(row, { maxLength: 70 }).map(rows => ({ types, rows }));
  });

/** In two batches, like row groups. */
const named = (types: readonly ColumnType[]) => types.map((type, i) => ({ name: `c${i}`, type }));

function code({ types, rows }: Columns): CodedRows {
  const builder = new RowsBuilder(named(types));
  const half = rows.length >> 1;
  for (const part of [rows.slice(0, half), rows.slice(half)])
    builder.append(
      types.map((_, i) => part.map(row => row[i]!)),
      part.length,
    );
  return builder.build();
}

function valuesOf(table: CodedRows): Value[][] {
  const { rows, columns, cell } = openRows(table);
  return Array.from({ length: rows }, (_, row) => columns.map((_column, i) => cell(row, i)));
}

describe('rows of codes', () => {
  test('have their values, and cross to Arrow and back as texts', () => {
    fc.assert(
      fc.property(tables, columns => {
        const table = code(columns);
        const rows = columns.rows.map(row => [...row]);
        expect(valuesOf(table)).toEqual(rows);
        const names = table.columns.map(({ name }) => name);
        const crossed = decodeArrow(encodeArrow(table.columns, table.rows), names);
        const texts = rows.map(row => row.map(value => (value === null ? null : String(value))));
        expect(valuesOf(crossed)).toEqual(texts);
      }),
    );
  });

  test('are sorted in the order of the API, and reversed where a column descends', () => {
    fc.assert(
      fc.property(tables, fc.boolean(), (columns, descending) => {
        for (const position of columns.types.keys()) {
          const wanted = [...columns.rows].sort((a, b) => {
            const sign = compareValues(a[position]!, b[position]!);
            return descending ? -sign : sign;
          });
          expect(valuesOf(sortRows(code(columns), position, descending))).toEqual(wanted);
        }
      }),
    );
  });

  test('more values than two bytes can count', () => {
    const texts = Array.from({ length: 70_000 }, (_, i) => (i % 7 === 0 ? null : `t${i}`));
    const table = code({ types: ['string'], rows: texts.map(text => [text]) });
    expect(valuesOf(table).map(([text]) => text)).toEqual(texts);
    expect(buffersOf(table)).toHaveLength(1);
  });

  test('timestamps in UTC show a Z that they are not sorted by', () => {
    const builder = new RowsBuilder([{ name: 'at', type: 'timestamp', utc: true }]);
    builder.append([['2024-02-29T00:00:00.5', null, '2024-02-29T00:00:00']], 3);
    const sorted = sortRows(builder.build(), 0, false);
    expect(valuesOf(sorted).flat()).toEqual([null, '2024-02-29T00:00:00Z', '2024-02-29T00:00:00.5Z']);
  });
});

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
