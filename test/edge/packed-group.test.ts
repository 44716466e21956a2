/** Row groups kept in memory give the values that they were made of. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeptText } from '../../site/edge/executors/kept-text.ts';
import { PackedBatch } from '../../site/edge/executors/packed-batch.ts';
import { PackedGroup } from '../../site/edge/executors/packed-group.ts';
import { encodeCsvValue } from '../../site/query/encode.ts';
import { column } from './tree/rows.ts';

const COLUMNS = [
  column('whole', 'INT32'),
  column('number', 'DOUBLE'),
  column('text'),
  column('flag', 'BOOLEAN'),
];

test('more distinct texts than 16 bits can number are not packed', () => {
  const texts = Array.from({ length: 65_537 }, (_, i) => String(i));
  expect(PackedGroup.pack([COLUMNS[2]!], [texts])).toBeNull();
  expect(PackedGroup.pack([COLUMNS[2]!], [texts.slice(1)])?.column(0)[65_535]).toBe('65536');
});

test('the lines of kept rows are those that an encoder makes, however they are picked and cut', () => {
  const row = fc.tuple(
    fc.option(fc.integer()),
    fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.option(
      fc.oneof(fc.constantFrom('', 'é,"', 'two\r\nlines', '\n'), fc.string({ unit: 'binary', maxLength: 4 })),
    ),
    fc.option(fc.boolean()),
  );
  const rows = fc.array(row, { minLength: 1, maxLength: 200 });
  const picks = fc.option(fc.uniqueArray(fc.nat(199)).map(list => list.sort((a, b) => a - b)));
  fc.assert(
    fc.property(rows, picks, fc.nat(), fc.nat(), (rows, picks, a, b) => {
      const values = COLUMNS.map((_, position) => rows.map(one => one[position]!));
      const group = PackedGroup.pack(COLUMNS, values)!;
      const picked = picks?.filter(index => index < rows.length) ?? null;
      // So little memory that blocks are dropped again, and enough for all.
      for (const text of [new KeptText(2000), new KeptText(1 << 20)]) {
        const whole = new PackedBatch({ key: 'group', group, columns: COLUMNS }, text, picked);
        const [one, other] = [a % (whole.rows + 1), b % (whole.rows + 1)];
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const batch = whole.cut(from, to);
        const wanted = (picked ?? rows.map((_, index) => index)).slice(from, to);
        expect(batch.columns).toEqual(values.map(column => wanted.map(index => column[index])));
        for (const kind of ['json', 'csv', 'json'] as const) {
          const lines = Buffer.concat(batch.lines!(kind)).toString();
          const encode = (row: (typeof rows)[number]) =>
            kind === 'csv'
              ? `${row.map(value => encodeCsvValue(value)).join(',')}\r\n`
              : `${JSON.stringify(Object.fromEntries(COLUMNS.map(({ name }, i) => [name, row[i]])))},\n`;
          const expected = wanted.map(index => encode(rows[index]!));
          expect(lines).toBe(expected.join(''));
        }
      }
    }),
  );
});
