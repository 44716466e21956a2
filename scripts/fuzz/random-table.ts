/** Random tables in every format that `civic init` reads. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import { identifier, literal } from '../../build/lake/sql.ts';
import { withTemporaryFolder } from '../../build/tree/workspace.ts';
import {
  CONTROLS,
  type Form,
  MARKS,
  PARQUET_FORMS,
  type Reading,
  readFigure,
  textForms,
  withMarks,
} from './cell-forms.ts';

export interface RandomTable extends Cells {
  readonly format: 'csv' | 'tsv' | 'jsonl' | 'parquet' | 'xlsx';
  /** Of CSV and TSV. */
  readonly dialect: Dialect;
  /** Part of the message if `init` must refuse the table; null if it must draft it. */
  readonly refusal: string | null;
  /** Chooses among the answers to `init`'s questions. */
  readonly answer: number;
}

interface Cells {
  /** Names in the file. */
  readonly columns: readonly string[];
  readonly readings: readonly Reading[];
  /** Null: a missing value. */
  readonly rows: readonly Row[];
}

export type Row = readonly (string | null)[];

/** Names of parameters, words of SQL and JSON, and characters with a meaning in YAML or URLs. */
const NAMES = [
  ...'year date limit offset format place history detail as_of order select null true no count rowid file_index a.b x[0] größe 日本 a:b # data rows value id Total level label name group t slice - * {x} _ sum(x)'.split(
    ' ',
  ),
  ...["it's", 'with space', 'pct %', 'Temp (°C)', 'two\nlines'],
];

const oneIn = (count: number) => fc.integer({ min: 1, max: count }).map(drawn => drawn === count);

const NAMES_OF_COLUMNS = oneIn(20).chain(isAlone =>
  fc.uniqueArray(fc.oneof(fc.constantFrom(...NAMES), fc.stringMatching(/^(col|Key|n|über)_\d\d?$/)), {
    ...{ minLength: isAlone ? 1 : 2, maxLength: isAlone ? 1 : 8 },
    selector: name => name.toLowerCase(),
  }),
);

/** Columns of equal length, with or without gaps. */
function cells(
  columns: readonly string[],
  form: (column: number) => fc.Arbitrary<Form>,
): fc.Arbitrary<Cells> {
  const length = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 2, max: 31 }) },
    { weight: 2, arbitrary: fc.constantFrom(0, 1) },
  );
  const drawn = fc.record({ length, forms: fc.tuple(...columns.map((_, i) => form(i))) });
  return drawn.chain(({ length: rows, forms }) => {
    const lists = forms.map(([texts, reading = {}]) => {
      const cell = texts instanceof RegExp ? fc.stringMatching(texts) : fc.constantFrom(...texts);
      const text = cell.map(one => withMarks(one, reading));
      const size = { minLength: rows, maxLength: rows, size: 'max' } as const;
      return fc.oneof(
        { weight: 3, arbitrary: fc.array(text, size) },
        { weight: 1, arbitrary: fc.array(fc.option(text), size) },
      );
    });
    return fc.tuple(...lists).map(all => ({
      ...{ columns, readings: forms.map(([, reading = {}]) => reading) },
      rows: Array.from({ length: rows }, (_, row) => all.map(list => list[row] ?? null)),
    }));
  });
}

const DIALECTS = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\n', '\r\n', '\r'),
  isQuoted: oneIn(3),
  hasSurplus: oneIn(12),
  hasSeparatorLine: oneIn(12),
  lacksLastEnd: oneIn(4),
  encoding: fc.constantFrom('utf8', 'utf8', 'utf8 with mark', 'utf16le', 'utf16be', 'windows-1252'),
  repeatsName: oneIn(30),
  lacksName: oneIn(30),
});
type Dialect = typeof DIALECTS extends fc.Arbitrary<infer Drawn> ? Drawn : never;

export const TABLES: fc.Arbitrary<RandomTable> = fc
  .record({
    format: fc.constantFrom('csv', 'csv', 'csv', 'tsv', 'jsonl', 'parquet', 'parquet', 'xlsx'),
    columns: NAMES_OF_COLUMNS,
    answer: fc.nat({ max: 1000 }),
    dialect: DIALECTS,
  })
  .chain(({ columns, ...rest }) => {
    const own =
      rest.format === 'parquet'
        ? cells(
            columns.map(name => name.replace('\n', ' ')),
            parquetForm,
          )
        : textCells(columns, rest.format !== 'xlsx');
    return own.map(drawn => spoilHeader({ ...rest, ...drawn, refusal: refusalOf(drawn, rest.format) }));
  });

/** The first column has a type that a draft never leaves out. */
const parquetForm = (i: number) => fc.constantFrom(...(i === 0 ? PARQUET_FORMS.slice(0, 20) : PARQUET_FORMS));

/** Repeats a name, or leaves one out, in some CSV and TSV files. */
function spoilHeader(table: RandomTable): RandomTable {
  const { format, dialect, rows, answer, refusal } = table;
  const columns = [...table.columns];
  const isSpoilt = (format === 'csv' || format === 'tsv') && (dialect.repeatsName || dialect.lacksName);
  if (!isSpoilt || columns.length === 1 || refusal !== null) return table;
  const at = 1 + (answer % (columns.length - 1));
  columns[at] = dialect.repeatsName ? columns[0]!.toUpperCase() : '';
  if (dialect.repeatsName)
    return { ...table, columns, refusal: JSON.stringify(columns[at]).slice(1, -1).replace('\\n', ' ') };
  return { ...table, columns, refusal: rows.some(row => row[at]) ? `Column ${at + 1} ` : null };
}

/** `mayBeOdd`: one table in twenty has control characters. */
function textCells(columns: readonly string[], mayBeOdd: boolean): fc.Arbitrary<Cells> {
  return fc.tuple(fc.constantFrom(...MARKS), oneIn(20)).chain(([marks, isOdd]) => {
    const kinds = [...textForms(marks), ...(mayBeOdd && isOdd ? [[[CONTROLS]] as const] : [])];
    const form = fc.constantFrom(...kinds).chain(forms => fc.constantFrom<Form[]>(...forms));
    return cells(columns, () => form);
  });
}

/** Characters that a build refuses. Line ends in text files become line feeds. */
const UNFIT = /[\0-\u0008\v\f\u000e-\u001f]|^\ufeff/;

function refusalOf({ rows }: Cells, format: RandomTable['format']): string | null {
  const texts = rows.flat().flatMap(text => text ?? []);
  if (texts.some(text => (format === 'parquet' ? /\r/ : UNFIT).test(text))) return 'control character';
  if (rows.length === 0) return format === 'jsonl' ? 'empty' : 'no rows';
  return format !== 'parquet' && texts.every(text => text === '') ? 'no rows' : null;
}

/** The bytes of its file. */
export async function writeTable(table: RandomTable): Promise<Buffer | string> {
  switch (table.format) {
    case 'csv':
      return delimited(table, table.dialect);
    case 'tsv':
      return delimited(table, { ...table.dialect, delimiter: '\t' });
    case 'jsonl':
      return jsonLines(table);
    case 'xlsx':
      return workbook(table);
    case 'parquet':
      return withTemporaryFolder(folder => writeParquet(table, path.join(folder, 't.parquet')));
    default:
      return table.format satisfies never;
  }
}

function delimited({ columns, rows }: Cells, dialect: Dialect): Buffer {
  const { delimiter, lineEnd, isQuoted, hasSurplus, hasSeparatorLine, lacksLastEnd, encoding } = dialect;
  // With one column, another delimiter in a text would split it.
  const special = new RegExp(`["\\r\\n${columns.length === 1 ? ',;\\t|' : delimiter}]|^\\s|\\s$`);
  const field = (text: string) =>
    isQuoted || text === '' || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const end = hasSurplus ? delimiter : '';
  const lines = [
    ...(hasSeparatorLine ? [`sep=${delimiter}`] : []),
    `${columns.map(field).join(delimiter)}${end}`,
    ...rows.map(row => `${row.map(text => (text === null ? '' : field(text))).join(delimiter)}${end}`),
  ];
  return encode(`${lines.join(lineEnd)}${lacksLastEnd ? '' : lineEnd}`, encoding);
}

/** In UTF-8 if Windows-1252 lacks a character. */
function encode(text: string, encoding: Dialect['encoding']): Buffer {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text);
    case 'utf8 with mark':
      return Buffer.from(`\ufeff${text}`);
    case 'utf16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 'windows-1252':
      return Buffer.from(text, /[^\t\n\r -~\u00a0-\u00ff]/.test(text) ? 'utf8' : 'latin1');
    default:
      return encoding satisfies never;
  }
}

/** Typed values for formats that have them: numbers and booleans if a whole column is in plain form. */
function ownValues({ rows, readings }: Cells): (string | number | boolean | null)[][] {
  const isPlain = readings.map((reading, i) => {
    const figures = rows.map(row => [readFigure(row[i] ?? '', reading), row[i]]);
    return (
      reading.format === undefined && figures.every(([one, text]) => one === null || String(one) === text)
    );
  });
  const isLiteral = (text: string) =>
    /^(true|false)$/.test(text) || (String(Number(text)) === text && text !== 'NaN');
  return rows.map(row =>
    row.map((text, i) => (text !== null && isPlain[i] && isLiteral(text) ? JSON.parse(text) : text)),
  );
}

/** Some objects lack members without a value. */
function jsonLines(table: Cells): string {
  const lines = ownValues(table).map((row, at) =>
    row.flatMap((value, i) =>
      value === null && i > 0 && (at + i) % 2 > 0 ? [] : [[table.columns[i], value]],
    ),
  );
  return lines.map(row => `${JSON.stringify(Object.fromEntries(row))}\n`).join('');
}

function workbook(table: Cells): Buffer {
  const book = utils.book_new(utils.aoa_to_sheet([[...table.columns], ...ownValues(table)]));
  // Shared strings, as Excel writes them. The library misreads `&amp;` in inline strings.
  return write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true }) as Buffer;
}

async function writeParquet({ columns, rows, readings }: Cells, file: string): Promise<Buffer> {
  const list = columns.map((name, i) => `c${i}::${readings[i]!.type} AS ${identifier(name)}`);
  // Times with a zone are written at +02, two hours ahead of the UTC text.
  const spell = (text: string | null, i: number) => {
    if (text === null) return 'NULL::VARCHAR';
    return literal(readings[i]!.type === 'TIMETZ' ? `${Number(text.slice(0, 2)) + 2}:00:00+02` : text);
  };
  const values = (rows.length > 0 ? rows : [columns.map(() => null)]).map(row => `(${row.map(spell)})`);
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(
    `COPY (SELECT ${list} FROM (VALUES ${values}) t(${columns.map((_, i) => `c${i}`)}) LIMIT ${rows.length}) TO ${literal(file)} (FORMAT parquet)`,
  );
  instance.closeSync();
  return readFile(file);
}
