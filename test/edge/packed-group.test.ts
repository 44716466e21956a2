/** Row groups kept in memory give the values that they were made of. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { RowColumn } from '../../build/format/manifest.ts';
import { KeptText } from '../../site/edge/executors/kept-text.ts';
import { mergeLanes } from '../../site/edge/executors/merged-lanes.ts';
import { PackedBatch } from '../../site/edge/executors/packed-batch.ts';
import { PackedGroup } from '../../site/edge/executors/packed-group.ts';
import { encodeCsvValue } from '../../site/query/encode.ts';

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

test('the lines of kept rows are those that an encoder makes, however they are picked and cut', () => {
  const row = fc.tuple(
    fc.option(fc.integer()),
    fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.option(fc.constantFrom('', 'a', 'é,"', 'two\r\nlines', '\n', '"', 'Ω')),
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
        const [from, to] = [a % (whole.rows + 1), b % (whole.rows + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const batch = whole.cut(from, to);
        const wanted = (picked ?? rows.map((_, index) => index)).slice(from, to);
        expect(batch.columns).toEqual(values.map(column => wanted.map(index => column[index])));
        for (const kind of ['json', 'csv', 'json'] as const) {
          const lines = Buffer.concat(batch.lines!(kind)).toString();
          const expected = wanted.map(index =>
            kind === 'json'
              ? `${JSON.stringify(Object.fromEntries(COLUMNS.map(({ name }, i) => [name, rows[index]![i]])))},\n`
              : `${rows[index]!.map(value => encodeCsvValue(value)).join(',')}\r\n`,
          );
          expect(lines).toBe(expected.join(''));
        }
      }
    }),
  );
});

test('a merge of kept rows makes every value once', async () => {
  const values = ['a', 'b'].map(code =>
    Array.from({ length: 500 }, (_, i) => `${String(i).padStart(3, '0')}${code}`),
  );
  let made = 0;
  const lanes = values.map((texts, index) => {
    const group = PackedGroup.pack([COLUMNS[2]!], [texts])!;
    const pick = group.pick.bind(group);
    vi.spyOn(group, 'pick').mockImplementation((position, rows) => {
      made += rows.length;
      return pick(position, rows);
    });
    return [new PackedBatch({ key: `lane ${index}`, group, columns: [COLUMNS[2]!] }, new KeptText(0), null)];
  });
  const merged: unknown[] = [];
  const batches = mergeLanes(
    lanes.map(async function* (lane) {
      yield* lane;
    }),
    [0],
    1,
  );
  for await (const { columns } of batches) merged.push(...Array.from(columns[0]!));
  expect(merged).toEqual(values.flat().sort());
  expect(made).toBe(1000);
});
