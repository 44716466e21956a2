/** Random tables in every format that `civic init` reads, with what each cell may be read as. */
import { utils, write } from '@e965/xlsx';
import { parquetTable } from './random-parquet.ts';
import {
  CONTROLS,
  type Cell,
  dayOf,
  digits,
  figure,
  HOSTILE,
  MARKS,
  type Marks,
  number,
  pick,
  type Random,
  type RandomTable,
  randomOf,
  readTime,
  text,
  writeTime,
} from './random-values.ts';

/** A column of one kind: its cell in each row. */
type Column = (row: number) => Cell;
type Kind = (random: Random, marks: Marks) => Column;

/** Patterns of dates; some of them and some days have two readings. */
const PATTERNS = [
  ...['dd/MM/yyyy', 'MM/dd/yyyy', 'd.M.yyyy', 'M/d/yy', 'yy-MM-dd', 'dd-MMM-yy', 'MMMM d, yyyy', 'yyyyMMdd'],
  ...['yyyy/MM/dd', 'dd.MM.yyyy HH:mm', 'MM/dd/yyyy hh:mm:ss a'],
];

const ANSWERS = ['true/false', 'Yes/No', 'Y/N', 'T/F'].map(one => one.split('/'));
const MARKERS = ['NA', 'n/a', 'null', '-', '*', '..', '<10', 'NaN', '(D)', '#N/A', 'many', 'inf'];
const OFFSETS = ['Z', '+02:00', '-0530', ' UTC'];

const KINDS: Readonly<Record<string, Kind>> = {
  count: random => () => number(random(1000)),
  signed: random => () => number(random(2_000_000) - 1_000_000),
  grouped: (random, marks) => () => figure(random(random(2) === 0 ? 5_000_000 : 2000), marks, true),
  decimal: (random, marks) => () => figure((random(20_000) - 10_000) / 100, marks, false),
  thousandth: (random, marks) => () => figure(random(20_000) / 1000, marks, random(2) === 0),
  amount: (random, marks) => () => figure(random(9_000_000) / 100, marks, true),
  small: (random, marks) => () => figure((random(9) + 10 * random(3)) / 10, marks, false),
  exponent: random => () => {
    const [mantissa, power] = [random(90) + 1, random(9) - 4];
    const own = `${mantissa}${pick(random, ['e', 'E'])}${power}`;
    return { text: own, number: Number(own) };
  },
  sign: random => () => {
    const value = random(200) - 100;
    const own = value < 0 ? String(value).replace('-', pick(random, ['-', '\u2212'])) : `+${value}`;
    return { text: own, number: value };
  },
  bare: (random, marks) => () =>
    pick(random, [
      { text: `${marks.decimal}5`, number: 0.5 },
      // A comma ends no number.
      { text: marks.decimal === '.' ? '7.' : '7', number: 7 },
      figure(1.25, marks, false),
    ]),
  long: random => () => text(`${1 + random(9)}${digits(random(1e9), 9)}${digits(random(1e9), 9)}`),
  code: random => () => text(digits(random(500), 5)),
  word: random => () => text(pick(random, ['north', 'south', 'east', 'west', 'Åre'])),
  name: random => row => text(`${pick(random, ['Ann', 'Bo', 'Cy'])} ${row}`),
  hostile: random => () => text(pick(random, HOSTILE)),
  control: random => () => text(pick(random, [...CONTROLS, 'plain'])),
  answer: random => {
    const [yes = '', no = ''] = pick(random, ANSWERS);
    return () => (random(2) === 0 ? { text: yes, boolean: true } : { text: no, boolean: false });
  },
  day: random => () => {
    const day = dayOf(random);
    return { text: day, time: day };
  },
  written: random => {
    const pattern = pick(random, PATTERNS);
    const isEarly = random(2) === 0;
    return () => {
      const seconds = pattern.includes('mm') ? random(86_400) : 0;
      const moment = new Date(
        `${isEarly ? dayOf(random).replace(/..$/, () => digits(1 + random(12))) : dayOf(random)}T00:00:00Z`,
      );
      moment.setUTCSeconds(seconds);
      const own = writeTime(moment, pattern);
      return {
        text: own,
        time: readTime(own, pattern),
        ...(pattern === 'yyyyMMdd' && { number: Number(own) }),
      };
    };
  },
  moment: random => {
    const [join, width] = [pick(random, ['T', ' ']), pick(random, [0, 0, 3, 6])];
    const offsets = pick(random, [[''], [''], OFFSETS, ['', 'Z']]);
    return () => {
      // No zone changes its clocks in these months.
      const day = dayOf(random).replace(/-(03|11)-/, '-07-');
      const fraction = width === 0 ? '' : `.${digits(random(10 ** width), width)}`;
      const clock = `${digits(random(24))}:${digits(random(60))}:${digits(random(60))}`;
      const offset = pick(random, offsets);
      const [, sign, hours, minutes] = /([-+])(..):?(..)/.exec(offset) ?? [];
      const shift = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
      const moment = new Date(`${day}T${clock}Z`).getTime() - shift * 60_000;
      const time = `${new Date(moment).toISOString().slice(0, 19)}${fraction.replace(/\.?0+$/, '')}`;
      return { text: `${day}${join}${clock}${fraction}${offset}`, time: offset === '' ? time : `${time}Z` };
    };
  },
  period: random => () => text(`${2019 + random(5)}-Q${1 + random(4)}`),
  school: random => () => text(pick(random, ['2008-09', '2009-10', '2010-11', '2011-12'])),
  mixed: random => () => (random(3) === 0 ? text(pick(random, ['many', 'few', 'some'])) : number(random(90))),
  marked: random => {
    const markers = [pick(random, MARKERS), pick(random, MARKERS)];
    return () => (random(4) === 0 ? text(pick(random, markers)) : number(random(90)));
  },
  sentinel: random => {
    const marker = number(pick(random, [-999, 9999, -666666666, 99999]));
    return () => (random(6) === 0 ? marker : number(random(90)));
  },
  empty: () => () => ({ text: null }),
};

/** Parameters, words of SQL and JSON, and what has a meaning in YAML or a URL. */
const NAMES = [
  ...`year date limit offset format place history detail as_of order select null true no count rowid file_index a.b x[0] größe 日本 a:b # data rows value id Total level label name group t slice - * {x} _ sum(x)`.split(
    ' ',
  ),
  ...["it's", 'with space', 'pct %', 'Temp (°C)', 'two\nlines'],
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
function cellsOf(random: Random, columns: readonly Column[], rows: number): Cell[][] {
  const gaps = columns.map(() => random(4) === 0);
  return Array.from({ length: rows }, (_, row) =>
    columns.map((column, i) => (gaps[i] && random(5) === 0 ? { text: null } : column(row))),
  );
}

export function randomTable(seed: number, index: number): RandomTable {
  const random = randomOf(seed * 1_000_003 + index);
  const format = pick(random, ['csv', 'csv', 'csv', 'tsv', 'jsonl', 'parquet', 'parquet', 'xlsx']);
  const count = random(20) === 0 ? 1 : 2 + random(7);
  const length = pick(random, [...Array(20).fill(2 + random(30)), 0, 1]);
  const name = `t${index}.${format}`;
  const columns = namesOf(random, count);
  if (format === 'parquet') return parquetTable(random, name, columns, length);
  const marks = pick(random, MARKS);
  const isOdd = format !== 'xlsx' && random(20) === 0;
  const kinds = Object.values(KINDS).filter(kind => isOdd || kind !== KINDS['control']);
  const rows = cellsOf(
    random,
    columns.map(() => pick(random, kinds)(random, marks)),
    length,
  );
  const own = rows.flat().flatMap(cell => cell.text ?? []);
  const refusal = own.some(one => UNFIT.test(one))
    ? 'control character'
    : own.every(one => one === '')
      ? format === 'jsonl' && length === 0
        ? 'empty'
        : 'no rows'
      : undefined;
  const table = { name, columns, rows, dialect: format, ...(refusal !== undefined && { refusal }) };
  switch (format) {
    case 'jsonl':
      return { ...table, write: async () => jsonLines(random, columns, rows) };
    case 'xlsx':
      return { ...table, write: async () => workbook(columns, rows) };
    default:
      return delimited(random, table, format === 'tsv' ? '\t' : pick(random, [',', ';', '\t', '|']));
  }
}

/** Texts with a character that a build refuses. A text file's own line ends become line feeds. */
const UNFIT = /[\0-\u0008\v\f\u000e-\u001f]|^\ufeff/;

/** Text of a file in an encoding of office programs; UTF-8 if it has no other. */
function encoded(random: Random, all: string): readonly [encoding: string, bytes: Buffer] {
  const encoding = pick(random, ['utf8', 'utf8', 'utf8 with mark', 'utf16le', 'utf16be', 'windows-1252']);
  switch (encoding) {
    case 'utf8 with mark':
      return [encoding, Buffer.from(`\ufeff${all}`)];
    case 'utf16le':
      return [encoding, Buffer.from(`\ufeff${all}`, 'utf16le')];
    case 'utf16be':
      return [encoding, Buffer.from(`\ufeff${all}`, 'utf16le').swap16()];
    default:
      return encoding === 'utf8' || /[^\t\n\r -~\u00a0-\u00ff]/.test(all)
        ? ['utf8', Buffer.from(all)]
        : [encoding, Buffer.from(all, 'latin1')];
  }
}

function delimited(random: Random, table: Omit<RandomTable, 'write'>, delimiter: string): RandomTable {
  const lineEnd = pick(random, ['\n', '\n', '\r\n', '\r']);
  const quoted = pick(random, ['always', 'if it must', 'if it must']);
  // A lone column with another delimiter in a text would be several.
  const special = new RegExp(`["\\r\\n${table.columns.length === 1 ? ',;\\t|' : delimiter}]|^\\s|\\s$`);
  const field = (value: string) =>
    quoted === 'always' || value === '' || special.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  const columns = [...table.columns];
  let refusal = table.refusal;
  const header = random(30);
  if (header < 2 && columns.length > 1 && refusal === undefined) {
    const at = 1 + random(columns.length - 1);
    columns[at] = header === 0 ? columns[0]!.toUpperCase() : '';
    if (header === 0) refusal = JSON.stringify(columns[at]).slice(1, -1).replace('\\n', ' ');
    else if (table.rows.some(row => (row[at]!.text ?? '') !== '')) refusal = `Column ${at + 1} `;
  }
  const end = random(12) === 0 ? delimiter : '';
  const lines = [
    ...(random(12) === 0 ? [`sep=${delimiter}`] : []),
    `${columns.map(field).join(delimiter)}${end}`,
    ...table.rows.map(
      row => `${row.map(cell => (cell.text === null ? '' : field(cell.text))).join(delimiter)}${end}`,
    ),
  ];
  const [encoding, bytes] = encoded(random, `${lines.join(lineEnd)}${random(4) === 0 ? '' : lineEnd}`);
  const dialect = `csv ${JSON.stringify(delimiter)} ${JSON.stringify(lineEnd)} ${encoding}, quoted ${quoted}${end === '' ? '' : ', separators at the end'}${lines[0]!.startsWith('sep=') ? ', sep' : ''}`;
  return { ...table, columns, dialect, ...(refusal !== undefined && { refusal }), write: async () => bytes };
}

/** A file's own value of each cell: figures and answers where all of a column are in the plain form. */
function ownValues(rows: readonly (readonly Cell[])[]) {
  const isPlain = ({ text: own, number: value, boolean }: Cell) =>
    own === null ||
    own === String(value) ||
    own === String(boolean) ||
    (value === undefined && boolean === undefined);
  const plain = rows[0]?.map((_, i) => rows.every(row => isPlain(row[i]!))) ?? [];
  return rows.map(row =>
    row.map(({ text: own, number: value, boolean, time }, i) =>
      plain[i] && time === undefined ? (value ?? boolean ?? own) : own,
    ),
  );
}

function jsonLines(random: Random, columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const members = ownValues(rows).map(row =>
    row.flatMap((value, i) =>
      value === null && random(2) === 0 && i > 0 ? [] : [[columns[i], value] as const],
    ),
  );
  return members.map(row => `${JSON.stringify(Object.fromEntries(row))}\n`).join('');
}

function workbook(columns: readonly string[], rows: readonly (readonly Cell[])[]): Buffer {
  const book = utils.book_new(utils.aoa_to_sheet([[...columns], ...ownValues(rows)]));
  // As Excel writes them. The library reads other texts with `&amp;` wrongly.
  return write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true }) as Buffer;
}
