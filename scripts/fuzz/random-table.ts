/** Random tables in every format that `civic init` reads, with what each cell may be read as. */
import { utils, write } from '@e965/xlsx';
import { parquetTable } from './random-parquet.ts';
import {
  type Cell,
  dayOf,
  digits,
  HOSTILE,
  number,
  pick,
  type Random,
  type RandomTable,
  randomOf,
  text,
} from './random-values.ts';

type Kind = (random: Random, row: number) => Cell;

const KINDS: Readonly<Record<string, Kind>> = {
  count: random => number(random(1000)),
  signed: random => number(random(2_000_000) - 1_000_000),
  decimal: random => number((random(20_000) - 10_000) / 100),
  small: random => number(random(9) / 10 + random(3)),
  code: random => text(digits(random(500), 5)),
  word: random => text(pick(random, ['north', 'south', 'east', 'west', 'Åre'])),
  name: (random, row) => text(`${pick(random, ['Ann', 'Bo', 'Cy'])} ${row}`),
  hostile: random => text(pick(random, HOSTILE)),
  answer: random =>
    pick(random, [
      { text: 'true', boolean: true },
      { text: 'false', boolean: false },
    ]),
  day: random => {
    const day = dayOf(random);
    return { text: day, time: day };
  },
  moment: random => {
    const moment = `${dayOf(random)}T${digits(random(24))}:${digits(random(60))}:${digits(1 + random(59))}`;
    return { text: moment, time: moment };
  },
  period: random => text(`${2019 + random(5)}-Q${1 + random(4)}`),
  mixed: random => (random(3) === 0 ? text(pick(random, ['many', 'few', 'some'])) : number(random(90))),
  empty: () => ({ text: null }),
};

const NAMES = [
  'year',
  'date',
  'limit',
  'offset',
  'format',
  'place',
  'history',
  'detail',
  'as_of',
  'order',
  'select',
  'null',
  'true',
  'no',
  'count',
  'rowid',
  'file_index',
  'a.b',
  'x[0]',
  'größe',
  '日本',
  "it's",
  'with space',
  'a:b',
  '#',
  'data',
  'rows',
  'value',
  'id',
  'Total',
  'level',
  'label',
  'name',
  'group',
  't',
  'slice',
  'pct %',
  'Temp (°C)',
  'two\nlines',
  '-',
  '*',
  '{x}',
  '_',
  'sum(x)',
];

function namesOf(random: Random, count: number): string[] {
  const names: string[] = [];
  while (names.length < count) {
    const base = pick(random, NAMES);
    const name = random(2) === 0 ? base : `${pick(random, ['col', 'Key', 'n', 'über'])}_${random(100)}`;
    if (!names.some(one => one.toLowerCase() === name.toLowerCase())) names.push(name);
  }
  return names;
}

/** A table of one kind of value per column, with or without gaps. */
function cellsOf(random: Random, kinds: readonly Kind[], rows: number): Cell[][] {
  const gaps = kinds.map(() => random(4) === 0);
  return Array.from({ length: rows }, (_, row) =>
    kinds.map((kind, i) => (gaps[i] && random(5) === 0 ? { text: null } : kind(random, row))),
  );
}

export function randomTable(seed: number, index: number): RandomTable {
  const random = randomOf(seed * 1_000_003 + index);
  const format = pick(random, ['csv', 'csv', 'csv', 'tsv', 'jsonl', 'parquet', 'parquet', 'xlsx']);
  const count = 2 + random(7);
  const length = 2 + random(30);
  const name = `t${index}.${format}`;
  const columns = namesOf(random, count);
  if (format === 'parquet') return parquetTable(random, name, columns, length);
  const kinds = columns.map(() => pick(random, Object.values(KINDS)));
  const rows = cellsOf(random, kinds, length);
  switch (format) {
    case 'jsonl':
      return { name, columns, rows, dialect: format, write: async () => jsonLines(columns, rows) };
    case 'xlsx':
      return { name, columns, rows, dialect: format, write: async () => workbook(columns, rows) };
    default:
      return delimited(
        random,
        name,
        columns,
        rows,
        format === 'tsv' ? '\t' : pick(random, [',', ';', '\t', '|']),
      );
  }
}

function delimited(
  random: Random,
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  delimiter: string,
): RandomTable {
  const lineEnd = pick(random, ['\n', '\r\n']);
  const encoding = pick(random, ['utf8', 'utf8', 'utf8 with mark', 'utf16le']);
  const always = random(3) === 0;
  const field = (value: string) =>
    always || value === '' || /["\r\n]|^\s|\s$/.test(value) || value.includes(delimiter)
      ? `"${value.replaceAll('"', '""')}"`
      : value;
  const lines = [
    columns.map(field),
    ...rows.map(row => row.map(cell => (cell.text === null ? '' : field(cell.text)))),
  ];
  const all = `${lines.map(line => line.join(delimiter)).join(lineEnd)}${random(4) === 0 ? '' : lineEnd}`;
  const dialect = `csv ${JSON.stringify(delimiter)} ${JSON.stringify(lineEnd)} ${encoding}${always ? ' quoted' : ''}`;
  const bytes = Buffer.from(
    encoding === 'utf8' ? all : `\ufeff${all}`,
    encoding === 'utf16le' ? 'utf16le' : 'utf8',
  );
  return { name, columns, rows, dialect, write: async () => bytes };
}

function jsonLines(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const value = ({ text: own, number: figure, boolean }: Cell) => figure ?? boolean ?? own;
  return rows
    .map(row => `${JSON.stringify(Object.fromEntries(row.map((cell, i) => [columns[i], value(cell)])))}\n`)
    .join('');
}

function workbook(columns: readonly string[], rows: readonly (readonly Cell[])[]): Buffer {
  const value = ({ text: own, number: figure, boolean }: Cell) => figure ?? boolean ?? own;
  const book = utils.book_new(utils.aoa_to_sheet([[...columns], ...rows.map(row => row.map(value))]));
  // As Excel writes them. The library reads other texts with `&amp;` wrongly.
  return write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true }) as Buffer;
}
