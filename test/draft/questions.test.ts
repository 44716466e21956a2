/**
 * What `civic init` asks about values with two readings and markers of missing figures, and that a build
 * accepts the advice.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { csvOf, drafted, publisher } from './drafted.ts';

const CONTRACT = 'contracts/data/t.odcs.yaml';

async function draftedTable(name: string, text: string) {
  const { root, tables } = await drafted({ [`in/${name}`]: text });
  return {
    columns: tables[0]!.columns,
    contract: await readFile(path.join(root, CONTRACT), 'utf8'),
    publisher: publisher(root),
  };
}

const form = (written: string) => `logicalTypeOptions: { ${written} }`;
const mark = (name: string, value: string) => `- { property: ${name}, value: "${value}" }`;
const NEW_YORK = form('timezone: true, defaultTimezone: America/New_York');
const ASKED = [
  ['t.csv', 'name,v\na,"854,667"\nb,"12,100"\n', mark('group', ','), 'a,854667'],
  ['t.csv', 'name;v\na;1.204\nb;21.500\n', mark('decimal', '.'), 'a,1.204'],
  ['t.jsonl', '{"name":"a","v":"1.204"}\n{"name":"b","v":"2"}\n', mark('group', '.'), 'a,1204'],
  ['t.csv', 'day,v\n03/04/2024,1\n05/06/2024,2\n', form('format: dd/MM/yyyy'), '2024-04-03,1'],
  ['t.tsv', 'day\tv\n1/5/24\t1\n2/6/24\t2\n', form('format: M/d/yy'), '2024-01-05,1'],
  ['t.csv', 'at,v\n2024-01-15T08:00:00,1\n2024-01-15T08:00:01Z,2\n', NEW_YORK, '2024-01-15T13:00:00Z,1'],
] as const;

test.each(ASKED)('%s %j is asked about, and %s settles it', async (name, text, line, published) => {
  const { columns, contract, publisher } = await draftedTable(name, text);
  expect(columns.map(({ reading }) => reading.doubt?.kind ?? null)).toContain('ambiguous');
  expect(contract).toContain(`# ${line}`);
  const { diagnostics } = await publisher.refusal();
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const codes = errors.map(({ code }) => code);
  expect(codes).toEqual(['lake-ambiguous']);
  const file = path.join(publisher.root, CONTRACT);
  await writeFile(file, contract.replace(`# ${line}`, line));
  await publisher.build();
  expect(await csvOf(publisher.root, /^\d{4}-/.test(published) ? 't/year=2024' : 't/all')).toContain(
    published,
  );
});

const SETTLED = [
  ['name,v\na,"854,667"\nb,"12,345.6"\n', 'v', '{ property: group, value: "," }'],
  ['name;v\na;1.204\nb;3,5\n', 'v', '{ property: decimal, value: "," }'],
  // Figures of a column whose name is a date's show the decimal mark too.
  ['name,date,v\na,0.25,"1,467"\nb,-3.5,"1,715"\n', 'v', '{ property: group, value: "," }'],
  ['day,v\n03/04/2024,1\n13/06/2024,2\n', 'day', 'format: "dd/MM/yyyy"'],
  ['at,v\n2024-01-15T08:00:00-05:00,1\n2024-01-16T08:00:00Z,2\n', 'at', 'timezone: true'],
  ['at,v\n01/05/2020 12:00:00 AM,1\n01/25/2020 01:30:00 PM,2\n', 'at', 'format: "MM/dd/yyyy hh:mm:ss a"'],
  ['id,v\n12345678901234567891,1\n12345678901234567892,2\n', 'id', 'logicalType: string'],
] as const;

test.each(SETTLED)('%j: of %s the draft says %s, and it builds', async (text, name, line) => {
  const { contract, publisher } = await draftedTable('t.csv', text);
  expect(contract.slice(contract.indexOf(`- name: ${name}\n`))).toContain(line);
  expect(contract).not.toContain('# question');
  await publisher.build();
});

test('2009-10 may be a month or a school year', async () => {
  const { contract, publisher } = await draftedTable('t.csv', 'sy,v\n2009-10,1\n2010-11,2\n2011-12,3\n');
  expect(contract).toContain('# - { property: time_unit, value: month }');
  expect((await publisher.refusal()).diagnostics.map(({ code }) => code)).toContain('time-column');
});

const THIRTY = Array.from({ length: 30 }, (_, i) => String(i * 3 + 1)).join('|');

test.each<[values: string, type: string, missing: string | null]>([
  ['12|*|15|**', 'integer metric', '*|**'],
  ['1.5|TFS|n/a|Suppressed|2', 'number metric', 'Suppressed|TFS|n/a'],
  ['12|..|-|–| … ', 'integer metric', '-|..|–|…'],
  ['12|<10|> 95%|n<10|≤5', 'integer metric', '<10|> 95%|n<10|≤5'],
  ['12|(D)|15|[x]', 'integer metric', '(D)|[x]'],
  ['12|\\N|15|Unreliable', 'integer metric', 'Unreliable|\\N'],
  ['0.5|1.2E-05|<0.001', 'number metric', '<0.001'],
  // A letter beside many figures, and beside few; ambiguous words; figures among words; codes with zeros.
  [`${THIRTY}|S`, 'integer metric', 'S'],
  ['1|2|3|K', 'string categorical', null],
  ['1|2|3|north', 'string categorical', null],
  ['north|south|3|*', 'string categorical', null],
  ['001|*|003', 'string categorical', null],
  ['*|*|TFS', 'string categorical', null],
])('%s', async (values, type, missing) => {
  const lines = values.split('|').map((value, i) => `a${i},"${value}"`);
  const { contract, columns } = await draftedTable('t.csv', `code,x\n${lines.join('\n')}\n`);
  const column = columns.find(({ name }) => name === 'x');
  expect(`${column?.type} ${column?.role}`).toBe(type);
  const [line] = /^ +- \{ property: missing_values.*$/m.exec(contract) ?? [];
  const list = /value: (\[.*?\]) /.exec(line ?? '')?.[1];
  expect(list === undefined ? null : JSON.parse(list).join('|')).toBe(missing);
});

test.each<[what: string, values: string, note: string | null, missing: string | null]>([
  [
    'bounds of open intervals',
    '43921|250,000+|51111|38942|2,500-',
    'x is text because of "2,500-", "250,000+" in 2 rows.',
    '"2,500-", "250,000+"',
  ],
  ['ranges', '12|1-4|15|17', 'x is text because of "1-4" in 1 row.', '"1-4"'],
  ['percentages', '12.5%|13%|N/A', 'x is text because its figures have signs ("12.5%").', null],
  ['amounts', '$1,234|(12,345)|$9', 'x is text because its figures have signs ("$1,234").', null],
  ['amounts in reais', 'R$ 1.234,56|R$ 99,10|R$ 5', 'x is text because its figures have signs', null],
  ['amounts in euros', '12\u00a0345,60 €|1,00 €|2,50 €', 'x is text because its figures have signs', null],
  ['a mark of a footnote', '12|5¹|7|8', 'x is text because of "5¹" in 1 row.', null],
  ['a negative amount', '12|(5)|7|8', 'x is text because its figures have signs ("(5)").', null],
  ['codes with a letter and zeros', '01001|2A004|01001|01003', null, null],
])('%s are explained', async (_, values, note, missing) => {
  const rows = values.split('|').map((value, i) => `${2023 + (i % 2)},a${i >> 1},"${value}"`);
  const { root, tables } = await drafted({ 'odd.csv': `year,code,x\n${rows.join('\n')}\n` });
  expect(tables[0]?.notes.find(one => one.startsWith('x ')) ?? null).toEqual(
    note === null ? null : expect.stringContaining(note),
  );
  const contract = await readFile(path.join(root, 'contracts/data/odd.odcs.yaml'), 'utf8');
  if (missing !== null) expect(contract).toContain(`# - { property: missing_values, value: [${missing}] }`);
  expect(contract).toContain('property: grain, value: [year, code]');
});

test('days as workbooks count them are noted', async () => {
  const { contract } = await draftedTable('t.csv', 'Start date,v\n44197,1\n44198,2\n');
  expect(contract).toMatch(/Start date has numbers such as 44197, .*\(2021-01-01\)/);
});

test('a draft suggests meanings of outliers and rare markers', async () => {
  const rows = ['K,*', '1,120', '2,-666666666', '3,130', '4,-666666666', '5,125', '6,140'];
  const text = `year,code,x,y\n${rows.map((row, i) => `2024,a${i},${row}`).join('\n')}\n`;
  const { contract } = await draftedTable('t.csv', text);
  for (const line of [
    '# - { property: missing_values, value: ["K"] }',
    ' - { property: missing_values, value: ["*"] }',
    '# - { property: missing_values, value: ["*", -666666666] }',
    '# - { property: value_min',
  ])
    expect(contract).toContain(line);
});
