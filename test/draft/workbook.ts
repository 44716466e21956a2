/** A workbook of one sheet, with shared strings and dates as spreadsheets write them. */
import { zipSync } from 'fflate';

type Cell = string | number | boolean | null;

/** Numbers in the first column are days since 1900, in a style of dates. */
export async function workbook(rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  const shared: string[] = [];
  const cell = (value: Cell, row: number, column: number): string => {
    const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    if (value === null) return '';
    if (typeof value === 'boolean') return `<c ${at} t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === 'number') return `<c ${at}${column === 0 ? ' s="1"' : ''}><v>${value}</v></c>`;
    shared.push(value);
    return `<c ${at} t="s"><v>${shared.length - 1}</v></c>`;
  };
  const body = rows
    .map((row, i) => `<row r="${i + 1}">${row.map((value, k) => cell(value, i, k)).join('')}</row>`)
    .join('');
  const parts: Record<string, string> = {
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="One" sheetId="4" r:id="rId7"/><sheet name="Two" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/other.xml"/><Relationship Id="rId7" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${body}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${shared.map(text => `<si><r><t xml:space="preserve">${text.slice(0, 1)}</t></r><r><t>${text.slice(1)}</t></r><rPh sb="0"><t>no</t></rPh></si>`).join('')}</sst>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="&quot;d&quot; yyyy\\-mm\\-dd"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
  };
  const bytes = Object.entries(parts).map(([name, text]) => [name, new TextEncoder().encode(text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(bytes)));
}
