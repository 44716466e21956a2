/** Row groups kept in memory give the values that they were made of. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowColumn } from '../../build/format/manifest.ts';
import { PackedGroup } from '../../site/edge/executors/packed-group.ts';

const column = (name: string, parquet: RowColumn['parquet']): RowColumn => ({
  name,
  type: parquet === 'BYTE_ARRAY' ? 'string' : parquet === 'BOOLEAN' ? 'boolean' : 'number',
  parquet,
  from: null,
});

const COLUMNS = [
  column('whole', 'INT32'),
  column('number', 'DOUBLE'),
  column('text', 'BYTE_ARRAY'),
  column('flag', 'BOOLEAN'),
];

test('any values, NULL among them, come back as they were', () => {
  const row = fc.tuple(
    fc.option(fc.integer()),
    fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => (value === 0 ? 0 : value))),
    fc.option(fc.string({ unit: 'binary', maxLength: 4 })),
    fc.option(fc.boolean()),
  );
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), fc.array(fc.nat(59)), (rows, picked) => {
      const values = COLUMNS.map((_, position) => rows.map(one => one[position]!));
      const group = PackedGroup.pack(COLUMNS, values)!;
      const wanted = picked.filter(index => index < rows.length);
      for (const position of COLUMNS.keys()) {
        expect(Array.from(group.column(position))).toEqual(values[position]);
        expect(group.pick(position, wanted)).toEqual(wanted.map(index => values[position]![index]));
      }
    }),
  );
});

test('more distinct texts than 16 bits can number are not packed', () => {
  const texts = Array.from({ length: 65_537 }, (_, i) => String(i));
  expect(PackedGroup.pack([COLUMNS[2]!], [texts])).toBeNull();
  expect(PackedGroup.pack([COLUMNS[2]!], [texts.slice(1)])?.column(0)[65_535]).toBe('65536');
});
