/** A row of a source file as it stands there: trimmed cells, and the line on which it begins. */
export interface SourceRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Text of a file whose encoding nobody wrote down: UTF-8 (a BOM is dropped), UTF-16 where a BOM says so, and
 * otherwise Windows-1252, which contains Latin-1.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Parses delimited text (RFC 4180; comma, semicolon or tab; LF, CRLF or CR). Lines without a single filled cell are
 * left out. A quote that never closes takes the rest of the text, as the format has it.
 */
export function parseDelimited(content: string): SourceRecord[] {
  const delimiter = delimiterOf(content);
  const records: SourceRecord[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let begun = 1;
  const endRecord = () => {
    cells.push(cell.trim());
    if (cells.some(filled => filled !== '')) records.push({ line: begun, cells });
    cells = [];
    cell = '';
  };
  for (let at = 0; at < content.length; at++) {
    const char = content[at]!;
    if (char === '\n') line++;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (content[at + 1] === '"') cell += content[at++];
      else quoted = false;
    } else if (char === '"' && cell.trim() === '') {
      quoted = true;
      cell = '';
    } else if (char === delimiter) {
      cells.push(cell.trim());
      cell = '';
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && content[at + 1] === '\n') {
        at++;
        line++;
      } else if (char === '\r') line++;
      endRecord();
      begun = line;
    } else cell += char;
  }
  endRecord();
  return records;
}

/** The delimiter that the first filled line uses most. */
function delimiterOf(content: string): string {
  const first = content.split(/[\r\n]/, 40).find(line => /[,;\t]/.test(line)) ?? '';
  const uses = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, next) => (uses(next) > uses(best) ? next : best));
}
