/** `missing_values`: values that a contract reads as NULL, in every format of the lake. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildPublisher, refusal } from '../publishers/built-tree.ts';
import { column, contractHead } from '../publishers/contract-text.ts';
import { type Lake, newPublisher, type PublisherFolder, writeTexts } from '../publishers/publisher-folder.ts';

const MISSING: Readonly<Record<string, string>> = {
  income: '[-666666666, "*", <10, 99.9]',
  rate: '[99.9, -9, TFS]',
  note: '[n. a., 0]',
  checked: "['1900-01-01', nie]",
};
const MISSED = [
  'income integer metric',
  'rate number metric',
  'note string categorical',
  'checked date categorical',
];
const contract = (missing = MISSING) => `${contractHead('air.readings')}schema:
  - name: readings
    customProperties: [{ property: grain, value: [year, code] }]
    properties:${[
      column('year', 'integer', 'year', true),
      column('code', 'string', 'categorical', true),
      ...MISSED.map(one => {
        const [name = '', type = '', role = ''] = one.split(' ');
        return column(name, type, `${role} }, { property: missing_values, value: ${missing[name]}`);
      }),
    ].join('')}
`;

const ROWS = [
  ['2024', 'a', '-666666666', '99.90', 'n. a.', '1900-01-01'],
  ['2024', 'b', '12', '-9', '0', '2024-02-01'],
  ['2024', 'c', ' * ', '0.5', 'N. A.', 'nie'],
  ['2024', 'd', '<10', 'TFS', 'wet', ''],
];
const HEADER = ['year', 'code', 'income', 'rate', 'note', 'checked'];
const text = (delimiter: string) => `${[HEADER, ...ROWS].map(row => row.join(delimiter)).join('\n')}\n`;
const READ = `year,code,income,rate,note,checked\r
2024,a,,,,\r
2024,b,12,,,2024-02-01\r
2024,c,,0.5,N. A.,\r
2024,d,,,wet,\r
`;
/** Numbers have no texts among them in Parquet. */
const TYPED = (number: string) =>
  `SELECT * FROM (VALUES (2024, 'a', -666666666, 99.9::${number}, 'n. a.', DATE '1900-01-01'), (2024, 'b', 12, -9, '0', '2024-02-01'), (2024, 'c', NULL, 0.5, 'N. A.', NULL), (2024, 'd', NULL, NULL, 'wet', NULL)) t(${HEADER.join(', ')})`;

const publisher = (lake: Lake) => newPublisher({ 'readings.yaml': contract() }, lake);

const published = async ({ out }: PublisherFolder) =>
  readFile(path.join(out, 'api/v1/air/readings/year=2024/all.csv'), 'utf8');

const object = (row: readonly string[]) =>
  Object.fromEntries(row.map((value, i) => [HEADER[i], /^-?\d+$/.test(value) ? Number(value) : value]));

test.each([
  ['readings.csv', text(';')],
  ['readings.jsonl', ROWS.map(row => JSON.stringify(object(row))).join('\n')],
  ['readings.parquet', TYPED('DOUBLE')],
  ['air/readings/year=2024/all.parquet', TYPED('FLOAT')],
  ['air/readings/year=2024/all.parquet', TYPED('DECIMAL(9, 2)')],
])('%s %s', async (name, content) => {
  const folder = await publisher({ [name]: content });
  await buildPublisher(folder);
  expect(await published(folder)).toBe(READ);
});

test('a table is read again if its missing values change, and the message about a text names them', async () => {
  const folder = await publisher({ 'readings.csv': text(',') });
  const write = (missing: typeof MISSING) =>
    writeTexts(folder.contracts, { 'readings.yaml': contract(missing) });
  await write({ ...MISSING, income: '[-666666666, "*"]' });
  const { diagnostics } = await refusal(folder);
  expect(diagnostics.filter(one => one.severity === 'error').map(one => one.message)).toEqual([
    expect.stringMatching(
      /Column income is integer .* "<10" on line 5\. .*\{ property: missing_values, value: \["<10"\] \}/,
    ),
  ]);
  await write({ ...MISSING, note: '[none]' });
  await buildPublisher(folder);
  expect(await published(folder)).toContain('2024,a,,,n. a.,');
  await write(MISSING);
  await buildPublisher(folder);
  expect(await published(folder)).toBe(READ);
});
