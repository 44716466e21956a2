/** What the texts of a column are read as, or what is asked: one row for each way of writing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_FORM } from '../../build/contract/text-form.ts';
import type { ColumnType } from '../../build/format/documents.ts';
import { Database, type Session } from '../../build/lake/database.ts';
import { literal } from '../../build/lake/sql.ts';
import type { TextColumn } from '../../build/lake/text-cells.ts';
import { readColumnsOf } from '../../build/lake/text-values.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

interface Said {
  readonly decimal?: '.' | ',';
  readonly group?: '.' | ',' | ' ' | "'";
  readonly format?: string;
  readonly zone?: string;
  readonly utc?: boolean;
  readonly hasNumbers?: boolean;
  readonly isSmall?: boolean;
}

const stated = (type: ColumnType, said: Said = {}): Omit<TextColumn, 'text'> => {
  const { utc = false, hasNumbers, isSmall, ...form } = said;
  return {
    type,
    stated: { physical: utc ? 'timestamptz' : 'string', form: { ...NO_FORM, ...form } },
    ...(hasNumbers === undefined ? {} : { hasNumbers }),
    ...(isSmall === undefined ? {} : { isSmall }),
  };
};

let database: Database;
let session: Session;
beforeAll(async () => {
  const temporary = await temporaryFolder();
  database = await Database.open({ threads: 1, memoryLimit: '400MB', temporaryFolder: temporary });
  session = await database.connect();
});
afterAll(() => database.close());

/** Values of the first column as text, or the kind of doubt and its answers, separated by bars. Other columns are numbers. */
async function read(column: Omit<TextColumn, 'text'>, ...columns: readonly string[]): Promise<string> {
  const cells = columns.map(one => one.split(' | '));
  const rows = cells[0]!.map((_, i) => `(${cells.map(one => literal(one[i] ?? '')).join(', ')})`);
  const names = cells.map((_, i) => `c${i}`);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE t AS SELECT * FROM (VALUES ${rows.join(', ')}) v(${names.join(', ')})`,
  );
  const texts = names.map((text, i) => ({ text, ...(i === 0 ? column : stated('number')) }));
  const [reading] = await readColumnsOf(session, 'temp.main.t', texts);
  const { doubt, value } = reading!;
  if (doubt !== null)
    return [doubt.kind, ...doubt.answers.map(({ yaml, means }) => `${yaml} ${means}`)].join(' | ');
  const found = await session.rows<{ v: string | null }>(`SELECT (${value})::VARCHAR AS v FROM t`);
  return found.map(({ v }) => v ?? 'NULL').join(' | ');
}

const mark = (name: string, value: string, means: string) =>
  `- { property: ${name}, value: "${value}" } ${means}`;
const COMMA = (asDecimal: string, asGroup: string) =>
  ['ambiguous', mark('decimal', ',', asDecimal), mark('group', ',', asGroup)].join(' | ');
const POINT = (asGroup: string, asDecimal: string) =>
  ['ambiguous', mark('group', '.', asGroup), mark('decimal', '.', asDecimal)].join(' | ');

/** Values of the column, and how they are read, separated by bars. */
type Row = readonly [cells: string, wanted: string, said?: Said];

const NUMBERS: readonly Row[] = [
  ['1.5 | 2 |  | NA | - | .5 | 5. | +1 | 1e3', '1.5 | 2.0 | NULL | NULL | NULL | 0.5 | 5.0 | 1.0 | 1000.0'],
  ['854,667 | 12,100', COMMA('854.667', '854667')],
  ['12,100 | 5', COMMA('12.100', '12100')],
  ['854,667 | 12,345.6', '854667.0 | 12345.6'],
  ['854,667 | 1,234,567', '854667.0 | 1234567.0'],
  ['12,100 | 0.5', '12100.0 | 0.5'],
  ['12,100 | 1,5', '12.1 | 1.5'],
  ['1.204 | 21.500', POINT('1204', '1.204')],
  ['1.204 | 3.5', '1.204 | 3.5'],
  ['1.204 | 0.123', '1.204 | 0.123'],
  ['1.204 | 1234.567', '1.204 | 1234.567'],
  ['1.204 | 1.234,5', '1204.0 | 1234.5'],
  ['-1.204,50 | 3', '-1204.5 | 3.0'],
  ['1,5 | 1.5', 'unread'],
  ['2\u00a0145\u00a0906 | 12\u202f100 | 5\u2009000,5 | 7 500', '2145906.0 | 12100.0 | 5000.5 | 7500.0'],
  ['1 234 | 1,204', '1234.0 | 1.204'],
  ["1'234.50 | 1’000", '1234.5 | 1000.0'],
  ['12,34,567 | 1,00,000.5', '1234567.0 | 100000.5'],
  ['\u22125 | \u20131,5', '-5.0 | -1.5'],
  ['1.204e3 | 2', '1204.0 | 2.0'],
  ['0,123 | 0,5', '0.123 | 0.5'],
  ['1,23,4 | 2', 'unread'],
  ['(5) | 2', 'unread'],
  ['5% | 2', 'unread'],
  ['inf | 2', 'unread'],
  ['854,667 | 12,100', '854667.0 | 12100.0', { group: ',' }],
  ['854,667 | 12,100', '854.667 | 12.1', { decimal: ',' }],
  ['1.204 | 21.500', '1204.0 | 21500.0', { decimal: ',' }],
  ['1.204 | 21.500', '1.204 | 21.5', { decimal: '.' }],
  ['1.204 | 1 000', '1.204 | 1000.0', { group: ' ' }],
  ['1.5 | 2', 'unread', { decimal: ',' }],
  ['33.749 | -84.388', '33.749 | -84.388', { isSmall: true }],
  ['33,749 | -84,388', '33.749 | -84.388', { isSmall: true }],
  ['1.204 | 21.500', '1.204 | 21.5', { hasNumbers: true }],
  ['9007199254740993 | 1', 'inexact'],
  ['9007199254740994.0 | 1', 'inexact'],
  ['-9007199254740991 | 1', '-9007199254740991.0 | 1.0'],
  ['12,345,678,901,234,567,891 | 1', 'inexact'],
  ['0.30000000000000004 | 1e300', '0.30000000000000004 | 1e+300'],
  // As some programs write 0.1 and 33.749.
  ['0.10000000000000001 | -33.74900000000000233', '0.1 | -33.749'],
  ['1.500000000000000000000 | 0.000000000000000000 | 1.000e-20', '1.5 | 0.0 | 1e-20'],
  // An average as PostgreSQL writes it, with more digits than a double has.
  ['33.3333333333333333 | 1234567890123.123456789', '33.333333333333336 | 1234567890123.1235'],
];

const INTEGERS: readonly Row[] = [
  ['1 | 2.0 | 007 | ', '1 | 2 | 7 | NULL'],
  ['1.5 | 2', 'unread'],
  ['12,100 | 854,667', '12100 | 854667'],
  ['12.000 | 5', POINT('12000', '12.000')],
  ['12.000 | 1.234.567', '12000 | 1234567'],
  ['12.000 | 5', '12 | 5', { decimal: '.' }],
  ['1e3 | 2', 'unread'],
  ['12345678901234567891 | 12345678901234567892', 'inexact'],
  ['9007199254740992 | 1', 'inexact'],
];

const BESIDE: readonly (readonly [cells: string, other: string, wanted: string])[] = [
  ['1.204 | 21.500', '0,5 | 3', '1204.0 | 21500.0'],
  ['1.204 | 21.500', '0.5 | 3', '1.204 | 21.5'],
  ['12,100 | 5', '1,234,567 | 3', '12100.0 | 5.0'],
  ['12,100 | 5', '7 | 3', COMMA('12.100', '12100')],
];

test.each(BESIDE)('numbers %s beside %s are %s', async (cells, other, wanted) => {
  expect(await read(stated('number'), cells, other)).toBe(wanted);
  // Columns that write in two ways settle nothing.
  const both = await read(stated('number'), cells, other, '1,5 | 2', '1.5 | 2');
  expect(both).toMatch(/^ambiguous( \| [^|]+){2}$/);
});

test.each([
  ['0.5 | 3', POINT('1234', '1.234')],
  ['0,5 | 3', '1234 | 2500'],
  ['7 | 3', '1234 | 2500'],
])('integers 1.234 and 2.500 beside %s are %s', async (other, wanted) => {
  expect(await read(stated('integer'), '1.234 | 2.500', other)).toBe(wanted);
});

const asked = (...formats: readonly (readonly [format: string, means: string])[]) =>
  [
    'ambiguous',
    ...formats.map(([format, means]) => `logicalTypeOptions: { format: ${format} } ${means}`),
  ].join(' | ');

const DATES: readonly Row[] = [
  [
    '2024-01-15 | 2024-2-3 | 2024-03-01T00:00:00 | 2024-03-02 00:00Z | ',
    '2024-01-15 | 2024-02-03 | 2024-03-01 | 2024-03-02 | NULL',
  ],
  ['2024-01-15 08:00:00 | 2024-02-03', 'unread'],
  ['2024-02-30 | 2024-02-03', 'unread'],
  ['03/04/2024 | 05/06/2024', asked(['dd/MM/yyyy', '2024-04-03'], ['MM/dd/yyyy', '2024-03-04'])],
  ['03.04.2024 | 05.06.2024', asked(['dd.MM.yyyy', '2024-04-03'], ['MM.dd.yyyy', '2024-03-04'])],
  ['03/04/2024 | 13/04/2024', '2024-04-03 | 2024-04-13'],
  ['3/4/2024 | 4/13/2024', '2024-03-04 | 2024-04-13'],
  ['1.2024 | 12.2024', '2024-01-01 | 2024-12-01'],
  ['05/05/2024 | 06/06/2024', '2024-05-05 | 2024-06-06'],
  ['31/12/2024 | 12/31/2024', 'unread'],
  ['2024/12/31 | 2024/01/02', '2024-12-31 | 2024-01-02'],
  ['1/5/24 | 2/5/24', asked(['d/M/yy', '2024-05-01'], ['M/d/yy', '2024-01-05'])],
  ['1-1-19 | 31-1-19', asked(['d-M-yy', '2019-01-01'])],
  ['05-JAN-20 | 06-feb-20', asked(['dd-MMM-yy', '2020-01-05'])],
  ['1/5/24 | 2/5/24', '2024-05-01 | 2024-05-02', { format: 'd/M/yy' }],
  ['1/5/99 | 2/5/68', '2099-05-01 | 2068-05-02', { format: 'd/M/yy' }],
  ['03/04/2024 | ', '2024-04-03 | NULL', { format: 'dd/MM/yyyy' }],
  ['03/04/2024 | 2024-04-03', 'unread', { format: 'dd/MM/yyyy' }],
  ['3/4/2024 | 03/04/2024', 'unread', { format: 'dd/MM/yyyy' }],
  ['January 5, 2020 | May 15, 2020', '2020-01-05 | 2020-05-15'],
  ['5. March 2020 | 15. May 2020', '2020-03-05 | 2020-05-15'],
  ['5 Mar 2020 | 15 May 2020', '2020-03-05 | 2020-05-15'],
  ['Mon, 06 Jan 2020 | Tue, 07 Jan 2020', '2020-01-06 | 2020-01-07'],
  ['Jan-2020 | Feb-2020', '2020-01-01 | 2020-02-01'],
  ['Jan-20 | Feb-20', asked(['MMM-yy', '2020-01-01'])],
  ['01/2020 | 12/2020', '2020-01-01 | 2020-12-01'],
  ['2011-12 | 2012-13', 'unread'],
  ['01/05/2020 12:00:00 AM | 01/25/2020 12:00:00 AM', '2020-01-05 | 2020-01-25'],
  ['20240115 | 20241231', '2024-01-15 | 2024-12-31'],
];

const utc = { utc: true };
const newYork = { utc: true, zone: 'America/New_York' };
const MOMENTS: readonly Row[] = [
  [
    '2024-01-15T08:00 | 2024-01-15 08:00:00.5 | 2024-01-15',
    '2024-01-15 08:00:00 | 2024-01-15 08:00:00.5 | 2024-01-15 00:00:00',
  ],
  ['2024-01-15T08:00:00.1234567 | ', 'unread'],
  ['2024-01-15T08:00:00-05:00 | 2024-01-15T08:00:00Z', '2024-01-15 13:00:00 | 2024-01-15 08:00:00', utc],
  ['2024-01-15 08:00:00 +0530 | 2024-01-15T23:00:00-05', '2024-01-15 02:30:00 | 2024-01-16 04:00:00', utc],
  [
    '2024-01-15T08:00:00-05:00 | ',
    'offset | logicalTypeOptions: { timezone: true } a moment, published in UTC',
  ],
  ['2024-01-15T08:00:00Z | ', 'offset | logicalTypeOptions: { timezone: true } a moment, published in UTC'],
  ['2024-01-15T08:00:00 | 2024-07-15T08:00:00', '2024-01-15 08:00:00 | 2024-07-15 08:00:00', utc],
  ['2024-01-15T08:00:00 | 2024-07-15T08:00:00', '2024-01-15 13:00:00 | 2024-07-15 12:00:00', newYork],
  ['2024-01-15T08:00:00 | 2024-01-15T08:00:00Z', '2024-01-15 13:00:00 | 2024-01-15 08:00:00', newYork],
  ['2024-11-03T01:30:00 | ', 'unclear', newYork],
  ['2024-03-10T02:30:00 | ', 'unclear', newYork],
  ['2024-11-03T01:30:00-05:00 | ', '2024-11-03 06:30:00 | NULL', newYork],
  ['01/05/2020 12:00:00 AM | 01/25/2020 01:30:00 PM', '2020-01-05 00:00:00 | 2020-01-25 13:30:00'],
  ['1/5/2020 1:05 pm | 25/5/2020 11:00 AM', '2020-05-01 13:05:00 | 2020-05-25 11:00:00'],
  ['25.1.2020 7:05 | 25.1.2020 17:05', '2020-01-25 07:05:00 | 2020-01-25 17:05:00'],
  ['25.01.2020 | 25.01.2020 17:05:01', '2020-01-25 00:00:00 | 2020-01-25 17:05:01'],
  ['25/01/2020 08:00:00 +02:00 | ', '2020-01-25 06:00:00 | NULL', utc],
  [
    '03/04/2020 08:00 | ',
    asked(['dd/MM/yyyy HH:mm', '2020-04-03 08:00:00'], ['MM/dd/yyyy HH:mm', '2020-03-04 08:00:00']),
  ],
  ['03/04/2020 08:00 | ', '2020-04-03 08:00:00 | NULL', { format: 'dd/MM/yyyy HH:mm' }],
  ['20200304T080000 | ', '2020-03-04 08:00:00 | NULL', { format: "yyyyMMdd'T'HHmmss" }],
  [
    '2020-03-04 | 2020-03-04 8 h',
    '2020-03-04 00:00:00 | 2020-03-04 08:00:00',
    { format: "yyyy-MM-dd[ H' h']" },
  ],
  // Times with and without an offset are asked about.
  [
    '2024-01-15T08:00:00 | 2024-01-15T08:00:00Z',
    'ambiguous | logicalTypeOptions: { timezone: true, defaultTimezone: UTC } a time of day in UTC | logicalTypeOptions: { timezone: true, defaultTimezone: America/New_York } a time of day in America/New_York',
    utc,
  ],
];

const ROWS: readonly (readonly [type: ColumnType, rows: readonly Row[]])[] = [
  ['number', NUMBERS],
  ['integer', INTEGERS],
  ['date', DATES],
  ['timestamp', MOMENTS],
];
test.for(ROWS.flatMap(([type, rows]) => rows.map(row => [type, ...row] as const)))(
  '%s: %s are %s',
  async ([type, cells, wanted, said]) => expect(await read(stated(type, said), cells)).toBe(wanted),
);
