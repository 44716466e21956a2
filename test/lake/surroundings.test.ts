/** What surrounds a table in CSV and in workbooks: it is read, left out with a note, or asked about. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type CellObject, utils, type WorkSheet, write } from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileLayout } from '../../build/contract/custom-profile.ts';
import { Database, type Session } from '../../build/lake/database.ts';
import { tableFormat } from '../../build/lake/lake-layout.ts';
import { loadTextTable } from '../../build/lake/text-table.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

let database: Database;
let session: Session;
let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  database = await Database.open({ threads: 1, memoryLimit: '200MB', temporaryFolder: folder });
  session = await database.connect();
});
afterAll(() => database.close());

interface Read {
  /** `a|b / 1|2`, the header first. */
  readonly rows?: string;
  /** Messages about the file, one per line. */
  readonly says: string;
  readonly percent?: readonly number[];
}

async function read(
  name: string,
  content: string | Buffer,
  layout: FileLayout = {},
  expected: readonly string[] = [],
): Promise<Read> {
  const absolute = path.join(folder, name);
  await writeFile(absolute, content);
  const bytes = Buffer.byteLength(content);
  const format = tableFormat(name);
  if (format === null || format === 'parquet') throw new Error(name);
  const known = { expected: new Set(expected), layout, values: new Set<string>() };
  const table = await loadTextTable(session, { path: name, absolute, bytes }, format, 'temp.main.t', known);
  if ('severity' in table) return { says: table.message };
  const list = table.columns.map((_, i) => `coalesce(c${i}, '')`).join(`, '|', `);
  const rows = await session.rows<{ row: string }>(`SELECT concat(${list}) AS row FROM t ORDER BY rowid`);
  return {
    rows: [table.columns.map(one => one.name).join('|'), ...rows.map(({ row }) => row)].join(' / '),
    says: [...table.questions, ...table.notes].map(({ code, message }) => `${code} ${message}`).join('\n'),
    percent: table.columns.flatMap((one, i) => (one.percent ? [i] : [])),
  };
}

const says = (pattern: RegExp) => ({ says: expect.stringMatching(pattern) });
const NOTHING = /^$/;
const PLAIN = 'year|county|n / 2023|Fulton|3 / 2024|Appling|4';
const CSV = 'year,county,n\n2023,Fulton,3\n2024,Appling,4\n';

describe('CSV', () => {
  const [before2024] = CSV.split('2024');
  /** Texts that are read as PLAIN's rows or as others, with at most a note. */
  const READ: readonly (readonly [text: string, says: RegExp, rows?: string])[] = [
    [CSV, NOTHING],
    // A UTF-8 mark read as Windows-1252, and two marks before a quote.
    [`ï»¿${CSV}`, NOTHING],
    [`\ufeff\ufeff${CSV.replace('year', '"year"')}`, NOTHING],
    [`sep=;\r\n${CSV.replaceAll(',', ';').replaceAll('\n', '\r\n')}`, NOTHING],
    [CSV.replace(/20\d\d/g, year => `="${year}"`), NOTHING],
    [CSV.replace(/20\d\d/g, year => ` "${year}"`), NOTHING],
    ['a, "n, m"\nx, "1,5"\ny, "2,5"\n', NOTHING, 'a|n, m / x|1,5 / y|2,5'],
    ['a,n\nx,"1,5"\ny, "2,5"\n', NOTHING, 'a|n / x|1,5 / y|2,5'],
    ['y\tr\tn\n5s\t3n\t9d\nA\t3\t5\nB\t4\t6\n', /Line 2 has units/, 'y|r|n / A|3|5 / B|4|6'],
    ['r,n,m\n,(n),(%)\nA,3,5\nB,4,6\n', /Line 2 has units/, 'r|n|m / A|3|5 / B|4|6'],
    ['r,n,m\nA,(n),(c)\nB,3,5\nC,4,6\n', NOTHING, 'r|n|m / A|(n)|(c) / B|3|5 / C|4|6'],
    [CSV.replaceAll('\n', '\r'), NOTHING],
    [CSV.replace('\n', '\r\n').replace('3\n', '3\r'), NOTHING],
    [CSV.replace(/^.+$/gm, line => `"${line}"`), NOTHING],
    ['"year,""county"",n"\n"2023,""Fulton"",3"\n"2024,""Appling"",4"\n', NOTHING],
    // Commas at the end of every line, or only of rows; an empty first column; rows of commas.
    [CSV.replace(/$/gm, line => `${line},`).replace(/,$/, ''), NOTHING],
    ['year,county,n\n2023,Fulton,3,\n2024,Appling,4,,\n', NOTHING],
    [CSV.replace(/^(?=.)/gm, ','), NOTHING],
    [CSV.replace('2024', ',,\n,,\n2024'), NOTHING],
    // Numbers of rows, as pandas and R write them, and other numbers.
    [
      CSV.replace(/^(?=.)/gm, ',')
        .replace('\n,', '\n0,')
        .replace('\n,', '\n1,'),
      /only counts the rows/,
    ],
    [',county,n\n5,Fulton,3\n9,Appling,4\n', NOTHING, '|county|n / 5|Fulton|3 / 9|Appling|4'],
    // Days as names, below a title with the other delimiter.
    [
      'Bevölkerung: Land, Stichtag\nStand\nOrt;31.12.2019;31.12.2020\nA;1;2\nB;3;4\n',
      /Lines 1 to 2 above the header are left out/,
      'Ort|31.12.2019|31.12.2020 / A|1|2 / B|3|4',
    ],
    [
      `# Source: Office, table 7\n${CSV}`,
      /Line 1 above the header is left out: "# Source: Office", "table 7"/,
    ],
    [`Title of it\n\n${CSV}`, /^lake-surroundings Line 1 above the header is left out: "Title of it"/],
    [`"Unemployment, by county",,\nReport,2,\n${CSV}`, /Lines 1 to 2 above the header are left out/],
    [CSV.replace('2024', 'year,county,n\n2024'), /The header is repeated once, first on line 3/],
    [
      `Title\n${before2024}year,county,n\n2024,Appling,4\n`,
      /Line 1 above[\s\S]*repeated once, first on line 4/,
    ],
    [`${CSV}\nSource: Department\n`, /The last line .*left out.*"Source: Department"/],
    [`${CSV}Notes:,,\n"1. To ones, up",,\n`, /The last 2 lines are left out, from line 4: "Notes:"/],
    [`${CSV}Note: a, b\nSource: A, B, C, D\n`, /last lines \(4 to 5\) are left out.*skip_rows/],
    [`${CSV}\n(2 rows affected)\n`, /The last line \(5\) is left out/],
    ['y,r,n\n,(%),(number)\nA,3,5\nB,4,6\n', /Line 2 has units, not a row/, 'y|r|n / A|3|5 / B|4|6'],
    // A first row with a withheld figure.
    ['c,month,n\nF,2023-01,(D)\nF,2023-02,4\n', NOTHING, 'c|month|n / F|2023-01|(D) / F|2023-02|4'],
    ['c,n\nFulton,(D)\nAppling,4\nBacon,5\n', NOTHING, 'c|n / Fulton|(D) / Appling|4 / Bacon|5'],
    [
      ',2023,,2024,\nCounty,Count,Share,Count,Share\nFulton,1,2,3,4\nAppling,5,6,7,8\n',
      /The header has 2 lines \(1 to 2\), read as "County", "2023 Count", "2023 Share", …/,
      'County|2023 Count|2023 Share|2024 Count|2024 Share / Fulton|1|2|3|4 / Appling|5|6|7|8',
    ],
    // Only texts, with a decimal comma and a delimiter within; one column of them; one with a blank line.
    ['name;place\nA, b;c, d\nE, f;g, h\n', NOTHING, 'name|place / A, b|c, d / E, f|g, h'],
    ['name\n"Smith, John"\n"Doe, Jane"\n', NOTHING, 'name / Smith, John / Doe, Jane'],
    ['name\nAnn\n\nBo\n""\n', NOTHING, 'name / Ann / Bo'],
    // Line ends within a name and between lines.
    ['"two\nlines",n\r\na,1\r\n"b\nc",2\r\n', NOTHING, 'two lines|n / a|1 / b\nc|2'],
    ['"two\nlines",n\ra,1\r"b\nc",2\r', NOTHING, 'two lines|n / a|1 / b\nc|2'],
    ['"two\r\nlines",n\na,1\n"b\r\nc",2\n', NOTHING, 'two lines|n / a|1 / b\nc|2'],
    ['"two\rlines",n\na,1\n"b\rc",2\n', NOTHING, 'two lines|n / a|1 / b\nc|2'],
    [`${CSV}2025,,\n`, NOTHING, `${PLAIN} / 2025||`],
    // "Total" as a category isn't a total.
    [
      'sex,n\nTotal,3\nF,1\nM,2\nTotal,4\nF,2\nM,2\n',
      NOTHING,
      'sex|n / Total|3 / F|1 / M|2 / Total|4 / F|2 / M|2',
    ],
  ];
  test.for(READ)('%j', async ([text, pattern, rows = PLAIN]) => {
    expect(await read('a.csv', text)).toMatchObject({ rows, ...says(pattern) });
  });

  const REGIONS = 'N,Dade,1\nN,Bibb,2\nN total,,3\nS,Cook,4\nS,Echols,5\nS total,,9\nGrand total,,12\n';
  /** Questions about a text, whose other rows are PLAIN's or these. */
  const ASKED: readonly (readonly [text: string, question: RegExp, rows?: string])[] = [
    [
      `${CSV}2024,Total,7\n`,
      /Line 4 \("2024", "Total", "7"\) looks like a total of other rows: its "n" is the sum.*skip_rows: \["Total"\].*skip_rows: \[\]/,
    ],
    [`${CSV},Total,9\n`, /Line 4 .*only there, "year" is blank/],
    [CSV.replace('2023', '2023,Grand total,7\n2023'), /Line 2 .*"n" is the sum/],
    [`${CSV.replaceAll(',', ';')};Gesamt;7\n`, /Line 4 .*"Gesamt"/],
    [`${CSV}2024,State average,3.5\n`, /Line 4 .*"State average"/],
    [`${CSV}Figures of small counties are not shown here,,\n`, /ends with a row of one text, from line 4/],
    [
      'county,2022,2023\nNorth,,\nDade,1,2\nSouth,,\nEchols,3,4\n',
      /Line 2 \("North"\) and other rows have a first cell alone.*skip_rows: \["North", "South"\]/,
      'county|2022|2023 / North|| / Dade|1|2 / South|| / Echols|3|4',
    ],
    [
      `region,county,n\n${REGIONS}`,
      /Line 4 .*"county" is blank, and 2 more like it.*skip_rows: \["N total", "S total", "Grand total"\]/,
      'region|county|n / N|Dade|1 / N|Bibb|2 / S|Cook|4 / S|Echols|5',
    ],
    [
      'county,births,deaths\nA,1,4\nB,2,5\nC,3,6\nGeorgia,6,15\n',
      /Line 5 \("Georgia".*its "births" and "deaths" are the sums of all others.*skip_rows: \["Georgia"\]/,
      'county|births|deaths / A|1|4 / B|2|5 / C|3|6',
    ],
    [
      'GEO_ID,NAME,B01_E,B01_M\nGeography,Area,Estimate total,Margin of error\n1,A,3,4\n2,B,5,6\n',
      /Line 2 \("Geography".*header_line: 2, header_lines: 2 } } joins.*skip_rows: \["Geography"\]/,
      'GEO_ID|NAME|B01_E|B01_M / 1|A|3|4 / 2|B|5|6',
    ],
    [
      'GEO_ID,DP03E,DP03PM\nGeography,Estimate!!Not in work!!16 years,Percent!!16 years\n1,3,(X)\n',
      /Line 2 \("Geography".*skip_rows: \["Geography"\]/,
      'GEO_ID|DP03E|DP03PM / 1|3|(X)',
    ],
  ];
  test.for(ASKED)('%j is a question', async ([text, question, rows = PLAIN]) => {
    const found = await read('a.csv', text);
    expect(found).toMatchObject({ rows, ...says(question) });
    expect(found.says).toMatch(/^lake-ambiguous .*$/);
  });

  const SETTLED: readonly (readonly [text: string, layout: FileLayout, rows: string])[] = [
    [`${CSV}2024,Total,7\n`, { skip_rows: ['Total'] }, PLAIN],
    [`${CSV}2024,Total,7\n`, { skip_rows: [] }, `${PLAIN} / 2024|Total|7`],
    [`a,b,c\n1,2,3\n${CSV}`, { header_line: 3 }, PLAIN],
    [`${CSV}End of file\n`, { skip_rows: ['End'] }, PLAIN],
    ['x,,y\na,b,c\n1,2,3\n', { header_line: 2, header_lines: 2 }, 'x a|x b|y c / 1|2|3'],
  ];
  test.for(SETTLED)('%j is settled by %j', async ([text, layout, rows]) => {
    expect(await read('a.csv', text, layout)).toMatchObject({ rows, ...says(/^(lake-surroundings .*)?$/) });
  });

  const DAYS = utils.book_new(utils.aoa_to_sheet([['day'], [new Date(0)]], { cellDates: true }));
  test.for<[name: string, content: string | Buffer, pattern: RegExp]>([
    ['a.csv', gzipSync(CSV), /compressed \(gzip\)/],
    ['a.csv', '<!DOCTYPE html>\n<p>Not found</p>\n', /a web page/],
    ['a.csv', '[{"year": 2023}]\n', /it is JSON/],
    ['a.csv', Buffer.from(CSV, 'utf16le'), /UTF-16 without a byte order mark/],
    ['a.csv', `${CSV}2025,Ba\n`, /the row on line 4 has 2 \("2025", "Ba"\)/],
    ['a.jsonl', '{"a": 1}\n\n{"a": 2\n', /line 3 isn't JSON \("{\\"a\\": 2"\)/],
    [
      'a.csv',
      'a,b\n"say \\"hi\\"",1\n',
      /row that begins on line 2 has "h" after the quote that ends a field/,
    ],
    ['a.csv', `T\n\n${CSV}2024,"say "hi" now",1\n`, /on line 6 has "h" after.*Double each quote/],
    ['a.jsonl', '"a": 1}\n', /line 1 isn't JSON/],
    ['a.jsonl', '{"a": 1}\n[1]\n', /line 2 isn't a JSON object/],
    ['a.jsonl', '{"a": 1}\n{"a": 1, "a": 2}\n', /line 2 has a name twice/],
    ['a.jsonl', '{"a": "\\ud83d"}\n', /line 1 isn't JSON/],
    ['a.xlsx', 'PK no', /^The table cannot be read: it isn't/],
    ['a.xlsx', write(DAYS, { type: 'buffer', bookType: 'xlsx', cellDates: true }), /dates as texts in ISO/],
    ['a.xlsx', CSV, /^The table cannot be read: it isn't/],
    ['a.xlsx', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /^The table cannot be read: it isn't/],
  ])('%s that is something else: %j', async ([name, content, pattern]) => {
    expect(await read(name, content)).toEqual(says(pattern));
  });

  test.each(['utf8', 'utf16le'] as const)('a mark of %s before JSON', async encoding => {
    const lines = Buffer.from('\ufeff{"a": "é"}\n', encoding);
    expect((await read('a.jsonl', lines)).rows).toBe('a / é');
  });

  test('JSON lines keep quotes', async () => {
    expect((await read('a.jsonl', '{"a": "=\\"b\\""}\n')).rows).toBe('a / ="b"');
  });

  test('another encoding below a title keeps its letters', async () => {
    const text = 'Bevölkerung\n\nOrt;Zahl;Jahr\nKöln;1;2023\n\nQuelle: Amt\n';
    expect(await read('a.csv', Buffer.from(text, 'latin1'))).toMatchObject({
      rows: 'Ort|Zahl|Jahr / Köln|1|2023',
      ...says(/Windows-1252 \("Bevölkerung"\).*\n.*Line 1.*\n.*last line/),
    });
  });

  test('the names of the contract find a header of two lines, or that of the next delivery', async () => {
    const text = 'County,,Births,Deaths\nName,FIPS,2023,2023\nA,001,1,2\nB,003,3,4\n';
    const layout = { year_columns: { Births: 'Births {year}', Deaths: 'Deaths {year}' } };
    const found = await read('a.csv', text, layout, ['County Name', 'Births', 'Deaths', 'year']);
    expect(found.rows).toMatch(/^County Name\|County FIPS\|Births 2023\|Deaths 2023 /);
    const next = `Report of May,x,y\nall,texts,here\n${CSV}`;
    expect(await read('a.csv', next, {}, ['year', 'county', 'n'])).toMatchObject({ rows: PLAIN });
  });
});

type Cell = string | number | boolean | null | CellObject;

/** Cells of `a|b / 1|2`. */
const cells = (text: string): Cell[][] =>
  text.split(' / ').map(row => row.split('|').map(one => (/^\d+$/.test(one) ? Number(one) : one || null)));

function book(
  sheets: Readonly<Record<string, Cell[][]>>,
  change: (sheet: WorkSheet) => void = () => undefined,
  workbook: object = {},
  bookType: 'xlsx' | 'biff8' = 'xlsx',
): Buffer {
  const all = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows);
    if (all.SheetNames.length === 0) change(sheet);
    utils.book_append_sheet(all, sheet, name);
  }
  all.Workbook = workbook;
  return write(all, { type: 'buffer', bookType, cellStyles: true }) as Buffer;
}

const merging = (ranges: string) => (sheet: WorkSheet) => {
  sheet['!merges'] = ranges.split(' ').map(range => utils.decode_range(range));
};
const as = (v: number, z: string): CellObject => ({ t: 'n', v, z });

describe('a workbook', () => {
  test('gives the value of each cell in the meaning of its format', async () => {
    const CELLS: readonly (readonly [cell: Cell, text: string])[] = [
      [as(2134, '00000'), '02134'],
      [as(123456789, '000\\-00\\-0000'), '123-45-6789'],
      [as(7, '"GA-"000'), 'GA-007'],
      [as(0.40694444, 'h:mm'), '09:46'],
      [as(0.75, 'h:mm AM/PM'), '18:00'],
      [as(1.5, '[h]:mm'), '36:00'],
      [as(45292, 'm/d/yy'), '2024-01-01'],
      [as(45292.5, 'dd.mm.yyyy hh:mm'), '2024-01-01 12:00:00'],
      [as(45292, 'mmm-yy'), '2024-01-01'],
      [as(45292, 'yyyy'), '2024'],
      [as(45292, 'dddd'), 'Monday'],
      [as(854667.254, '"$"#,##0'), '854667.254'],
      [as(1234567, '#,##0,'), '1234567'],
      [0.1 + 0.2, '0.3'],
      [Number.MAX_VALUE, '1.7976931348623157e+308'],
      [1 / 3, '0.3333333333333333'],
      [123456789012345, '123456789012345'],
      [as(1e20, '0.00E+00'), '100000000000000000000'],
      // Marks in place of numbers, and a dash for zero.
      [as(5, '"<"0'), '<5'],
      [as(3, '[<5]"*";0'), '*'],
      [as(50.25, '[<5]"*";0'), '50.25'],
      [as(0, '0;-0;"n/a"'), 'n/a'],
      [as(0, '0;-0;"-"'), '0'],
      ['007', '007'],
      [true, 'true'],
    ];
    const rows = CELLS.map(([cell], i): Cell[] => [`k${i}`, cell]);
    const { rows: found } = await read('a.xlsx', book({ A: [['key', 'value'], ...rows] }));
    expect(found?.split(' / ').slice(1)).toEqual(CELLS.map(([, text], i) => `k${i}|${text}`));
  });

  test('gives percentages; days count from 1904 if it says so; an old format is read the same', async () => {
    const shares: Cell[][] = [['share'], [as(0.125, '0.0%')], [as(0.28512345, '0%')]];
    expect(await read('a.xlsx', book({ A: shares }))).toMatchObject({ rows: 'share / 12.5 / 28.512345' });
    const days: Cell[][] = [['day'], [as(43830, 'yyyy-mm-dd')]];
    const since1904 = book({ A: days }, undefined, { WBProps: { date1904: true } });
    expect((await read('a.xlsx', since1904)).rows).toBe('day / 2024-01-01');
    const old = book({ A: [['code', 'share'], ...[[as(7, '000'), as(0.5, '0%')]]] }, undefined, {}, 'biff8');
    expect(await read('a.xls', old)).toMatchObject({ rows: 'code|share / 007|50', percent: [1] });
  });

  const ROWS = 'county|code|n / Fulton|a|3 / Appling|b|4 / Bacon|c|5';

  test('has hidden rows, columns and sheets, and cells whose format shows nothing: left out and counted', async () => {
    const content = book(
      { A: [...cells(ROWS), ['Cobb', 'd', as(6, ';;;')]], Secret: cells('x|y / 1|2') },
      sheet => {
        sheet['!rows'] = [{}, {}, { hidden: true }];
        sheet['!cols'] = [{}, { hidden: true }];
      },
      { Sheets: [{ Hidden: 0 }, { Hidden: 2 }] },
    );
    expect(await read('a.xlsx', content)).toMatchObject({
      rows: 'county|n / Fulton|3 / Bacon|5 / Cobb|',
      ...says(
        /^lake-hidden .*: 1 hidden row of sheet "A", 1 hidden column of sheet "A" \(B "code"\), 1 cell of sheet "A" whose format shows nothing, the hidden sheet "Secret" \(2 rows\)\..*hidden: skip.*$/,
      ),
    });
    expect((await read('a.xlsx', content, { hidden: 'skip' })).says).toBe('');
    expect((await read('a.xlsx', content, { hidden: 'read', sheet: 'A' })).rows).toBe(`${ROWS} / Cobb|d|6`);
  });

  test('has other sheets, named with their rows, and the contract names the one to read', async () => {
    const content = book({ A: cells(ROWS), Teachers: cells('school|n / S|1') });
    expect(await read('a.xlsx', content)).toMatchObject(
      says(/those of sheet "A"; not read: "Teachers" \(2 rows\).*sheet: "Teachers"/),
    );
    expect((await read('a.xlsx', content, { sheet: 'Teachers' })).rows).toBe('school|n / S|1');
    expect((await read('a.xlsx', content, {}, ['school', 'n'])).rows).toBe('school|n / S|1');
    expect(await read('a.xlsx', content, { sheet: 'B' })).toEqual(
      says(/no sheet "B" .*it has "A", "Teachers"/),
    );
    const twins = book({ '2023': cells(ROWS), '2024': cells(ROWS) });
    expect(await read('a.xlsx', twins, {}, ['county', 'n'])).toMatchObject(
      says(/sheets "2023", "2024" all have columns of the contract.*sheet: "2023"/),
    );
  });

  test('has merged cells, read for each of their rows, and across the header; a heading is a question', async () => {
    const A = cells('Report||| / county|2023||note / |n|share| / Fulton|1|2|x / |3|4|y');
    expect((await read('a.xlsx', book({ A }, merging('A1:D1 A2:A3 B2:C2 D2:D3 A4:A5')))).rows).toBe(
      'county|2023 n|2023 share|note / Fulton|1|2|x / Fulton|3|4|y',
    );
    const figure = book({ A: cells('county|m|f / A|1|2 / B|5|') }, merging('B3:C3'));
    expect(await read('a.xlsx', figure)).toMatchObject(says(/cell B3 .* is a number of several columns/));
    const heading = book({ A: cells(`${ROWS} / North|| / Dade|d|6`) }, merging('A5:C5'));
    expect(await read('a.xlsx', heading)).toMatchObject(
      says(/^lake-ambiguous Row 5 of sheet "A" is one merged cell \("North"\).*$/),
    );
  });

  test.for<[above: Cell, cell: Cell, pattern: RegExp]>([
    [3, { t: 'e', v: 42 }, /^lake-cell 1 cell of sheet "A" show.* read as missing: C3 \(#N\/A\)/],
    [3, { t: 'e', v: 23 }, /cell C3 of sheet "A" shows #REF!\. Correct its formula/],
    [3, as(0.5, '0%'), /cell C2 .*a plain number, but C3 .*percentage/],
    [as(0.5, '0%'), '0.25', /cell C3 .*a plain number, but C2 .*percentage/],
    [as(12, '0" km"'), as(3, '0" mi"'), /cell C2 .*shows "km", but C3 .*shows "mi", .*two units/],
    [as(5, '0\\ [$€-407]'), as(3, '[$$-409]0'), /cell C3 .*shows "\$", but C2 .*shows "€"/],
    [as(5, '"€"* 0_)'), as(3, '0_€'), /^$/],
    [as(5000, '0,"K"'), as(3e6, '0,,"M"'), /^$/],
  ])('%j above %j', async ([above, cell, pattern]) => {
    const [header = []] = cells(ROWS);
    const rows = [header, ['Fulton', 'a', above], ['Appling', 'b', cell]];
    expect(await read('a.xlsx', book({ A: rows }))).toMatchObject(says(pattern));
  });
});
