/** What `civic init` asks of values with two readings, and that a build refuses them until the contract says which. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildPublisher, refusal } from '../publishers/built-tree.ts';
import { drafted, publisher } from './drafted.ts';

const CONTRACT = 'contracts/data/t.odcs.yaml';

async function draftedTable(name: string, text: string) {
  const { root, tables } = await drafted({ [`in/${name}`]: text });
  return {
    columns: tables[0]!.columns,
    contract: await readFile(path.join(root, CONTRACT), 'utf8'),
    publisher: publisher(root),
  };
}

const ASKED = [
  ['t.csv', 'name,v\na,"854,667"\nb,"12,100"\n', '- { property: group, value: "," }', 'a,854667'],
  ['t.csv', 'name;v\na;1.204\nb;21.500\n', '- { property: decimal, value: "." }', 'a,1.204'],
  [
    't.jsonl',
    '{"name":"a","v":"1.204"}\n{"name":"b","v":"2"}\n',
    '- { property: group, value: "." }',
    'a,1204',
  ],
  [
    't.csv',
    'day,v\n03/04/2024,1\n05/06/2024,2\n',
    'logicalTypeOptions: { format: dd/MM/yyyy }',
    '2024-04-03,1',
  ],
  ['t.tsv', 'day\tv\n1/5/24\t1\n2/6/24\t2\n', 'logicalTypeOptions: { format: M/d/yy }', '2024-01-05,1'],
  ['t.csv', 'day,v\n05-JAN-24,1\n06-FEB-24,2\n', 'logicalTypeOptions: { format: dd-MMM-yy }', '2024-01-05,1'],
  [
    't.csv',
    'at,v\n2024-01-15T08:00:00,1\n2024-01-15T08:00:01Z,2\n',
    'logicalTypeOptions: { timezone: true, defaultTimezone: America/New_York }',
    '2024-01-15T13:00:00Z,1',
  ],
] as const;

test.each(ASKED)('%s %j is asked about, and %s settles it', async (name, text, line, published) => {
  const { columns, contract, publisher } = await draftedTable(name, text);
  expect(columns.map(({ reading }) => reading.doubt?.kind ?? null)).toContain('ambiguous');
  expect(contract).toContain(`# ${line}`);
  const { diagnostics } = await refusal(publisher);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const codes = errors.map(({ code }) => code);
  expect(codes).toEqual(['lake-ambiguous']);
  const file = path.join(publisher.root, CONTRACT);
  await writeFile(file, contract.replace(`# ${line}`, line));
  await buildPublisher(publisher);
  const folder = /^\d{4}-/.test(published) ? 'year=2024' : 'all';
  const rows = path.join(publisher.out, 'api/v1/data/t', folder, 'all.csv');
  expect(await readFile(rows, 'utf8')).toContain(published);
});

const SETTLED = [
  ['name,v\na,"854,667"\nb,"12,345.6"\n', 'v', '{ property: group, value: "," }'],
  ['name;v\na;1.204\nb;3,5\n', 'v', '{ property: decimal, value: "," }'],
  ['day,v\n03/04/2024,1\n13/06/2024,2\n', 'day', 'format: "dd/MM/yyyy"'],
  ['at,v\n2024-01-15T08:00:00-05:00,1\n2024-01-16T08:00:00Z,2\n', 'at', 'timezone: true'],
  ['at,v\n01/05/2020 12:00:00 AM,1\n01/25/2020 01:30:00 PM,2\n', 'at', 'format: "MM/dd/yyyy hh:mm:ss a"'],
  ['id,v\n12345678901234567891,1\n12345678901234567892,2\n', 'id', 'logicalType: string'],
] as const;

test.each(SETTLED)('%j: of %s the draft says %s, and it builds', async (text, name, line) => {
  const { contract, publisher } = await draftedTable('t.csv', text);
  expect(contract.slice(contract.indexOf(`- name: ${name}\n`))).toContain(line);
  await buildPublisher(publisher);
});

test('2009-10 may be a month or a school year', async () => {
  const { contract, publisher } = await draftedTable('t.csv', 'sy,v\n2009-10,1\n2010-11,2\n2011-12,3\n');
  expect(contract).toContain('# - { property: time_unit, value: month }');
  expect((await refusal(publisher)).diagnostics.map(({ code }) => code)).toContain('time-column');
});

test.each([
  ['DD/MM/YYYY', /use dd/],
  ['dd/MM', /no year/],
  ['yyyy-ww', /letter w/],
  ['h:mm yyyy', /needs a/],
  ['yyyy-MM-dd[ HH', /brackets/],
])('the format %s is refused', async (format, why) => {
  const { contract, publisher } = await draftedTable('t.csv', 'day,v\n03/04/2024,1\n05/06/2024,2\n');
  const line = `logicalType: date\n        logicalTypeOptions: { format: "${format}" }`;
  await writeFile(path.join(publisher.root, CONTRACT), contract.replace(/logicalType: date.*/, line));
  expect((await refusal(publisher)).diagnostics.map(({ message }) => message).join()).toMatch(why);
});
