/** What surrounds a table in CSV and in workbooks: it is read, left out with a note, or asked about. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type CellObject, utils, type WorkSheet, write } from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileLayout } from '../../build/contract/dataset.ts';
import { Database, type Session } from '../../build/lake/database.ts';
import { tableFormat } from '../../build/lake/table-format.ts';
import { loadTextTable } from '../../build/lake/text-table.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

let database: Database;
let session: Session;
let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('never');
  database = await Database.open({ threads: 1, memoryLimit: '200MB', temporaryFolder: folder });
  session = await database.connect();
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

interface Read {
  readonly rows?: readonly string[];
  readonly says: readonly string[];
  readonly percent?: readonly number[];
}

/** Rows as `a|b`, the header first, with what is said of the file. */
async function read(
  name: string,
  content: string | Buffer,
  expected: readonly string[] = [],
  layout: FileLayout = {},
): Promise<Read> {
  const absolute = path.join(folder, name);
  await writeFile(absolute, content);
  const bytes = Buffer.byteLength(content);
  const format = tableFormat(name);
  if (format === null || format === 'parquet') throw new Error(name);
  const known = { expected: new Set(expected), layout, values: new Set<string>() };
  const table = await loadTextTable(session, { path: name, absolute, bytes }, format, 'temp.main.t', known);
  if ('severity' in table) return { says: [table.message] };
  const list = table.columns.map((_, i) => `coalesce(c${i}, '')`).join(`, '|', `);
  const rows = await session.rows<{ row: string }>(`SELECT concat(${list}) AS row FROM t ORDER BY rowid`);
  return {
    rows: [table.columns.join('|'), ...rows.map(({ row }) => row)],
    says: [...table.questions, ...table.notes].map(({ code, message }) => `${code} ${message}`),
    percent: [...table.percent],
  };
}

const PLAIN = ['year|county|n', '2023|Fulton|3', '2024|Appling|4'];
const CSV = 'year,county,n\n2023,Fulton,3\n2024,Appling,4\n';

describe('CSV', () => {
  const READ: readonly (readonly [
    what: string,
    text: string,
    says: readonly RegExp[],
    rows?: readonly string[],
  ])[] = [
    ['nothing', CSV, []],
    ['a mark of UTF-8 that was read as Windows-1252', `ï»¿${CSV}`, []],
    ['two marks, before a quote', `\ufeff\ufeff"year",county,n\n2023,Fulton,3\n2024,Appling,4\n`, []],
    ['sep=', `sep=;\r\n${CSV.replaceAll(',', ';').replaceAll('\n', '\r\n')}`, []],
    ['old line ends of the Mac', CSV.replaceAll('\n', '\r'), []],
    ['mixed line ends', CSV.replace('\n', '\r\n').replace('3\n', '3\r'), []],
    ['lines that are quoted as a whole', CSV.replace(/^.+$/gm, line => `"${line}"`), []],
    ['such lines with quoted fields', '"year,""county"",n"\n"2023,""Fulton"",3"\n"2024,""Appling"",4"\n', []],
    ['commas at the end of every line', CSV.replace(/$/gm, line => `${line},`).replace(/,$/, ''), []],
    ['commas at the end of rows alone', 'year,county,n\n2023,Fulton,3,\n2024,Appling,4,,\n', []],
    ['a first column of nothing', CSV.replace(/^(?=.)/gm, ','), []],
    ['rows of commas', CSV.replace('2024', ',,\n,,\n2024'), []],
    [
      'a title',
      `Unemployment by county\n\n${CSV}`,
      [/^lake-surroundings Line 1 above the header is left out: "Unemployment by county"/],
    ],
    [
      'a title with commas',
      `"Unemployment, by county",,\nReport,2,\n${CSV}`,
      [/Lines 1 to 2 above the header are left out/],
    ],
    [
      'a repeated header',
      CSV.replace('2024', 'year,county,n\n2024'),
      [/The header is repeated once, first on line 3/],
    ],
    [
      'a title and a repeated header',
      `Title\n${CSV.replace('2024', 'year,county,n\n2024')}`,
      [/Line 1 above/, /repeated once, first on line 4/],
    ],
    [
      'a source',
      `${CSV}\nSource: Department of Labor\n`,
      [/The last line .*left out.*"Source: Department of Labor"/],
    ],
    [
      'notes of full width',
      `${CSV}Notes:,,\n"1. Rounded, to ones",,\n`,
      [/The last 2 lines are left out, from line 4: "Notes:"/],
    ],
    [
      'a source with commas',
      `${CSV}Note: one, two\nSource: A, B, C, D\n`,
      [/last lines \(4 to 5\) are left out.*skip_rows/],
    ],
    ['the count of a database', `${CSV}\n(2 rows affected)\n`, [/The last line \(5\) is left out/]],
    [
      'a line of units',
      'year,county,rate,n\n,,(%),(number)\n2023,Fulton,3,5\n2024,Appling,4,6\n',
      [/Line 2 has units, not a row, and is left out/],
      ['year|county|rate|n', '2023|Fulton|3|5', '2024|Appling|4|6'],
    ],
    [
      'a first row whose figure is withheld',
      'county,month,n\nFulton,2023-01,(D)\nFulton,2023-02,4\nFulton,2023-03,5\n',
      [],
      ['county|month|n', 'Fulton|2023-01|(D)', 'Fulton|2023-02|4', 'Fulton|2023-03|5'],
    ],
    [
      'the same in a table without time',
      'county,n\nFulton,(D)\nAppling,4\nBacon,5\n',
      [],
      ['county|n', 'Fulton|(D)', 'Appling|4', 'Bacon|5'],
    ],
    [
      'two header lines',
      ',2023,,2024,\nCounty,Count,Share,Count,Share\nFulton,1,2,3,4\nAppling,5,6,7,8\n',
      [/The header has 2 lines \(1 to 2\), read as "County", "2023 Count", "2023 Share", …/],
      ['County|2023 Count|2023 Share|2024 Count|2024 Share', 'Fulton|1|2|3|4', 'Appling|5|6|7|8'],
    ],
    [
      'texts alone, with a decimal comma and a delimiter within',
      'name;place\nA, b;c, d\nE, f;g, h\n',
      [],
      ['name|place', 'A, b|c, d', 'E, f|g, h'],
    ],
    [
      'one column of texts with commas',
      'name\n"Smith, John"\n"Doe, Jane"\n',
      [],
      ['name', 'Smith, John', 'Doe, Jane'],
    ],
    ['one column with a blank line', 'name\nAnn\n\nBo\n""\n', [], ['name', 'Ann', 'Bo']],
    ...[
      ['\n', '\r\n'],
      ['\n', '\r'],
      ['\r\n', '\n'],
      ['\r', '\n'],
    ].map(
      ([within = '', between = '']) =>
        [
          `a header with ${JSON.stringify(within)} in a name, and ${JSON.stringify(between)} between lines`,
          [`"two${within}lines",n`, 'a,1', `"b${within}c",2`, ''].join(between),
          [],
          ['two lines|n', 'a|1', 'b\nc|2'],
        ] as const,
    ),
    ['a row of one name, whose figures are missing', `${CSV}2025,,\n`, [], [...PLAIN, '2025||']],
  ];
  for (const [what, text, says, rows = PLAIN] of READ)
    test(what, async () => {
      const found = await read('a.csv', text);
      expect(found).toMatchObject({ rows, says: says.map(one => expect.stringMatching(one)) });
    });

  const ASKED: readonly (readonly [
    what: string,
    text: string,
    question: RegExp,
    rows?: readonly string[],
  ])[] = [
    [
      'a total without a key',
      `${CSV}2024,Total,7\n`,
      /Line 4 \("2024", "Total", "7"\) looks like a total of other rows: its "n" is the sum.*skip_rows: \["Total"\].*skip_rows: \[\]/,
    ],
    ['a total whose key is blank', `${CSV},Total,9\n`, /Line 4 .*only there, "year" is blank/],
    [
      'a total at the start',
      CSV.replace('2023', '2023,All counties total,7\n2023').replace('All counties total', 'Grand total'),
      /Line 2 .*"n" is the sum/,
    ],
    ['a total in German', `${CSV.replaceAll(',', ';')};Gesamt;7\n`, /Line 4 .*"Gesamt"/],
    [
      'headings between rows',
      'county,2022,2023\nNorth,,\nDade,1,2\nSouth,,\nEchols,3,4\n',
      /Line 2 \("North"\) and other rows have a first cell alone.*skip_rows: \["North", "South"\]/,
      ['county|2022|2023', 'North||', 'Dade|1|2', 'South||', 'Echols|3|4'],
    ],
    [
      'subtotals',
      'region,county,n\nN,Dade,1\nN,Bibb,2\nN total,,3\nS,Cook,4\nS,Echols,5\nS total,,9\nGrand total,,12\n',
      /Line 4 .*"county" is blank, and 2 more like it.*skip_rows: \["N total", "S total", "Grand total"\]/,
      ['region|county|n', 'N|Dade|1', 'N|Bibb|2', 'S|Cook|4', 'S|Echols|5'],
    ],
    [
      'the row of a state below its counties',
      'county,births,deaths\nA,1,4\nB,2,5\nC,3,6\nGeorgia,6,15\n',
      /Line 5 \("Georgia".*its "births" and "deaths" are the sums of all others.*skip_rows: \["Georgia"\]/,
      ['county|births|deaths', 'A|1|4', 'B|2|5', 'C|3|6'],
    ],
    ['an average', `${CSV}2024,State average,3.5\n`, /Line 4 .*"State average"/],
    [
      'a sentence at the end',
      `${CSV}Figures of small counties are not shown here,,\n`,
      /ends with a row of one text, from line 4/,
    ],
    [
      'a second line of names',
      'GEO_ID,NAME,B01_E,B01_M\nGeography,Area,Estimate total,Margin of error\n1,A,3,4\n2,B,5,6\n',
      /Line 2 \("Geography".*header_line: 2, header_lines: 2 } } joins.*skip_rows: \["Geography"\]/,
      ['GEO_ID|NAME|B01_E|B01_M', '1|A|3|4', '2|B|5|6'],
    ],
  ];
  for (const [what, text, question, rows = PLAIN] of ASKED)
    test(`${what} is a question`, async () => {
      const found = await read('a.csv', text);
      expect(found).toMatchObject({ rows, says: [expect.stringMatching(question)] });
      expect(found.says[0]).toMatch(/^lake-ambiguous /);
    });

  test('a category of totals is none', async () => {
    const text = 'year,sex,n\n2023,Total,3\n2023,F,1\n2023,M,2\n2024,Total,4\n2024,F,2\n2024,M,2\n';
    expect((await read('a.csv', text)).says).toEqual([]);
  });

  test('a line that was cut short is an error that quotes it', async () => {
    expect((await read('a.csv', `${CSV}2025,Ba\n`)).says).toEqual([
      expect.stringMatching(/the row on line 4 has 2 \("2025", "Ba"\)/),
    ]);
  });

  const SETTLED: readonly (readonly [
    what: string,
    text: string,
    layout: FileLayout,
    rows: readonly string[],
  ])[] = [
    ['a total left out', `${CSV}2024,Total,7\n`, { skip_rows: ['Total'] }, PLAIN],
    ['a total published', `${CSV}2024,Total,7\n`, { skip_rows: [] }, [...PLAIN, '2024|Total|7']],
    ['a header line', `a,b,c\n1,2,3\n${CSV}`, { header_line: 3 }, PLAIN],
    ['a line of another width', `${CSV}End of file\n`, { skip_rows: ['End'] }, PLAIN],
    [
      'two header lines',
      'x,,y\na,b,c\n1,2,3\n',
      { header_line: 2, header_lines: 2 },
      ['x a|x b|y c', '1|2|3'],
    ],
  ];
  test.each(SETTLED)('the contract settles %s', async (_, text, layout, rows) => {
    const found = await read('a.csv', text, [], layout);
    expect(found.rows).toEqual(rows);
    expect(found.says.filter(one => !one.startsWith('lake-surroundings'))).toEqual([]);
  });

  const OTHER: readonly (readonly [name: string, content: string | Buffer, says: RegExp])[] = [
    ['a.csv', gzipSync(CSV), /compressed \(gzip\)/],
    ['a.csv', '<!DOCTYPE html>\n<p>Not found</p>\n', /a web page/],
    ['a.csv', '[{"year": 2023}]\n', /it is JSON/],
    ['a.jsonl', '{"a": 1}\n\n{"a": 2\n', /line 3 is no JSON \("{\\"a\\": 2"\)/],
    ['a.jsonl', '{"a": 1}\n[1]\n', /line 2 holds another value than an object/],
  ];
  test.each(OTHER)('%s that is something else: %#', async (name, content, says) => {
    expect((await read(name, content)).says).toEqual([expect.stringMatching(says)]);
  });

  test('another encoding below a title keeps its letters', async () => {
    const text = 'Bevölkerung\n\nOrt;Zahl;Jahr\nKöln;1;2023\n\nQuelle: Amt\n';
    expect(await read('a.csv', Buffer.from(text, 'latin1'))).toMatchObject({
      rows: ['Ort|Zahl|Jahr', 'Köln|1|2023'],
      says: [
        expect.stringMatching(/Windows-1252 \("Bevölkerung"\)/),
        expect.stringMatching(/Line 1/),
        expect.stringMatching(/last line/),
      ],
    });
  });

  test('names with years find a header of two lines', async () => {
    const text = 'County,,Births,Deaths\nName,FIPS,2023,2023\nA,001,1,2\nB,003,3,4\n';
    const layout = { year_columns: { Births: 'Births {year}', Deaths: 'Deaths {year}' } };
    const found = await read('a.csv', text, ['County Name', 'Births', 'Deaths', 'year'], layout);
    expect(found.rows?.[0]).toBe('County Name|County FIPS|Births 2023|Deaths 2023');
  });

  test('the names of the contract find the header of the next delivery', async () => {
    const text = `Report of May,x,y\nall,texts,here\n${CSV}`;
    expect(await read('a.csv', text, ['year', 'county', 'n'])).toMatchObject({ rows: PLAIN });
  });
});

type Cell = string | number | boolean | null | CellObject;

function book(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  change: (sheet: WorkSheet) => void = () => undefined,
  workbook: object = {},
): Buffer {
  const all = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows.map(row => [...row]));
    if (all.SheetNames.length === 0) change(sheet);
    utils.book_append_sheet(all, sheet, name);
  }
  all.Workbook = workbook;
  return write(all, { type: 'buffer', bookType: 'xlsx', cellStyles: true }) as Buffer;
}

const as = (v: number, z: string): CellObject => ({ t: 'n', v, z });

describe('cells of a workbook', () => {
  const CELLS: readonly (readonly [what: string, cell: Cell, text: string])[] = [
    ['a code with zeros', as(2134, '00000'), '02134'],
    ['a code with a hyphen', as(123456789, '000\\-00\\-0000'), '123-45-6789'],
    ['a code with letters before it', as(7, '"GA-"000'), 'GA-007'],
    ['a time of day', as(0.40694444, 'h:mm'), '09:46'],
    ['a time in the afternoon', as(0.75, 'h:mm AM/PM'), '18:00'],
    ['a duration', as(1.5, '[h]:mm'), '36:00'],
    ['a percentage', as(0.125, '0.0%'), '12.5'],
    ['a percentage that is rounded', as(0.28512345, '0%'), '28.512345'],
    ['a date', as(45292, 'm/d/yy'), '2024-01-01'],
    ['a date and a time', as(45292.5, 'dd.mm.yyyy hh:mm'), '2024-01-01 12:00:00'],
    ['a month', as(45292, 'mmm-yy'), '2024-01-01'],
    ['a year', as(45292, 'yyyy'), '2024'],
    ['a weekday', as(45292, 'dddd'), 'Monday'],
    ['an amount', as(854667.254, '"$"#,##0'), '854667.254'],
    ['thousands', as(1234567, '#,##0,'), '1234567'],
    ['a sum of fractions', 0.1 + 0.2, '0.3'],
    ['a third', 1 / 3, '0.3333333333333333'],
    ['a long number', 123456789012345, '123456789012345'],
    ['an exponent', as(1e20, '0.00E+00'), '100000000000000000000'],
    ['a text of digits', '007', '007'],
    ['a boolean', true, 'true'],
  ];
  test.each(CELLS)('%s', async (_, cell, text) => {
    const { rows } = await read(
      'a.xlsx',
      book({
        A: [
          ['key', 'value'],
          ['k', cell],
        ],
      }),
    );
    expect(rows).toEqual(['key|value', `k|${text}`]);
  });

  test('days count from 1904 if the workbook says so', async () => {
    const content = book(
      {
        A: [
          ['key', 'day'],
          ['k', as(43830, 'yyyy-mm-dd')],
        ],
      },
      undefined,
      { WBProps: { date1904: true } },
    );
    expect((await read('a.xlsx', content)).rows).toEqual(['key|day', 'k|2024-01-01']);
  });

  test('an old workbook is read alike', async () => {
    const all = utils.book_new(
      utils.aoa_to_sheet([
        ['key', 'code', 'share'],
        ['k', as(7, '000'), as(0.5, '0%')],
      ]),
    );
    const content = write(all, { type: 'buffer', bookType: 'biff8' }) as Buffer;
    expect(await read('a.xls', content)).toMatchObject({
      rows: ['key|code|share', 'k|007|50'],
      percent: [2],
    });
  });
});

describe('a workbook knows more than its cells', () => {
  const ROWS = [
    ['county', 'code', 'n'],
    ['Fulton', 'a', 3],
    ['Appling', 'b', 4],
    ['Bacon', 'c', 5],
  ];
  const all = ['county|code|n', 'Fulton|a|3', 'Appling|b|4', 'Bacon|c|5'];
  const hideRow = (sheet: WorkSheet) => {
    sheet['!rows'] = [{}, {}, { hidden: true }];
  };

  test('hidden rows, columns and sheets, and cells whose format shows nothing, are left out and counted', async () => {
    const content = book(
      {
        A: [...ROWS, [{ t: 's', v: 'Cobb' }, 'd', as(6, ';;;')]],
        Secret: [
          ['x', 'y'],
          [1, 2],
        ],
      },
      sheet => {
        hideRow(sheet);
        sheet['!cols'] = [{}, { hidden: true }];
      },
      { Sheets: [{ Hidden: 0 }, { Hidden: 2 }] },
    );
    expect(await read('a.xlsx', content)).toMatchObject({
      rows: ['county|n', 'Fulton|3', 'Bacon|5', 'Cobb|'],
      says: [
        expect.stringMatching(
          /^lake-hidden .*: 1 hidden row of sheet "A", 1 hidden column of sheet "A" \(B "code"\), 1 cell of sheet "A" whose format shows nothing, the hidden sheet "Secret" \(2 rows\)\..*hidden: skip/,
        ),
      ],
    });
    expect((await read('a.xlsx', content, [], { hidden: 'skip' })).says).toEqual([]);
    expect((await read('a.xlsx', content, [], { hidden: 'read', sheet: 'A' })).rows).toEqual([
      ...all,
      'Cobb|d|6',
    ]);
  });

  test('other sheets are named with their rows, and the contract names the one to read', async () => {
    const content = book({
      A: ROWS,
      Teachers: [
        ['school', 'n'],
        ['S', 1],
      ],
    });
    const { says } = await read('a.xlsx', content);
    expect(says).toEqual([
      expect.stringMatching(/those of sheet "A"; not read: "Teachers" \(2 rows\).*sheet: "Teachers"/),
    ]);
    expect((await read('a.xlsx', content, [], { sheet: 'Teachers' })).rows).toEqual(['school|n', 'S|1']);
    expect((await read('a.xlsx', content, ['school', 'n'])).rows).toEqual(['school|n', 'S|1']);
    expect((await read('a.xlsx', content, [], { sheet: 'B' })).says).toEqual([
      expect.stringMatching(/no sheet "B" .*it has "A", "Teachers"/),
    ]);
    const twins = book({ '2023': ROWS, '2024': ROWS });
    expect((await read('a.xlsx', twins, ['county', 'n'])).says).toEqual([
      expect.stringMatching(/sheets "2023", "2024" all have columns of the contract.*sheet: "2023"/),
    ]);
  });

  test('merged cells are read for each of their rows, and across the header', async () => {
    const content = book(
      {
        A: [
          ['Report', null, null, null],
          ['county', '2023', null, 'note'],
          [null, 'n', 'share', null],
          ['Fulton', 1, 2, 'x'],
          [null, 3, 4, 'y'],
        ],
      },
      sheet => {
        sheet['!merges'] = ['A1:D1', 'A2:A3', 'B2:C2', 'D2:D3', 'A4:A5'].map(range =>
          utils.decode_range(range),
        );
      },
    );
    expect((await read('a.xlsx', content)).rows).toEqual([
      'county|2023 n|2023 share|note',
      'Fulton|1|2|x',
      'Fulton|3|4|y',
    ]);
  });

  test('a heading across the table is a question', async () => {
    const content = book({ A: [...ROWS, ['North', null, null], ['Dade', 'd', 6]] }, sheet => {
      sheet['!merges'] = [utils.decode_range('A5:C5')];
    });
    expect((await read('a.xlsx', content)).says).toEqual([
      expect.stringMatching(/^lake-ambiguous Row 5 of sheet "A" is one merged cell \("North"\)/),
    ]);
  });

  const FAULTS: readonly (readonly [what: string, cell: CellObject, says: RegExp])[] = [
    [
      'not available',
      { t: 'e', v: 42 },
      /^lake-cell 1 cell of sheet "A" show.* read as missing: C3 \(#N\/A\)/,
    ],
    ['a broken reference', { t: 'e', v: 23 }, /cell C3 of sheet "A" shows #REF!\. Correct its formula/],
    ['a share beside a number', as(0.5, '0%'), /cell C2 .*a plain number, but C3 .*percentage/],
  ];
  test.each(FAULTS)('%s', async (_, cell, says) => {
    const rows = ROWS.map((row, i) => (i === 2 ? ['Appling', 'b', cell] : row));
    expect((await read('a.xlsx', book({ A: rows }))).says).toEqual([expect.stringMatching(says)]);
  });

  test('what is no workbook is one message', async () => {
    for (const content of ['PK no', 'county,n\nFulton,3\n', Buffer.from('d0cf11e0a1b11ae1', 'hex')])
      expect((await read('a.xlsx', content)).says).toEqual([
        expect.stringMatching(/^The table cannot be read: it is no/),
      ]);
  });
});
