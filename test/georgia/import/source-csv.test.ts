import { expect, test } from 'vitest';
import { attendance } from '../../../scripts/georgia/import/education/attendance.ts';
import { ccrpiGraduationRate } from '../../../scripts/georgia/import/education/ccrpi-graduation-rate.ts';
import { decodeText, parseDelimited } from '../../../scripts/georgia/import/source-csv.ts';
import { matchHeaders } from '../../../scripts/georgia/import/source-headers.ts';
import { parseJsonTable } from '../../../scripts/georgia/import/source-json.ts';

const cells = (content: string) => parseDelimited(content).records.map(record => record.cells);

test('text is UTF-8 with or without a BOM, UTF-16 with one, or Latin-1', () => {
  const utf8 = new TextEncoder().encode('Peña');
  expect(decodeText(utf8)).toBe('Peña');
  expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8))).toBe('Peña');
  expect(decodeText(Uint8Array.of(0x50, 0x65, 0xf1, 0x61))).toBe('Peña');
  expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x50, 0, 0x65, 0, 0xf1, 0, 0x61, 0))).toBe('Peña');
});

test.each([
  'a,b\n1,2\n',
  'a,b\r\n1,2\r\n',
  'a,b\r1,2',
  'a;b\n1;2',
  'a\tb\n1\t2\n',
  '\n a , "b"\n\n1,"2"\n,\n',
])('%j has a header and a row', content =>
  expect(cells(content)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]),
);

test('a code in a formula keeps its zeros, and spaces of other kinds are spaces', () => {
  expect(cells('="0103",="601",Too Few\u00a0Students,="a')).toEqual([
    ['0103', '601', 'Too Few Students', '="a'],
  ]);
});

test('quoted cells hold delimiters, quotes and line breaks; records know their line', () => {
  expect(parseDelimited('a,b\n"x, ""y""\nz",2\r\n3,4').records).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x, "y"\nz', '2'] },
    { line: 4, cells: ['3', '4'] },
  ]);
});

test('JSON: objects by key, an array of objects, and arrays under a header give the same table', () => {
  const table = [
    ['fips', 'n'],
    ['13001', '5'],
    ['13003', ''],
  ];
  for (const content of [
    '{"13001":{"fips":"13001","n":5},"13003":{"fips":"13003","n":null}}',
    '[{"fips":"13001","n":5},{"fips":"13003"}]',
    '[["fips","n"],["13001",5],["13003",null]]',
  ]) {
    expect(parseJsonTable(content)!.map(record => record.cells)).toEqual(table);
  }
  expect(parseJsonTable('{"a":1}')).toBeUndefined();
  expect(() => parseJsonTable('{"a":')).toThrow(SyntaxError);
});

test('headers match in any case, order and punctuation, below titles, and among extra columns', () => {
  const records = parseDelimited(
    'Cohort counts\n"total graduated",EXTRA,reporting_label,SYSTEM ID,school-id,Graduation Class Size\n',
  ).records;
  const match = matchHeaders(ccrpiGraduationRate.shapes, records);
  if ('problem' in match) throw new Error(match.problem);
  expect(match.shape.name).toBe('cohort counts');
  expect(match.record).toBe(1);
  expect(match.cells.get('graduates')).toBe(0);
  expect(match.cells.get('district')).toBe(3);
  expect(match.unused).toEqual(['EXTRA']);
});

test('a missing column is named by its header in the source', () => {
  const header =
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,STUDENT_COUNT_ALL,FIVE_OR_FEWER_PERCENT_ALL,OVER_15_PERCENT_ALL';
  expect(matchHeaders(attendance.shapes, parseDelimited(header).records)).toEqual({
    problem:
      'fits no known layout; the nearest is attendance by student group: SIX_TO_FIFTEEN_PERCENT_ALL is missing',
    near: true,
  });
});

test('a column that stands twice is refused', () => {
  const match = matchHeaders(
    ccrpiGraduationRate.shapes,
    parseDelimited('System ID,system_id,School ID').records,
  );
  expect(match).toEqual({
    problem: 'the column System ID stands twice (cells 1 and 2): remove one',
    near: true,
  });
});
