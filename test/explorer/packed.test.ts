import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ColumnType } from '../../build/format/documents.ts';
import { decodeArrow, encodeArrow } from '../../site/explorer/engine/duckdb.ts';
import {
  openPacked,
  orderRows,
  PackedBuilder,
  type PackedTable,
  packedBuffers,
  takeRows,
} from '../../site/explorer/engine/packed-table.ts';
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
function pack({ types, rows }: Columns): PackedTable {
  const builder = new PackedBuilder(types.map((type, i) => ({ name: `c${i}`, type, wide: true })));
  const half = rows.length >> 1;
  for (const part of [rows.slice(0, half), rows.slice(half)])
    builder.append(
      types.map((_, i) => part.map(row => row[i]!)),
      part.length,
    );
  return builder.build();
}

function unpack(table: PackedTable): Value[][] {
  const { rows, columns, cell } = openPacked(table);
  return Array.from({ length: rows }, (_, row) => columns.map((_column, i) => cell(row, i)));
}

describe('packed rows', () => {
  test('have their values, can be picked by position, and convert to Arrow and back', () => {
    fc.assert(
      fc.property(tables, columns => {
        const rows = columns.rows.map(row => [...row]);
        const packed = pack(columns);
        expect(unpack(packed)).toEqual(rows);
        expect(unpack(takeRows(packed, Uint32Array.from(rows.keys()).reverse()))).toEqual(rows.toReversed());
        const plain = (value: unknown) =>
          typeof value === 'bigint' ? Number(value) : ((value ?? null) as Value);
        const crossed = [...decodeArrow([encodeArrow(packed)])].flatMap(batch =>
          Array.from({ length: batch.rows }, (_, row) => batch.columns.map(column => plain(column[row]))),
        );
        expect(crossed).toEqual(rows);
      }),
    );
  });

  test('are in the order of the API, and reversed where a column descends', () => {
    fc.assert(
      fc.property(tables, fc.boolean(), (columns, descending) => {
        for (const position of columns.types.keys()) {
          const wanted = [...columns.rows.entries()].sort(([i, a], [j, b]) => {
            const sign = compareValues(a[position]!, b[position]!);
            return (descending ? -sign : sign) || i - j;
          });
          expect([...orderRows(pack(columns), position, descending)]).toEqual(wanted.map(([i]) => i));
        }
      }),
    );
  });

  test('more texts than two bytes can count', () => {
    const texts = Array.from({ length: 70_000 }, (_, i) => (i % 7 === 0 ? null : `t${i}`));
    const packed = pack({ types: ['string'], rows: texts.map(text => [text]) });
    expect(unpack(packed).map(([text]) => text)).toEqual(texts);
    expect(packedBuffers(packed)).toHaveLength(1);
  });
});
