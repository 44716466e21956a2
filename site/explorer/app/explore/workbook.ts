/**
 * Writes rows as an XLSX workbook (ECMA-376): codes are text, an empty cell is NULL, and no cell is a
 * formula. Writes row by row, so a million rows fit into memory.
 */

import { Zip, ZipDeflate } from 'fflate';
import type { Batch } from '../../../edge/rows/parquet.ts';
import type { Value } from '../../../query/order.ts';
import { t } from '../../messages/messages.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { Question } from '../../view/question.ts';
import type { Rows } from '../../view/rows.ts';
import { deriveColumns } from '../../view/table-columns.ts';
import { describeQuestion } from '../../view/wording.ts';

/** The most rows of a worksheet, with its header. */
const MOST_ROWS = 1_048_576;
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** The earliest time in a ZIP: the same rows always give the same bytes. */
const MODIFIED = new Date(1980, 0, 1);

/** Indexes of cell styles in STYLES. The text style keeps an edited cell a text. */
const TEXT = 1;
const HEADER = 2;

export interface Workbook {
  readonly rows: number;
  readonly columns: readonly SheetColumn[];
  /** The second sheet: facts about the rows, and the meaning of each column. */
  readonly facts: readonly (readonly [string, string])[];
  readonly meanings: readonly (readonly string[])[];
}

interface SheetColumn {
  readonly title: string;
  /** Characters. */
  readonly width: number;
  /** The words of codes; empty if there are none. */
  readonly words: ReadonlyMap<string, string>;
}

/** Throws an Error if a workbook can't hold the rows. */
export async function* renderWorkbook(
  book: Workbook,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Uint8Array> {
  if (book.rows >= MOST_ROWS) throw new Error(t.workbook.tooLong());
  const done: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    done.push(part);
  });
  const open = (name: string) => {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = MODIFIED;
    zip.add(entry);
    return entry;
  };
  const encoder = new TextEncoder();
  const put = (name: string, text: string) => open(name).push(encoder.encode(HEAD + text), true);
  put('[Content_Types].xml', CONTENT_TYPES);
  put('_rels/.rels', RELATIONS);
  put('xl/workbook.xml', renderSheets());
  put('xl/_rels/workbook.xml.rels', WORKBOOK_RELATIONS);
  put('xl/styles.xml', STYLES);
  put('xl/worksheets/sheet2.xml', renderNotes(book));
  const sheet = open('xl/worksheets/sheet1.xml');
  // A column of codes is followed by one with their words.
  const sheetColumns = book.columns.flatMap(({ title, width, words }) =>
    words.size > 0
      ? [
          { title, width },
          { title: t.workbook.inWords(title), width },
        ]
      : [{ title, width }],
  );
  const titles = sheetColumns.map(({ title }) => title);
  const widths = sheetColumns.map(({ width }) => width);
  const valuesOf = (value: Value, i: number): readonly Value[] => {
    const { words } = book.columns[i]!;
    return words.size > 0 ? [value, words.get(String(value)) ?? null] : [value];
  };
  sheet.push(encoder.encode(HEAD + sheetHead(widths) + renderRow(1, titles, HEADER)));
  let at = 2;
  for await (const batch of batches) {
    let text = '';
    for (let row = 0; row < batch.rows; row++, at++) {
      text += renderRow(
        at,
        batch.columns.flatMap((column, i) => valuesOf(column[row] ?? null, i)),
      );
    }
    sheet.push(encoder.encode(text));
    yield* done.splice(0);
  }
  const last = `${columnName(titles.length - 1)}${at - 1}`;
  sheet.push(encoder.encode(`</sheetData><autoFilter ref="A1:${last}"/></worksheet>`), true);
  zip.end();
  yield* done.splice(0);
}

export function viewWorkbook(dataset: ExploredDataset, question: Question, rows: Rows): Workbook {
  const { schema, manifest, table } = dataset;
  const shown = new Map(deriveColumns(dataset, question, rows).map(column => [column.name, column]));
  const described = new Map(schema.columns.map(column => [column.name, column]));
  const titleOf = (name: string) => described.get(name)?.label || shown.get(name)?.label || name;
  return {
    rows: rows.rows,
    columns: table.columns.map(({ name }) => {
      const title = titleOf(name);
      const { width = Math.max(10, title.length + 2), names = new Map<string, string>() } =
        shown.get(name) ?? {};
      return { title, width, words: names };
    }),
    facts: [
      [t.nouns.dataset, `${schema.title} (${dataset.key})`],
      [t.workbook.sample, manifest.sample === true ? t.frame.sample : ''],
      [t.nouns.rows, describeQuestion(dataset, question)],
      [t.workbook.count, String(rows.rows)],
      [t.nouns.version, schema.version],
      [t.nouns.release, manifest.release],
      [t.nouns.source, schema.source ?? ''],
      [t.workbook.licence, manifest.license ?? ''],
      [t.nouns.attribution, manifest.attribution ?? ''],
      [t.workbook.usage, schema.usage],
      [t.workbook.limitations, schema.limitations],
    ],
    meanings: table.columns.map(({ name }) => {
      const column = described.get(name);
      const { nullable, nullMeaning = t.workbook.notAtLevel } = shown.get(name) ?? { nullable: true };
      return [
        titleOf(name),
        name,
        column?.unit ?? '',
        nullable ? nullMeaning : '',
        column?.description ?? '',
      ];
    }),
  };
}

/** Leaves out empty facts. */
function renderNotes({ facts, meanings }: Workbook): string {
  const { name, unit, emptyCell, description } = t.workbook;
  let at = 0;
  const lines = facts.filter(([, value]) => value !== '').map(fact => renderRow(++at, fact));
  if (meanings.length > 0)
    lines.push(
      renderRow(++at, []),
      renderRow(++at, [t.nouns.column, name, unit, emptyCell, description], HEADER),
    );
  for (const meaning of meanings) lines.push(renderRow(++at, meaning));
  return `${sheetHead([24, 40, 12, 50, 80], false)}${lines.join('')}</sheetData></worksheet>`;
}

function sheetHead(widths: readonly number[], frozen = true): string {
  const cols = widths.map(
    (width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  );
  const pane = frozen
    ? '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    : '';
  return `<worksheet xmlns="${MAIN}">${pane}<cols>${cols.join('')}</cols><sheetData>`;
}

function renderRow(row: number, values: readonly Value[], style = TEXT): string {
  let text = `<row r="${row}">`;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? null;
    if (value === null) continue;
    const at = `${columnName(i)}${row}`;
    if (typeof value === 'number') text += `<c r="${at}"><v>${value}</v></c>`;
    else if (typeof value === 'boolean') text += `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
    else {
      text += `<c r="${at}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeText(value)}</t></is></c>`;
    }
  }
  return `${text}</row>`;
}

/** A text that looks like an escape of the format (`_x0041_`) is escaped too. */
function escapeText(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\p{Surrogate}\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** A, B, …, Z, AA, … */
function columnName(index: number): string {
  const name = String.fromCharCode(65 + (index % 26));
  return index < 26 ? name : columnName(Math.floor(index / 26) - 1) + name;
}

const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES =
  `<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/></Types>`;

const RELATIONS =
  `<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

function renderSheets(): string {
  const sheets = [t.nouns.rows, t.workbook.notes].map(
    (name, i) => `<sheet name="${escapeText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
  );
  return `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

const WORKBOOK_RELATIONS =
  `<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>` +
  `<Relationship Id="rId2" Type="${OFFICE}/worksheet" Target="worksheets/sheet2.xml"/>` +
  `<Relationship Id="rId3" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;

const STYLES =
  `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>';
